import { isBuiltin } from 'node:module';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import { type Kinds, NONEMPTY, optional, TEXT } from '../input/kinds.ts';
import { isRecord } from '../json/fields.ts';
import type { ChatModel } from '../models/chat-model.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ProviderSettings } from '../models/model-registry.ts';
import { toPeerError } from '../peer.ts';
import { embeddingDefinition, embedWith } from './embeddings.ts';
import { callAiSdk } from './from-ai-sdk.ts';
import { echoFetch, readAiSdkFailure } from './read-failure.ts';
import type { AiSdkEmbeddingModel, AiSdkLanguageModel } from './spec.ts';

/** A model of a package of the AI SDK, and what its provider is created with. */
export interface AiSdkChoice extends ProviderSettings {
  /** `package:model`, such as `@ai-sdk/mistral:mistral-large-latest`. */
  readonly model: string;
}

const CHOICE: Kinds<AiSdkChoice> = {
  model: NONEMPTY,
  apiKey: optional(TEXT),
  baseURL: optional(TEXT),
};

/**
 * Returns a model of any provider of the AI SDK by the name of its package, which is loaded with the first call. It must be
 * installed where this package is. Without `apiKey` and `baseURL` the provider reads its own variables.
 *
 * @throws LLMError with the code `not_found` for an invalid name; when it answers, `unsupported` for a package that is
 *   not installed (with the command to install it) or is not a provider.
 *
 * @example
 * ```ts
 * const model = aiSdkModel({ model: '@ai-sdk/mistral:mistral-large-latest' });
 * ```
 */
export function aiSdkModel(choice: AiSdkChoice): ChatModel {
  const { model, ...settings } = checkOptions('aiSdkModel', choice, CHOICE);
  const named = readNamedPackage(model);
  const load = once(() => loadLanguageModel(named, settings));
  return defineModel({
    identity: identityOf(model, settings),
    capabilities: {},
    fetch: echoFetch,
    readFailure: readAiSdkFailure,
    prepare: load,
    async *call(request, wire) {
      yield* callAiSdk(await load(), request, wire);
    },
  });
}

/**
 * Returns an embedding model of any provider of the AI SDK by the name of its package, as {@link aiSdkModel} does.
 *
 * @throws LLMError as {@link aiSdkModel} does.
 */
export function aiSdkEmbeddings(choice: AiSdkChoice): EmbeddingModel {
  const { model, ...settings } = checkOptions('aiSdkEmbeddings', choice, CHOICE);
  const named = readNamedPackage(model);
  const load = once(() => loadEmbeddingModel(named, settings));
  return embedWith(load, embeddingDefinition(identityOf(model, settings)), {});
}

function identityOf(model: string, { apiKey }: ProviderSettings) {
  return { provider: 'ai-sdk', modelId: model, address: '', secrets: [apiKey ?? ''] };
}

/** Caches a successful load and retries a failed one: the package may be installed by then. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}

/** A package of the AI SDK and a model of it. */
interface NamedPackage {
  /** As npm knows it, such as `@ai-sdk/mistral`. */
  readonly name: string;
  readonly model: string;
}

/** Names of packages (https://docs.npmjs.com/cli/configuring-npm/package-json#name), and no paths or addresses; modules of Node are none. */
const PACKAGE = /^(?:@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~-][a-z\d._~-]*$/;

/**
 * Reads `package:model`, such as `@ai-sdk/mistral:mistral-large-latest`.
 *
 * @throws LLMError with the code `not_found` if it is none.
 */
function readNamedPackage(text: string): NamedPackage {
  const [, name = '', model = ''] = /^([^:]*):(.+)$/s.exec(text) ?? [];
  if (PACKAGE.test(name) && !isBuiltin(name)) return { name, model };
  const message =
    `'ai-sdk:${text}' names no model of a package: write ai-sdk:PACKAGE:MODEL, ` +
    "such as 'ai-sdk:@ai-sdk/mistral:mistral-large-latest'";
  throw new LLMError('not_found', message, { context: { name: text } });
}

