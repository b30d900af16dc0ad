import {
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  stringOf,
  textAt,
  type Fields,
} from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ProviderMeta } from '../../models/message.ts';

/** Reasoning of a delta: its text, and what must go back as it is. */
export interface ReadReasoning {
  readonly text: string;
  readonly meta?: ProviderMeta;
}

/** Reads the reasoning of the deltas of one answer, and puts together what comes in pieces. */
export class ReasoningReader {
  readonly #fields: readonly string[];
  #details: Fields[] = [];
  #blocks: Fields[] = [];

  /** @param fields - Fields of a delta that hold reasoning; the first that is there counts. */
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** Begins a new part: the pieces so far belong to the one before. */
  startPart(): void {
    this.#details = [];
    this.#blocks = [];
  }

  /** Returns the reasoning of a delta; `undefined` if it has none. */
  read(delta: Fields): ReadReasoning | undefined {
    const own = fieldsOf(delta['provider_specific_fields']);
    const named =
      this.#fields.map((field) => textIn(delta[field])).find(Boolean) ??
      stringOf(own['reasoning_content']);
    const details = listOf(delta['reasoning_details']);
    const blocks = listOf(delta['thinking_blocks'] ?? own['thinking_blocks']);
    const opaque = stringOf(delta['reasoning_opaque']);
    if (details.length === 0 && blocks.length === 0 && !opaque)
      return named ? { text: named } : undefined;
    for (const detail of details) this.#addDetail(fieldsOf(detail));
    for (const block of blocks) this.#addBlock(fieldsOf(block));
    const text = named ?? [...details, ...blocks].map(textOfPiece).join('');
    const record: JsonObject = {
      ...(this.#details.length > 0 && { reasoning_details: this.#details.map(jsonOf) }),
      ...(this.#blocks.length > 0 && { thinking_blocks: this.#blocks.map(jsonOf) }),
      ...(opaque && { reasoning_opaque: opaque }),
    };
    return { text, meta: { openai: record } };
  }

  /**
   * OpenRouter cuts a detail into pieces of the same index and type, the signature in the last. Without an index, a piece
   * continues the one before it until that is signed.
   *
   * Source: https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning
   */
  #addDetail(piece: Fields): void {
    const { type, index, id } = piece;
    const isSame = (other: Fields): boolean =>
      other['type'] === type &&
      (id === undefined ||
        id === null ||
        other['id'] === undefined ||
        other['id'] === null ||
        other['id'] === id);
    const at =
      index === undefined || index === null
        ? this.#details.findLastIndex(
            (other, place) =>
              place === this.#details.length - 1 && isSame(other) && !isSigned(other),
          )
        : this.#details.findIndex((other) => other['index'] === index && other['type'] === type);
    const before = this.#details[at];
    if (!before) this.#details.push({ ...piece });
    else this.#details[at] = merge(before, piece, ['text', 'summary', 'data']);
  }

  /** LiteLLM: blocks of Anthropic in pieces, each ended by its signature. */
  #addBlock(piece: Fields): void {
    const last = this.#blocks.at(-1);
    const isMore =
      last && last['type'] === piece['type'] && piece['type'] === 'thinking' && !isSigned(last);
    if (last && isMore) this.#blocks[this.#blocks.length - 1] = merge(last, piece, ['thinking']);
    else this.#blocks.push({ ...piece });
  }
}

function isSigned(piece: Fields): boolean {
  return typeof piece['signature'] === 'string' && piece['signature'] !== '';
}

/** Texts are joined; of everything else the last that is something counts. */
function merge(before: Fields, piece: Fields, joined: readonly string[]): Fields {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(piece)) {
    const old = before[key];
    if (joined.includes(key) && typeof old === 'string' && typeof value === 'string')
      merged[key] = old + value;
    else if (value !== null && value !== undefined && value !== '') merged[key] = value;
    else merged[key] ??= value;
  }
  return merged;
}

/** Returns a text, or an object or a list that holds one. */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item) => textIn(item) ?? '').join('');
  return isRecord(value) ? textAt(value, 'content', 'text', 'summary', 'thinking') : undefined;
}

function textOfPiece(piece: unknown): string {
  return textAt(fieldsOf(piece), 'text', 'summary', 'thinking') ?? '';
}

/** Returns the reasoning to send back as it came, of the provider's own records. */
export function recordsOf(metas: readonly (ProviderMeta | undefined)[], key: string): JsonValue[] {
  return metas.flatMap((meta) => listOf(meta?.['openai']?.[key]).map(jsonOf));
}

/** Fields in which others pass on the signature of a thought of Gemini. */
export const SIGNATURES: ReadonlySet<string> = new Set([
  'extra_content',
  'provider_specific_fields',
  'thought_signature',
]);

/** Returns the signatures of thoughts that Gemini sends by way of others, as they came. */
export function signatureIn(fields: Fields): JsonObject {
  const signed = [...SIGNATURES]
    .filter((key) => /thought_?signature/i.test(JSON.stringify({ [key]: fields[key] })))
    .filter((key) => fields[key] !== null && fields[key] !== undefined);
  return Object.fromEntries(signed.map((key) => [key, jsonOf(fields[key])]));
}
