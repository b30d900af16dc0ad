import path from 'node:path';
import { defineEmbeddings } from '../adapter-kit/embed-batches.ts';
import { localFailure } from '../adapter-kit/explain.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { openStaticModel, type StaticModel } from './static-model.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { FLAG, NONEMPTY, POSITIVE, TEXT, optional, type Kinds } from '../input/kinds.ts';

/** Options of {@link staticEmbeddings}. */
export interface StaticEmbeddingsOptions {
  /** The folder of the model: `model.safetensors`, `tokenizer.json`, and `config.json` or `modules.json`. */
  readonly folder: string;
  /** The name of the model, for indexes that remember it. Default: the name of the folder. */
  readonly model?: string | undefined;
  /**
   * Shortens the vectors to their first numbers and normalizes them, for models that were trained for that (Matryoshka).
   * Default: the length of the model.
   */
  readonly dimensions?: number | undefined;
  /** Tokens after which a text is cut. Default: the model's; 512 for Model2Vec. */
  readonly maxTokens?: number | undefined;
  /** True if vectors are scaled to the length 1. Default: the setting in the files of the model. */
  readonly normalize?: boolean | undefined;
  /** Maximum number of texts to embed before timers and sockets get their turn. Default: 64. */
  readonly maxBatch?: number | undefined;
}

const KINDS: Kinds<StaticEmbeddingsOptions> = {
  folder: NONEMPTY,
  model: optional(TEXT),
  dimensions: optional(POSITIVE),
  maxTokens: optional(POSITIVE),
  normalize: optional(FLAG),
  maxBatch: optional(POSITIVE),
};

/**
 * Creates embeddings from a table of vectors in a folder, in this process and without native code: a model of Model2Vec, or a
 * `StaticEmbedding` of sentence-transformers. A vector is the mean of those of the tokens. The folder is read with the first
 * call. Texts without a token that the model knows get the vector of its unknown token, or else one that is the same for all
 * of them: stores refuse vectors of zeros.
 *
 * Needs `npm install @huggingface/tokenizers`.
 *
 * @example
 * ```ts
 * const embeddings = staticEmbeddings({ folder: './models/static-embedding-japanese', dimensions: 256 });
 * const { vectors } = await embeddings.embed({ values: ['猫', '犬'] });
 * ```
 */
export function staticEmbeddings(options: StaticEmbeddingsOptions): EmbeddingModel {
  checkOptions('staticEmbeddings', options, KINDS);
  const { folder, dimensions, maxBatch = 64 } = options;
  const { model = path.basename(path.resolve(folder)) } = options;
  let opening: Promise<StaticModel> | undefined;
  const open = async (): Promise<StaticModel> => {
    opening ??= openStaticModel(folder, options);
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw localFailure(error, `cannot open the model in '${folder}'`);
    }
  };
  return defineEmbeddings({
    identity: { provider: 'static', modelId: model, address: '', secrets: [] },
    readFailure: () => undefined,
    maxBatch,
    dimensions,
    async embedBatch(values) {
      const { embed } = await open();
      await new Promise((resolve) => setImmediate(resolve));
      let inputTokens = 0;
      const vectors = values.map((value) => {
        const { vector, tokens } = embed(value);
        inputTokens += tokens;
        return vector;
      });
      return { vectors, inputTokens };
    },
  });
}
