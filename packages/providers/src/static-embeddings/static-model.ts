import path from 'node:path';
import type * as Tokenizers from '@huggingface/tokenizers';
import { messageOf } from '../errors.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { type Fields, fieldsOf, isRecord, listOf, stringOf } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';
import { toPeerError } from '../peer.ts';
import { readTensors, type Tensor, valueAt, type Values } from './safetensors.ts';

/** A table of vectors, one for each token, and how a text becomes tokens. */
export interface StaticModel {
  /** The length of the vectors. */
  readonly dimensions: number;
  /** Returns the mean of the vectors of the tokens of a text, and the number of tokens. */
  embed(text: string): { readonly vector: Float32Array; readonly tokens: number };
}

/** Options for reading a model. */
export interface StaticModelOptions {
  readonly dimensions?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly normalize?: boolean | undefined;
}

/** Tokens after which Model2Vec cuts a text. */
const MODEL2VEC_TOKENS = 512;
const EMBEDDINGS = 'embeddings';
const EMBEDDING_WEIGHT = 'embedding.weight';

/**
 * Opens a folder with a model of Model2Vec or a `StaticEmbedding` of sentence-transformers.
 *
 * @throws LLMError for files that are missing, corrupt or of another kind; PeerError if `@huggingface/tokenizers` is not
 *   installed.
 */
export async function openStaticModel(
  folder: string,
  options: StaticModelOptions,
): Promise<StaticModel> {
  const { Tokenizer } = await loadHuggingfaceTokenizers();
  const settings = readModelFolder(folder);
  const tokenizer = openTokenizer(Tokenizer, settings);
  const file = path.join(settings.files, 'model.safetensors');
  const tensors = await readTensors(file, [EMBEDDINGS, EMBEDDING_WEIGHT, 'weights', 'mapping']);
  const isModel2Vec = settings.isModel2Vec || tensors.has(EMBEDDINGS);
  const table = readTable(file, tensors, tokenizer, options.dimensions);
  const unknown = unknownToken(settings, tokenizer);
  // Model2Vec leaves tokens out that it does not know; sentence-transformers does not.
  const skipped = isModel2Vec ? unknown : undefined;
  const {
    maxTokens = Math.min(settings.maxTokens, isModel2Vec ? MODEL2VEC_TOKENS : Infinity),
    normalize = settings.isNormalized || options.dimensions !== undefined,
  } = options;
  const { dimensions } = table;
  const sum = new Float64Array(dimensions);
  return {
    dimensions,
    embed(text) {
      const { ids } = tokenizer.encode(text, { add_special_tokens: false });
      sum.fill(0);
      let tokens = 0;
      for (const id of ids) {
        if (tokens >= maxTokens) break;
        if (id !== skipped && table.add(sum, id)) tokens++;
      }
      // A text without a token that the model knows has no direction, and no store takes a vector of zeros.
      if (tokens === 0 && unknown !== undefined) table.add(sum, unknown);
      return { vector: finished(sum, tokens, normalize), tokens };
    },
  };
}

/** Steps that a tokenizer may leave out, and the library may not. */
const NO_STEPS = {
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
};

function openTokenizer(
  Tokenizer: typeof Tokenizers.Tokenizer,
  { files, tokenizer, tokenizerConfig }: ModelFolder,
): Tokenizers.Tokenizer {
  // The library reads the unknown token of whole words from the other file, which static models often lack.
  const { unk_token: unknown } = fieldsOf(tokenizer['model']);
  try {
    return new Tokenizer({ ...NO_STEPS, ...tokenizer }, { unk_token: unknown, ...tokenizerConfig });
  } catch (cause) {
    const file = path.join(files, 'tokenizer.json');
    const message = `cannot read the tokenizer '${file}': ${messageOf(cause)}`;
    throw new LLMError('unsupported', message, { cause, context: { path: file } });
  }
}

/** Returns the token of unknown words of WordPiece, BPE and WordLevel; Unigram has one by number, which no model leaves out. */
function unknownToken(
  { tokenizer: { model } }: ModelFolder,
  tokenizer: Tokenizers.Tokenizer,
): number | undefined {
  const { unk_token: token } = fieldsOf(model);
  return typeof token === 'string' ? tokenizer.token_to_id(token) : undefined;
}

/** Returns the mean, with the length 1 where the model wants it. The sum of nothing points nowhere: it becomes the diagonal. */
function finished(sum: Float64Array, tokens: number, normalize: boolean): Float32Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const vector = new Float32Array(sum.length);
  if (squares === 0) return vector.fill(1 / Math.sqrt(sum.length));
  const divisor = normalize ? Math.sqrt(squares) : Math.max(tokens, 1);
  for (let at = 0; at < sum.length; at++) vector[at] = (sum[at] ?? 0) / divisor;
  return vector;
}

