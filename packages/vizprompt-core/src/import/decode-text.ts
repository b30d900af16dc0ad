/** What was odd about the bytes of a text, since it was asked for last. */
export interface Damage {
  /** Some were no UTF-8. */
  isFound: boolean;
}

const REPLACED = '\ufffd';
const REPLACED_BYTES = Buffer.byteLength(REPLACED);

/** Reads bytes as UTF-8; what is none becomes U+FFFD, so that the rest can be read. */
export async function* decodeText(
  chunks: AsyncIterable<unknown>,
  damage: Damage,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let end: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) continue;
    const text = decoder.decode(chunk, { stream: true });
    if (text.includes(REPLACED)) {
      // The source may hold that character itself.
      const own = count(Buffer.concat([end, chunk]), REPLACED_BYTES);
      damage.isFound ||= count(text, REPLACED.length) > own;
    }
    end = chunk.subarray(-2);
    yield text;
  }
  const rest = decoder.decode();
  damage.isFound ||= rest !== '';
  yield rest;
}

function count(whole: string | Buffer, step: number): number {
  let found = 0;
  for (let at = whole.indexOf(REPLACED); at >= 0; at = whole.indexOf(REPLACED, at + step)) found++;
  return found;
}
