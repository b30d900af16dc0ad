import { defineEmbeddings } from '../adapter-kit/embed-batches.ts';
import { localFailure } from '../adapter-kit/explain.ts';
import { LLMError } from '../models/llm-error.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { type DownloadProgress, type Engine, loadEngine } from './load-engine.ts';
import { conventionsOf, type EmbeddingPrefixes, type Pooling, poolOutputs } from './pool.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import {
  FLAG,
  FUNCTION,
  NONEMPTY,
  OBJECT,
  POSITIVE,
  TEXT,
  optional,
  type Kinds,
  oneOf,
} from '../input/kinds.ts';

/** Options of {@link transformersEmbeddings}. */
export interface TransformersEmbeddingsOptions {
  /** A name on the Hugging Face Hub that has ONNX files, or a folder (a path that is absolute or begins with `./`). */
  readonly model: string;
  /** The type of the weights: `fp32`, `fp16`, `q8`, `q4` and others, as the model has files. Default: `fp32`. */
  readonly dtype?: string | undefined;
  /** The device that runs the model: `cpu`, `cuda`, `webgpu` and others. Default: as in the package, `cpu` on Node. */
  readonly device?: string | undefined;
  /** The pooling of token vectors. Default: as the model or its name specifies, else `mean`. */
  readonly pooling?: Pooling | undefined;
  /** The prefixes of questions and documents. Default: those of the model if its name is known, else none. */
  readonly prefixes?: EmbeddingPrefixes | undefined;
  /** True if vectors are scaled to the length 1. Default: `true`. */
  readonly normalize?: boolean | undefined;
  /** Shortens the vectors to their first numbers, for models that were trained for that. Default: the model's length. */
  readonly dimensions?: number | undefined;
  /** The folder for downloads. Default: a folder in the package, which each installation empties. */
  readonly cacheFolder?: string | undefined;
  /** A branch, tag or commit on the Hub. Default: `main`. */
  readonly revision?: string | undefined;
  /** True if nothing is downloaded. Default: `false`. */
  readonly offline?: boolean | undefined;
  /** Receives the progress of downloads. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Maximum number of texts that the model reads at once. Default: 16. */
  readonly maxBatch?: number | undefined;
}

const KINDS: Kinds<TransformersEmbeddingsOptions> = {
  model: NONEMPTY,
  dtype: optional(TEXT),
  device: optional(TEXT),
  pooling: optional(oneOf('mean', 'cls', 'last_token')),
  prefixes: optional(OBJECT),
  normalize: optional(FLAG),
  dimensions: optional(POSITIVE),
  cacheFolder: optional(TEXT),
  revision: optional(TEXT),
  offline: optional(FLAG),
  onProgress: optional(FUNCTION),
  maxBatch: optional(POSITIVE),
};

/**
 * Creates embeddings of a transformer model in this process, by ONNX Runtime. The model is loaded, and downloaded if need be,
 * with the first call. Texts that are longer than the model reads are cut, as its tokenizer says.
 *
 * Needs `npm install @huggingface/transformers`, about 470 MB.
 *
 * @example
 * ```ts
 * const embeddings = transformersEmbeddings({
 *   model: 'Xenova/multilingual-e5-small',
 *   dtype: 'q8',
 *   cacheFolder: './models',
 * });
 * const { vectors } = await embeddings.embed({ values: ['猫は寝る'], kind: 'query' });
 * ```
 */
export function transformersEmbeddings(options: TransformersEmbeddingsOptions): EmbeddingModel {
  checkOptions('transformersEmbeddings', options, KINDS);
  const { model, dimensions, normalize = true, maxBatch = 16 } = options;
  const known = conventionsOf(model);
  const { pooling = known.pooling, prefixes = known.prefixes ?? {} } = options;
  let loading: Promise<Engine> | undefined;
  const load = async (): Promise<Engine> => {
    loading ??= loadEngine(options);
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return defineEmbeddings({
    identity: { provider: 'transformers', modelId: model, address: '', secrets: [] },
    readFailure: () => undefined,
    maxBatch,
    dimensions,
    async embedBatch(values, kind) {
      const engine = await load();
      const prefix = (kind === 'query' ? prefixes.query : prefixes.passage) ?? '';
      const { vectors, tokens } = await run(
        engine,
        values.map((value) => prefix + value),
        pooling,
      );
      return {
        vectors: vectors.map((vector) => finished(vector, dimensions, normalize)),
        inputTokens: tokens,
      };
    },
  });
}

async function run(
  engine: Engine,
  texts: readonly string[],
  pooling: Pooling | undefined,
): Promise<{ readonly vectors: readonly Float32Array[]; readonly tokens: number }> {
  try {
    const inputs = engine.tokenizer(texts, { padding: true, truncation: true });
    const { attention_mask: mask } = inputs;
    const vectors = poolOutputs(await engine.model(inputs), mask, pooling);
    let tokens = 0;
    for (const present of mask.data) tokens += Number(present);
    return { vectors, tokens };
  } catch (error) {
    throw localFailure(error, 'the model failed');
  }
}

function finished(
  whole: Float32Array,
  dimensions: number = whole.length,
  normalize: boolean,
): Float32Array {
  if (dimensions > whole.length) {
    const message = `the model has ${whole.length} dimensions, and ${dimensions} were asked for`;
    throw new LLMError('invalid_request', message, { context: { dimensions: whole.length } });
  }
  const vector = whole.slice(0, dimensions);
  if (!normalize) return vector;
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares === 0 ? vector : vector.map((value) => value / Math.sqrt(squares));
}