/** The vectors of all tokens. */
interface Table {
  readonly dimensions: number;
  /** Adds the vector of a token; returns `false` for one that has none. */
  add(sum: Float64Array, id: number | undefined): boolean;
}

function readTable(
  file: string,
  tensors: ReadonlyMap<string, Tensor>,
  tokenizer: Tokenizers.Tokenizer,
  dimensions: number | undefined,
): Table {
  const name = tensors.has(EMBEDDINGS) ? EMBEDDINGS : EMBEDDING_WEIGHT;
  const [rows = 0, width = 0, ...rest] = tensors.get(name)?.shape ?? [];
  const matrix = tensors.get(name)?.values;
  if (!matrix || rows === 0 || width === 0 || rest.length > 0) {
    throw misfit(file, name, 'it is no table of vectors');
  }
  if (dimensions !== undefined && dimensions > width) {
    const message = `the model in '${file}' has ${width} dimensions, and ${dimensions} were asked for`;
    throw new LLMError('invalid_request', message, { context: { path: file, dimensions: width } });
  }
  const count = countOf(tokenizer.get_vocab(false));
  const mapping = listFor(file, 'mapping', tensors, count);
  const weights = listFor(file, 'weights', tensors, count);
  const places = placesOf(file, count, rows, mapping);
  return {
    dimensions: dimensions ?? width,
    add: adder(matrix, width, places, weights),
  };
}

function countOf(vocabulary: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const id of vocabulary.values()) count = Math.max(count, id + 1);
  return count;
}

/** Returns a number for each token. */
function listFor(
  file: string,
  name: string,
  tensors: ReadonlyMap<string, Tensor>,
  count: number,
): Float64Array | undefined {
  const tensor = tensors.get(name);
  if (!tensor) return undefined;
  const length = tensor.shape.reduce((a, b) => a * b, 1);
  if (length < count) throw misfit(file, name, `it has ${length} numbers for ${count} tokens`);
  return Float64Array.from({ length }, (_, at) => valueAt(tensor.values, at));
}

/**
 * Returns the row of each token, checked once so that no text can ask for one that is not there. Tokens that were added to the
 * vocabulary (marks for training) may have none.
 */
function placesOf(
  file: string,
  count: number,
  rows: number,
  mapping: Float64Array | undefined,
): Int32Array {
  const length = mapping?.length ?? Math.max(rows, count);
  const places = Int32Array.from({ length }, (_, id) => mapping?.[id] ?? id);
  const wrong = places.findIndex((place) => place < 0 || place >= rows);
  if (wrong < 0) return places;
  const problem = `the tokenizer has the token ${wrong}, which is row ${places[wrong]} of ${rows}`;
  throw misfit(file, mapping ? 'mapping' : EMBEDDINGS, problem);
}

function adder(
  { numbers, lookup }: Values,
  width: number,
  places: Int32Array,
  weights: Float64Array | undefined,
): Table['add'] {
  return (sum, id) => {
    const place = id === undefined ? undefined : places[id];
    if (id === undefined || place === undefined) return false;
    const from = place * width;
    const weight = weights ? (weights[id] ?? 0) : 1;
    if (lookup) {
      for (let at = 0; at < sum.length; at++) {
        sum[at] = (sum[at] ?? 0) + weight * (lookup[numbers[from + at] ?? 0] ?? 0);
      }
    } else {
      for (let at = 0; at < sum.length; at++) {
        sum[at] = (sum[at] ?? 0) + weight * (numbers[from + at] ?? 0);
      }
    }
    return true;
  };
}

function misfit(file: string, tensor: string, problem: string): LLMError {
  const message = `the tensor '${tensor}' of '${file}' does not fit the tokenizer: ${problem}`;
  return new LLMError('bad_response', message, { context: { path: file, tensor } });
}

/** @throws PeerError if @huggingface/tokenizers is not installed. */
async function loadHuggingfaceTokenizers(): Promise<typeof Tokenizers> {
  try {
    return await import('@huggingface/tokenizers');
  } catch (error) {
    throw toPeerError(error, '@huggingface/tokenizers');
  }
}

/** The location of the files of a model, and its settings. */
interface ModelFolder {
  /** The folder of `model.safetensors` and `tokenizer.json`. */
  readonly files: string;
  readonly isNormalized: boolean;
  /** Its settings are those of Model2Vec. */
  readonly isModel2Vec: boolean;
  /** The tokens after which the tokenizer cuts a text; `Infinity` if it does not. */
  readonly maxTokens: number;
  readonly tokenizer: Fields;
  readonly tokenizerConfig: Fields;
}

/** The largest tokenizers, with half a million tokens, have a tenth of it. */
const MAX_JSON_BYTES = 268_435_456;

