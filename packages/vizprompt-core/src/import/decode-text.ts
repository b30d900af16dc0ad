import { jsonEncoding } from '@vizprompt/providers/internal';

/** Problems in the bytes of a text since the last check. */
export interface Damage {
  /** `true`: some bytes are invalid in its encoding. */
  isFound: boolean;
}

const REPLACED = '\ufffd';
const REPLACED_BYTES = Buffer.byteLength(REPLACED);

/**
 * Reads bytes as UTF-8, or as UTF-16 where the first ones show that; what is neither becomes U+FFFD, so that the
 * rest can be read.
 */
export async function* decodeText(
  chunks: AsyncIterable<unknown>,
  damage: Damage,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let end: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) continue;
    decoder ??= new TextDecoder(jsonEncoding(chunk));
    const text = decoder.decode(chunk, { stream: true });
    if (text.includes(REPLACED)) {
      // The source may hold that character itself.
      const isUtf8 = decoder.encoding === 'utf-8';
      const own = isUtf8 ? countOf(Buffer.concat([end, chunk]), REPLACED_BYTES) : 0;
      damage.isFound ||= countOf(text, REPLACED.length) > own;
    }
    end = chunk.subarray(-2);
    yield text;
  }
  const rest = decoder?.decode() ?? '';
  damage.isFound ||= rest !== '';
  yield rest;
}

function countOf(whole: string | Buffer, step: number): number {
  let found = 0;
  for (let at = whole.indexOf(REPLACED); at >= 0; at = whole.indexOf(REPLACED, at + step)) found++;
  return found;
}
