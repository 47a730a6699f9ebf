// The page as one file with a history inside or files that it follows, in the form that web/single/boot.js reads.
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { EXIT, Refusal } from './errors.mjs';

/** Where the history goes, as web/single/build.mjs writes it. */
const PLACE = 'id="hindscope-data" data-name="">';

/** The page that asks its server for files, and may connect to it. */
export function following(page) {
  const [before, after] = around(page, PLACE);
  const [top, rest] = around(before, "connect-src 'none'");
  return `${top}connect-src 'self'${rest}${PLACE.replace('>', ' data-live="">')}${after}`;
}

/** Pieces of the page with an export in it; only the length if that is more than `most` bytes. */
export async function embedded(page, made, most, onProgress) {
  const [before, after] = around(page, PLACE);
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
    onProgress(length);
    if (!gzip.write(bytes)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  // Names come from records: characters that could end the attribute are replaced.
  const name = made.name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
  const place = PLACE.replace('"">', `"${name}">`);
  return { html: [before, place, Buffer.concat(packed).toString('base64'), after].map((part) => Buffer.from(part)), length };
}

/** What is before and after the one place in a page. */
function around(page, place) {
  const parts = page.split(place);
  if (parts.length === 2) return parts;
  throw new Refusal('no-page', 'The page of hindscope-viewer has no place for a history: install the package again.', { exit: EXIT.io });
}
