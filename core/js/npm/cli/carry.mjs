// The single file with a history inside, as the page's own viewer copies are (web/src/platform/carried.rs).
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { EXIT, Refusal } from './errors.mjs';

/** The place for a file, as web/single/build.mjs writes it. */
const PLACE = 'id="hindscope-data" data-name="">';

/** Pieces of the page with an export in it, or none if that is longer than `most` bytes. */
export async function carrying(viewer, made, most, tell) {
  const [before, after, more] = viewer.split(PLACE);
  if (after === undefined || more !== undefined) {
    throw new Refusal('no-page', 'The page of this package has no place for a history: it is of another build.', { exit: EXIT.unread });
  }
  const gzip = createGzip();
  const packed = [];
  gzip.on('data', (piece) => packed.push(piece));
  let length = 0;
  for (const piece of made) {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    if (length > most) {
      gzip.destroy();
      return { length };
    }
    tell(length);
    if (!gzip.write(bytes)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  // Names come from records: only what cannot end the attribute stays.
  const name = made.name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
  const place = PLACE.replace('"">', `"${name}">`);
  return { html: [before, place, Buffer.concat(packed).toString('base64'), after].map((part) => Buffer.from(part)), length };
}
