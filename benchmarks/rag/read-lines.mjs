import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** The objects of a file with a line of JSON each, one after the other; `.gz` is unpacked. */
export async function* readLines(file) {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line !== '') yield JSON.parse(line);
  }
}
