import path from 'node:path';
import type * as Transformers from '@huggingface/transformers';
import { localFailure } from '../adapter-kit/explain.ts';
import { networkFailure } from '../adapter-kit/network-failure.ts';
import { Mutex } from '../concurrency/mutex.ts';
import { messageOf } from '../errors.ts';
import { fieldsOf, numberOf, omitUndefined, stringOf } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';
import { PeerError, toPeerError } from '../peer.ts';

/** The progress of the download of a file. */
export interface DownloadProgress {
  /** The file within the model, such as `onnx/model.onnx`. */
  readonly file: string;
  /** Bytes that have arrived. */
  readonly loaded: number;
  /** Bytes of the whole file; absent where the server does not say. */
  readonly total?: number;
}

/** Options for finding and loading a model. */
export interface LoadOptions {
  readonly model: string;
  readonly dtype?: string | undefined;
  readonly device?: string | undefined;
  readonly revision?: string | undefined;
  readonly cacheFolder?: string | undefined;
  readonly offline?: boolean | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/**
 * Loads a model from a folder, the cache or the Hugging Face Hub.
 *
 * @throws LLMError that says what is missing; PeerError if `@huggingface/transformers` is not installed.
 */
export async function loadEngine(options: LoadOptions): Promise<Engine> {
  const { model, offline = false } = options;
  const isFolder = isFolderName(model);
  try {
    const transformers = await loadHuggingfaceTransformers();
    const local = offline || isFolder;
    const engine = await LOADING.run(() =>
      withSettings(transformers.env, local, options.cacheFolder, () =>
        transformers.pipeline(
          'feature-extraction',
          isFolder ? path.resolve(model) : model,
          settingsOf(options, local),
        ),
      ),
    );
    if (isEngine(engine)) return engine;
    throw new LLMError('unsupported', `'${model}' has no tokenizer and no model for texts`);
  } catch (error) {
    throw loadFailure(error, model, offline && !isFolder);
  }
}

function settingsOf(
  { dtype, device, revision, cacheFolder, onProgress }: LoadOptions,
  isLocal: boolean,
): Readonly<Record<string, unknown>> {
  return omitUndefined({
    dtype,
    device,
    revision,
    cache_dir: cacheFolder,
    local_files_only: isLocal,
    progress_callback: onProgress && ((event: unknown) => report(event, onProgress)),
  });
}

/** Models are loaded one after the other, since some settings are those of the process. */
const LOADING = new Mutex();

/**
 * Version 4.3 looks for the files of tokenizers without the options of the call: in the cache of the process, and on the
 * network also where that is forbidden.
 */
async function withSettings<T>(
  env: (typeof Transformers)['env'],
  isLocal: boolean,
  cacheFolder: string | undefined,
  load: () => Promise<T>,
): Promise<T> {
  const { cacheDir, allowRemoteModels } = env;
  env.cacheDir = cacheFolder ?? cacheDir;
  env.allowRemoteModels = allowRemoteModels && !isLocal;
  try {
    return await load();
  } finally {
    env.cacheDir = cacheDir;
    env.allowRemoteModels = allowRemoteModels;
  }
}

/** Names on the Hub are `owner/name`; a folder begins like a path. */
function isFolderName(model: string): boolean {
  return path.isAbsolute(model) || /^\.{1,2}(?:[\\/]|$)/.test(model);
}

function report(event: unknown, onProgress: (progress: DownloadProgress) => void): void {
  const { status, file, loaded, total } = fieldsOf(event);
  if (status !== 'progress') return;
  const bytes = numberOf(total);
  onProgress({
    file: stringOf(file) ?? '',
    loaded: numberOf(loaded) ?? 0,
    ...(bytes === undefined ? {} : { total: bytes }),
  });
}

/** Messages of `@huggingface/transformers` for files that it does not find or may not read. */
const NOT_HERE = /not found locally|could not locate file|no such file|ENOENT/i;
const NOT_ALLOWED = /unauthorized access|forbidden access/i;
const NO_NETWORK = /fetch failed|network|ENOTFOUND|ECONN|ETIMEDOUT|socket/i;

function loadFailure(error: unknown, model: string, isOffline: boolean): LLMError | PeerError {
  if (PeerError.isInstance(error)) return error;
  const said = messageOf(error);
  const details = { cause: error, context: { model } };
  if (NOT_HERE.test(said)) {
    const hint = isOffline ? 'load it once without `offline`' : 'check its name and `dtype`';
    return new LLMError('not_found', `a file of the model is missing: ${said}; ${hint}`, details);
  }
  if (NOT_ALLOWED.test(said)) {
    const hint = 'the model does not exist, or needs a token: set HF_TOKEN';
    return new LLMError('auth', `cannot download the model: ${said}; ${hint}`, details);
  }
  if (NO_NETWORK.test(said)) return networkFailure(error);
  return localFailure(error, `cannot load the model '${model}'`);
}

/** @throws PeerError if @huggingface/transformers is not installed. */
async function loadHuggingfaceTransformers(): Promise<typeof Transformers> {
  try {
    return await import('@huggingface/transformers');
  } catch (error) {
    throw toPeerError(error, '@huggingface/transformers');
  }
}

/** Numbers of a model, with their shape. */
export interface NumberTensor {
  readonly type: string;
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
  to(type: 'float32'): NumberTensor;
}

/** A loaded model of `@huggingface/transformers`, by its two halves. */
export interface Engine {
  tokenizer(
    texts: readonly string[],
    options: { readonly padding: boolean; readonly truncation: boolean },
  ): { readonly attention_mask: NumberTensor };
  model(inputs: object): Promise<Readonly<Record<string, NumberTensor | undefined>>>;
}

/** Checks whether a loaded pipeline has the two halves. */
function isEngine(value: unknown): value is Engine {
  return (
    typeof value === 'function' &&
    'tokenizer' in value &&
    typeof value.tokenizer === 'function' &&
    'model' in value &&
    typeof value.model === 'function'
  );
}
