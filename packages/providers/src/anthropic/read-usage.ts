import { jsonOf, numberOf, type Fields, fieldsOf } from '../json/fields.ts';
import type { Usage } from '../models/events.ts';

/** Token counts of one answer: of its start, and of its end, which has the last word. */
export class UsageReader {
  #fields: Fields = {};

  /** Notes counts; a count that is missing later keeps its earlier value. */
  add(usage: unknown): void {
    const told = Object.entries(fieldsOf(usage)).filter(([, value]) => value !== null);
    this.#fields = { ...this.#fields, ...Object.fromEntries(told) };
  }

  /** Checks whether the server reported any counts. */
  get hasCounts(): boolean {
    return numberOf(this.#fields['input_tokens']) !== undefined || this.#output !== undefined;
  }

  /** The counts so far. Anthropic counts the cached part of a prompt apart. */
  get usage(): Usage {
    const fields = this.#fields;
    const fresh = numberOf(fields['input_tokens']);
    const written = numberOf(fields['cache_creation_input_tokens']);
    const read = numberOf(fields['cache_read_input_tokens']);
    const output = this.#output;
    const thinking = numberOf(fieldsOf(fields['output_tokens_details'])['thinking_tokens']);
    return {
      ...(fresh === undefined ? {} : { inputTokens: fresh + (written ?? 0) + (read ?? 0) }),
      ...(output === undefined ? {} : { outputTokens: output }),
      ...(thinking === undefined ? {} : { reasoningTokens: thinking }),
      ...(read === undefined ? {} : { cachedInputTokens: read }),
      ...(written === undefined ? {} : { cacheWriteInputTokens: written }),
      ...(this.hasCounts ? { raw: jsonOf(fields) } : {}),
    };
  }

  get #output(): number | undefined {
    return numberOf(this.#fields['output_tokens']);
  }
}
