import path from 'node:path';
import { messageOf } from '../errors.ts';
import { fieldsOf, isRecord, listOf, stringOf, type Fields } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';
import { readPlainFile } from '../files/plain-file.ts';

/** The location of the files of a model, and its settings. */
export interface ModelFolder {
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
export function readModelFolder(folder: string): ModelFolder {
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
