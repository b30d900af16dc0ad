import type * as Encoding from 'gpt-tokenizer/encoding/o200k_base';
import { toPeerError } from '../peer.ts';
import type { TokenCounter } from './estimator.ts';

/** The encodings of OpenAI's models; `o200k_base` since GPT-4o, `cl100k_base` before. */
type TokenEncoding = 'o200k_base' | 'cl100k_base';

/**
 * Loads an exact counter for OpenAI's models. It needs the package `gpt-tokenizer` and, once
 * loaded, some 80 MB of memory. Texts that spell special tokens such as `<|endoftext|>` are counted
 * as the plain text they are.
 *
 * @param encoding - Default: `'o200k_base'`.
 * @throws PeerError if `gpt-tokenizer` is not installed.
 *
 * @example
 * ```ts
 * const counter = await loadTokenCounter();
 * counter.count('Hello'); // { tokens: 1, exact: true }
 * ```
 */
export async function loadTokenCounter(
  encoding: TokenEncoding = 'o200k_base',
): Promise<TokenCounter> {
  const { countTokens } = await loadEncoding(encoding);
  const options = { disallowedSpecial: new Set<string>() };
  return { count: (text) => ({ tokens: countTokens(text, options), exact: true }) };
}

async function loadEncoding(encoding: TokenEncoding): Promise<typeof Encoding> {
  try {
    if (encoding === 'o200k_base') return await import('gpt-tokenizer/encoding/o200k_base');
    return await import('gpt-tokenizer/encoding/cl100k_base');
  } catch (error) {
    throw toPeerError(error, 'gpt-tokenizer');
  }
}