/** Loads a package by a name that is known only now. Paths and addresses are not names of packages. */
async function loadPackage(name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    // Bundlers cannot know it: the import stays as it is, and finds what is installed next to the bundle.
    const module: unknown = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name
    );
    return isRecord(module) ? module : {};
  } catch (error) {
    throw toPeerError(error, name);
  }
}

/** A provider of the AI SDK: an object or a function with methods that create models. */
type Provider = Readonly<Record<string, unknown>> | ((...args: readonly never[]) => unknown);

/**
 * Loads a package and creates a model.
 *
 * @throws PeerError if it is not installed; LLMError with the code `unsupported` if it is not a provider of the AI SDK, or of
 *   an older generation.
 */
async function loadLanguageModel(
  { name, model }: NamedPackage,
  settings: ProviderSettings,
): Promise<AiSdkLanguageModel> {
  const provider = providerIn(await loadPackage(name), name, settings);
  const made = create(provider, ['languageModel', 'chatModel', 'chat'], model);
  if (isLanguageModel(made)) return made;
  throw notUsable(name, 'doStream', made);
}

/** Returns the same for an embedding model. */
async function loadEmbeddingModel(
  { name, model }: NamedPackage,
  settings: ProviderSettings,
): Promise<AiSdkEmbeddingModel> {
  const provider = providerIn(await loadPackage(name), name, settings);
  const made = create(provider, ['embeddingModel', 'textEmbeddingModel', 'embedding'], model);
  if (isEmbeddingModel(made)) return made;
  throw notUsable(name, 'doEmbed', made);
}

/** Returns the provider that a package exports, or the one that its `create…` makes of settings. */
function providerIn(
  exported: Readonly<Record<string, unknown>>,
  name: string,
  { apiKey, baseURL }: ProviderSettings,
): Provider {
  const values = Object.entries(exported);
  const hasSettings = apiKey !== undefined || baseURL !== undefined;
  const ready = values.map(([, value]) => value).find((value) => isProvider(value));
  if (ready && !hasSettings) return ready;
  const creators = values.filter(
    ([key, value]) => /^create[A-Z]/.test(key) && typeof value === 'function',
  );
  for (const [, creator] of creators) {
    const settings = { name, ...(apiKey && { apiKey }), ...(baseURL && { baseURL }) };
    const made: unknown =
      typeof creator === 'function' ? Reflect.apply(creator, undefined, [settings]) : undefined;
    if (isProvider(made)) return made;
  }
  const what =
    'it exports no provider: an object with languageModel, or a function such as createMistral';
  throw new LLMError('unsupported', `the package '${name}' is no provider of the AI SDK: ${what}`, {
    context: { package: name },
  });
}

function isProvider(value: unknown): value is Provider {
  if (typeof value !== 'function' && !isRecord(value)) return false;
  return ['languageModel', 'chatModel', 'embeddingModel', 'textEmbeddingModel'].some(
    (method) => typeof Reflect.get(value, method) === 'function',
  );
}

function create(provider: Provider, methods: readonly string[], model: string): unknown {
  const method = methods.find((each) => typeof Reflect.get(provider, each) === 'function');
  const make: unknown = method === undefined ? provider : Reflect.get(provider, method);
  return typeof make === 'function' ? Reflect.apply(make, provider, [model]) : undefined;
}

function isLanguageModel(value: unknown): value is AiSdkLanguageModel {
  return isModel(value, 'doStream');
}

function isEmbeddingModel(value: unknown): value is AiSdkEmbeddingModel {
  return isModel(value, 'doEmbed');
}

function isModel(value: unknown, method: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const version: unknown = Reflect.get(value, 'specificationVersion');
  return (version === 'v3' || version === 'v4') && typeof Reflect.get(value, method) === 'function';
}

function notUsable(name: string, method: string, made: unknown): LLMError {
  const version: unknown = isRecord(made) ? made['specificationVersion'] : undefined;
  const isOld = typeof version === 'string' && version !== 'v3' && version !== 'v4';
  const why = isOld
    ? `it speaks the specification ${version}, and v3 or v4 is needed: npm install ${name}@latest`
    : `its provider makes no model with ${method}`;
  return new LLMError('unsupported', `the package '${name}' cannot be used: ${why}`, {
    context: { package: name },
  });
}