/** The folder of the files where `modules.json` is missing, as Model2Vec looks for it. */
const STATIC_FOLDER = '0_StaticEmbedding';

/**
 * Reads the settings of a folder with a static model, in the form of Model2Vec (`config.json`) or of sentence-transformers
 * (`modules.json`, with the files at its root or in a folder such as `0_StaticEmbedding`).
 *
 * @throws LLMError with the code `not_found`, `bad_response` or `unsupported`, which names the file.
 */
function readModelFolder(folder: string): ModelFolder {
  const modules = readJson(path.join(folder, 'modules.json'));
  const config = fieldsOf(readJson(path.join(folder, 'config.json')));
  const { files, isNormalized } =
    modules === undefined ? { files: folder, isNormalized: false } : readModules(folder, modules);
  const places = modules === undefined ? [files, path.join(folder, STATIC_FOLDER)] : [files];
  const { place, tokenizer } = readTokenizer(places);
  const cut = fieldsOf(tokenizer['truncation'])['max_length'];
  return {
    files: place,
    isNormalized: isNormalized || config['normalize'] === true,
    isModel2Vec: config['model_type'] === 'model2vec',
    maxTokens: typeof cut === 'number' && cut > 0 ? cut : Infinity,
    tokenizer,
    tokenizerConfig: fieldsOf(readJson(path.join(place, 'tokenizer_config.json'))),
  };
}

/** Returns the first of some folders that has a tokenizer, and the tokenizer. */
function readTokenizer(places: readonly string[]): {
  readonly place: string;
  readonly tokenizer: Fields;
} {
  for (const place of places) {
    const file = path.join(place, 'tokenizer.json');
    const tokenizer = readJson(file);
    if (tokenizer === undefined) continue;
    if (isRecord(tokenizer) && isRecord(tokenizer['model'])) {
      checkKind(file, tokenizer['model']);
      return { place, tokenizer };
    }
    const message = `'${file}' is no tokenizer of Hugging Face: it has no 'model'`;
    throw new LLMError('bad_response', message, { context: { path: file } });
  }
  const file = path.join(places[0] ?? '', 'tokenizer.json');
  const message = `there is no file '${file}': download the whole folder of the model`;
  throw new LLMError('not_found', message, { context: { path: file } });
}

/** The kinds of tokenizers; files of the first versions do not name theirs. */
const KINDS: readonly unknown[] = ['WordPiece', 'WordLevel', 'BPE', 'Unigram', undefined];

function checkKind(file: string, { type }: Fields): void {
  if (KINDS.includes(type)) return;
  const message = `'${file}' is a tokenizer of the kind ${JSON.stringify(type)}, expected WordPiece, WordLevel, BPE or Unigram`;
  throw new LLMError('unsupported', message, { context: { path: file } });
}

/** Returns the modules of sentence-transformers: one static embedding, and perhaps a normalisation. */
function readModules(
  folder: string,
  modules: unknown,
): Pick<ModelFolder, 'files' | 'isNormalized'> {
  let files: string | undefined;
  let isNormalized = false;
  for (const module of listOf(modules)) {
    const { type, path: place } = fieldsOf(module);
    // The class; the path of its module has changed between versions.
    const name = stringOf(type)?.split('.').at(-1);
    if (name === 'StaticEmbedding' && files === undefined) {
      files = within(folder, stringOf(place) ?? '');
    } else if (name === 'Normalize') isNormalized = true;
    else throw unsupportedModule(folder, stringOf(type));
  }
  if (files === undefined) throw unsupportedModule(folder, undefined);
  return { files, isNormalized };
}

function unsupportedModule(folder: string, type: string | undefined): LLMError {
  const found = type === undefined ? 'no StaticEmbedding' : `the module '${type}'`;
  return new LLMError(
    'unsupported',
    `'${path.join(folder, 'modules.json')}' has ${found}, expected StaticEmbedding and Normalize: use transformersEmbeddings for models with layers`,
    { context: { folder } },
  );
}

function within(folder: string, place: string): string {
  const inner = path.resolve(folder, place);
  const relative = path.relative(path.resolve(folder), inner);
  if (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)) {
    return inner;
  }
  throw new LLMError(
    'bad_response',
    `the path '${place}' in modules.json leads out of '${folder}'`,
    {
      context: { folder },
    },
  );
}

/** @returns `undefined` if there is no such file. */
function readJson(file: string): unknown {
  const bytes = readPlainFile(file, { maxBytes: MAX_JSON_BYTES });
  if (!bytes) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const message = `'${file}' is not JSON: ${messageOf(cause)}; download it again`;
    throw new LLMError('bad_response', message, { cause, context: { path: file } });
  }
}
