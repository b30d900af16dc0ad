import { LLMError } from '../models/llm-error.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { VectorError } from '../vector/vector-error.ts';
import { untilAborted } from '../concurrency/until-aborted.ts';

/** The result for a text: its vector, or the error. */
export type EmbeddedText = { readonly vector: Float32Array } | { readonly error: unknown };

/** Some of the texts, in order. */
export interface EmbeddedPart {
  /** The place of the first of them. */
  readonly at: number;
  readonly results: readonly EmbeddedText[];
}

/** Error codes for a text that the model never accepts. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_request',
  'context_length',
  'content_filter',
]);
/** Error codes for a text that the model fails on, and for a model that is unavailable. */
const FAILURES: ReadonlySet<string> = new Set(['server', 'bad_response']);
/** A text that any available model accepts. */
const PROBE = 'a';
/** For a model that refuses texts that are short, or in other languages. */
const LONG_PROBE = 'The sea is calm today, and the sky is blue. 今日の海は穏やかで、空は青い。';

/** Options of {@link embedTexts}. */
export interface EmbedTextsOptions {
  readonly values: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Throws if a model gave other vectors than it must. */
  readonly check: (vectors: readonly Float32Array[]) => void | Promise<void>;
}

/**
 * Embeds texts, part by part, so that a text that the model refuses costs no other its vector: a batch that fails is
 * halved down to that text. A vector that is not finite or has only zeros counts as refused; another number of vectors than
 * texts is a failure.
 *
 * @throws the error of the model if it is away; the parts before that stay.
 */
export async function* embedTexts(
  model: EmbeddingModel,
  { values, signal, check }: EmbedTextsOptions,
): AsyncGenerator<EmbeddedPart> {
  const parts = [{ at: 0, values }];
  let isUp = false;
  // True if the model gave a vector, or does not refuse every text.
  let isSettled = false;
  for (let part = parts.pop(); part; part = parts.pop()) {
    const { at, values: some } = part;
    let vectors: readonly Float32Array[];
    try {
      const asked = model.embed({ values: some, kind: 'document', signal });
      ({ vectors } = await (signal ? untilAborted(asked, signal) : asked));
      if (vectors.length !== some.length) {
        const message = `the model gave ${vectors.length} vectors for ${some.length} texts`;
        throw new LLMError('bad_response', message);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!LLMError.isInstance(error)) throw error;
      const isRefused = REFUSALS.has(error.code);
      if (!isRefused && !FAILURES.has(error.code)) throw error;
      if (isRefused) {
        // A server with no model loaded, or a limit that is reached, refuses every text.
        if (!isSettled && (await refusesAll(model, values, signal))) throw error;
      } else if (!isUp || some.length === 1) {
        // An earlier answer does not say that the server is still up when a text is marked.
        isUp = await answers(model, signal);
        if (!isUp) throw error;
      }
      isSettled = true;
      if (some.length === 1) {
        yield { at, results: [{ error }] };
        continue;
      }
      const middle = some.length >> 1;
      parts.push({ at: at + middle, values: some.slice(middle) });
      parts.push({ at, values: some.slice(0, middle) });
      continue;
    }
    isSettled = true;
    await check(vectors);
    yield { at, results: vectors.map(resultOf) };
  }
}

/** Checks whether a vector points anywhere. */
export function hasDirection(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Number.isFinite(sum) && sum > 0;
}

function resultOf(vector: Float32Array): EmbeddedText {
  if (hasDirection(vector)) return { vector };
  const message = 'the model gave a vector with numbers that are not finite, or with only zeros';
  return { error: new VectorError('invalid-input', message) };
}

async function answers(model: EmbeddingModel, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const { vectors } = await model.embed({ values: [PROBE], kind: 'document', signal });
    return vectors.length === 1;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

/** Checks whether the model refuses the probes, and the first and the last text. Another error proves nothing. */
async function refusesAll(
  model: EmbeddingModel,
  values: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // The only text has been refused already.
  const ends = values.length > 1 ? [...values.slice(0, 1), ...values.slice(-1)] : [];
  for (const value of [PROBE, LONG_PROBE, ...ends]) {
    try {
      await model.embed({ values: [value], kind: 'document', signal });
      return false;
    } catch (error) {
      signal?.throwIfAborted();
      if (!LLMError.isInstance(error) || !REFUSALS.has(error.code)) return false;
    }
  }
  return true;
}
