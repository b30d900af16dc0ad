import { randomBytes } from 'node:crypto';

/** Ids of one millisecond that this process tells apart by counting. */
const MOST = 0xfff;
let newest = 0;
let count = 0;

/**
 * A UUID of version 7: those of one process sort in the order in which they were made. Source: RFC 9562, sections
 * 5.7 and 6.2 (a counter in `rand_a`).
 */
export function newId(now: number): string {
  if (now > newest) [newest, count] = [now, 0];
  else if (++count > MOST) [newest, count] = [newest + 1, 0];
  const bytes = randomBytes(16);
  bytes.writeUIntBE(newest, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, at) => hex.slice(cuts[at], end))
    .join('-');
}
