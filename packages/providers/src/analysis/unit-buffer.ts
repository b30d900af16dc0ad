const IS_BIG = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0;
const FIRST_ROOM = 4096;
/** More room is not kept for the next text. */
const KEPT_ROOM = 1 << 20;
const SPACE = 32;

/** UTF-16 units that grow in number: reading and copying them here takes a fraction of what it takes in strings. */
export class UnitBuffer {
  units: Uint16Array<ArrayBuffer> = new Uint16Array(FIRST_ROOM);
  length = 0;

  clear(): void {
    this.length = 0;
    if (this.units.length > KEPT_ROOM) this.units = new Uint16Array(FIRST_ROOM);
  }

  add(text: string): void {
    this.#reserve(text.length);
    const own = Buffer.from(this.units.buffer, 2 * this.length, 2 * text.length);
    own.write(text, 'utf16le');
    if (IS_BIG) own.swap16();
    this.length += text.length;
  }

  /** Adds a text, behind a space if anything stands before it. */
  addWord(text: string): void {
    if (text === '') return;
    this.#reserve(1);
    if (this.length > 0) this.units[this.length++] = SPACE;
    this.add(text);
  }

  /** The same for units of another buffer. */
  addUnits(from: Uint16Array, start: number, end: number): void {
    if (start === end) return;
    this.#reserve(end - start + 1);
    const { units } = this;
    let { length } = this;
    if (length > 0) units[length++] = SPACE;
    for (let at = start; at < end; at++) units[length++] = from[at] ?? 0;
    this.length = length;
  }

  /** Where units that are added begin, behind the space. */
  get next(): number {
    return this.length === 0 ? 0 : this.length + 1;
  }

  /** A copy of some of the units. */
  slice(start: number, end: number): string {
    const units = this.units.subarray(start, end);
    let all = 0;
    for (let at = 0; at < units.length; at++) all |= units[at] ?? 0;
    if (all < 256) return Buffer.from(units).toString('latin1');
    const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
    if (!IS_BIG) return bytes.toString('utf16le');
    return Buffer.from(bytes).swap16().toString('utf16le');
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.units.length) return;
    const units = new Uint16Array(Math.max(needed, 2 * this.units.length));
    units.set(this.units.subarray(0, this.length));
    this.units = units;
  }
}
