import { LLMError } from '../models/llm-error.ts';
import type { NumberTensor } from './load-engine.ts';

/** Names of outputs that have one vector for each token. */
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings', 'logits'];
/** The name of an output that has one vector for each text. */
const TEXT_OUTPUT = 'sentence_embedding';

/**
 * Makes one vector for each text of what a model gave.
 *
 * @param mask - 1 for each token, 0 for what fills up the shorter texts.
 * @param pooling - `undefined`: as the model does it, if it does, else the mean.
 * @throws LLMError with the code `unsupported` for a model that gives no vectors.
 */
export function poolOutputs(
  outputs: Readonly<Record<string, NumberTensor | undefined>>,
  mask: NumberTensor,
  pooling: Pooling | undefined,
): Float32Array[] {
  const pooled = outputs[TEXT_OUTPUT];
  if (pooled && (pooling === undefined || !tokenOutput(outputs))) return rowsOf(pooled);
  const tokens = tokenOutput(outputs);
  if (!tokens) {
    const names = Object.keys(outputs).join(', ');
    const message = `the model gives ${names || 'nothing'}, expected one of ${[TEXT_OUTPUT, ...TOKEN_OUTPUTS].join(', ')}: choose a model for feature extraction`;
    throw new LLMError('unsupported', message);
  }
  if (tokens.dims.length === 2) return rowsOf(tokens);
  const [texts = 0, length = 0, width = 0] = tokens.dims;
  const data = numbersOf(tokens);
  return Array.from({ length: texts }, (_, text) => {
    const at = text * length;
    const present = indexesOf(mask, at, length);
    return meanOf(
      data,
      chosen(present, pooling ?? 'mean').map((token) => (at + token) * width),
      width,
    );
  });
}

function tokenOutput(
  outputs: Readonly<Record<string, NumberTensor | undefined>>,
): NumberTensor | undefined {
  for (const name of TOKEN_OUTPUTS) if (outputs[name]) return outputs[name];
  return undefined;
}

function rowsOf(tensor: NumberTensor): Float32Array[] {
  const [rows = 0, width = 0] = tensor.dims;
  const data = numbersOf(tensor);
  return Array.from({ length: rows }, (_, row) => data.slice(row * width, (row + 1) * width));
}

function numbersOf(tensor: NumberTensor): Float32Array {
  const { data } = tensor.type === 'float32' ? tensor : tensor.to('float32');
  if (data instanceof Float32Array) return data;
  throw new LLMError('unsupported', `the model gives numbers of the type ${tensor.type}`);
}

/** Returns the places of the tokens of a text: tokenizers fill up on either side. */
function indexesOf({ data }: NumberTensor, from: number, length: number): number[] {
  const places: number[] = [];
  for (let at = 0; at < length; at++) if (Number(data[from + at]) !== 0) places.push(at);
  return places;
}

function chosen(present: readonly number[], pooling: Pooling): readonly number[] {
  if (pooling === 'mean') return present;
  return present.slice(...(pooling === 'cls' ? ([0, 1] as const) : ([-1] as const)));
}

function meanOf(data: Float32Array, starts: readonly number[], width: number): Float32Array {
  const sum = new Float64Array(width);
  for (const start of starts) {
    for (let at = 0; at < width; at++) sum[at] = (sum[at] ?? 0) + (data[start + at] ?? 0);
  }
  return Float32Array.from(sum, (value) => value / Math.max(starts.length, 1));
}

/** The method that pools token vectors: their mean, the first token, or the last token. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Prefixes of the texts to embed. */
export interface EmbeddingPrefixes {
  /** Before questions (`kind: 'query'`). Default: nothing. */
  readonly query?: string | undefined;
  /** Before documents (`kind: 'document'`). Default: nothing. */
  readonly passage?: string | undefined;
}

/** The conventions that a family of models was trained with. */
interface Conventions {
  readonly pooling?: Pooling;
  readonly prefixes?: EmbeddingPrefixes;
}

const INSTRUCT_E5 =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/**
 * Families of models by the names that they and their conversions to ONNX have, the more special first.
 *
 * Sources: the model cards, and `1_Pooling/config.json` of each.
 */
const FAMILIES: readonly (readonly [name: RegExp, conventions: Conventions])[] = [
  [/ruri-v3/, { pooling: 'mean', prefixes: { query: '検索クエリ: ', passage: '検索文書: ' } }],
  [/\bruri\b/, { pooling: 'mean', prefixes: { query: 'クエリ: ', passage: '文章: ' } }],
  [/\be5-.*instruct/, { pooling: 'mean', prefixes: { query: INSTRUCT_E5 } }],
  [
    /\be5-(?:small|base|large)|glucose-base-ja-v2/,
    { pooling: 'mean', prefixes: { query: 'query: ', passage: 'passage: ' } },
  ],
  [
    /qwen3-embedding/,
    { pooling: 'last_token', prefixes: { query: INSTRUCT_E5.replace('Query: ', 'Query:') } },
  ],
  [
    /embeddinggemma/,
    {
      pooling: 'mean',
      prefixes: { query: 'task: search result | query: ', passage: 'title: none | text: ' },
    },
  ],
  [
    /nomic-embed/,
    { pooling: 'mean', prefixes: { query: 'search_query: ', passage: 'search_document: ' } },
  ],
  [/arctic-embed-[lm]-v2/, { pooling: 'cls', prefixes: { query: 'query: ' } }],
  [/bge-m3/, { pooling: 'cls' }],
  [
    /\bbge-(?:small|base|large)-en|mxbai-embed|arctic-embed/,
    {
      pooling: 'cls',
      prefixes: { query: 'Represent this sentence for searching relevant passages: ' },
    },
  ],
  [/\bbge-/, { pooling: 'cls' }],
  [/\bgte-(?:multilingual|modernbert)|gte-.*v1\.5/, { pooling: 'cls' }],
];

/** Returns how a model was trained to be used, by its name; nothing for one that is not known. */
export function conventionsOf(model: string): Conventions {
  const name = model.toLowerCase().replaceAll('_', '-');
  return FAMILIES.find(([family]) => family.test(name))?.[1] ?? {};
}
