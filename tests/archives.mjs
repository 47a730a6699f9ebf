// Archives for tests, made of `[name, bytes]` pairs. Node has the packing, and these the rest.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';

/** `[name, bytes]` of a file or of everything in a folder, as openHistory names them. */
export function filesOf(path, name = basename(path)) {
  if (!statSync(path).isDirectory()) return [[name, readFileSync(path)]];
  return readdirSync(path).flatMap((inner) => filesOf(join(path, inner), `${name}/${inner}`));
}

/** A zip; `change` may lie about an entry. */
export function zip(files, { method = 8, change = (entry) => entry } = {}) {
  const local = [];
  const directory = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const packed = method === 0 ? bytes : deflateRawSync(bytes);
    const own = { flags: 0x800, method, crc: crc(bytes), packed: packed.length, size: bytes.length };
    const entry = change(own, name);
    const text = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.flags, 2);
    fields.writeUInt16LE(entry.method, 4);
    fields.writeUInt32LE(entry.crc, 10);
    fields.writeUInt32LE(entry.packed, 14);
    fields.writeUInt32LE(entry.size, 18);
    fields.writeUInt16LE(text.length, 22);
    const parts = [Buffer.from('PK\x03\x04', 'latin1'), fields, text, packed];
    local.push(...parts);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, rest, text);
    at += parts.reduce((sum, { length }) => sum + length, 0);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.reduce((sum, { length }) => sum + length, 0), 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, ...directory, end]);
}

/** Not every Node 20 has `crc32`; gzip says it, too. */
function crc(bytes) {
  const packed = gzipSync(bytes);
  return packed.readUInt32LE(packed.length - 8);
}

/** A tar. */
export function tar(files) {
  const blocks = files.flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')} `, 124);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    header.write(`${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export { gzipSync as gzip };
