import assert from 'node:assert/strict';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

/**
 * Asserts that work fails with a {@link StorageError} of one code.
 *
 * @param what - Named in the message. Default: the code only.
 */
export async function rejectsWith(
  code: StorageErrorCode,
  work: Promise<unknown> | (() => unknown),
  what = 'the call',
): Promise<void> {
  await assert.rejects(
    async () => (typeof work === 'function' ? work() : work),
    (error: unknown) => {
      assert.ok(StorageError.isInstance(error), `expected a StorageError, got ${String(error)}`);
      assert.equal(error.code, code, error.message);
      return true;
    },
    `${what}: expected a rejection with the code '${code}'`,
  );
}

/** Texts that software mistreats: scripts, directions, surrogates, control characters, numbers. */
export const difficultTexts: readonly string[] = [
  '',
  ' ',
  '\n\n 先頭の空行と空白 \n',
  '吾輩は猫である。名前はまだ無い。',
  'ｶﾞｷﾞｸﾞ がぎぐ か\u3099',
  '👩‍👩‍👧‍👦🇯🇵 𠮷野家',
  'שלום עולם مرحبا \u202etxt.exe',
  'a\r\nb\rc\u2028d\u0085e',
  '\u001b[31mred\u001b[0m \u0007',
  ']]> <![CDATA[ & &amp; &#0; </prompt> <!-- -->',
  '007',
  '1e5',
  'null',
  "'; DROP TABLE x; -- ? $1 %s \\",
  '\ufeffBOM',
];
