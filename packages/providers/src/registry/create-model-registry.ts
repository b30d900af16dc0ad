import { omitUndefined } from '../json/fields.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ModelRegistry, ProviderSettings } from '../models/model-registry.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { aiSdkEmbeddings, aiSdkModel } from '../ai-sdk/named-model.ts';
import { anthropic } from '../anthropic/anthropic.ts';
import { gemini } from '../gemini/gemini.ts';
import { geminiEmbeddings } from '../gemini/gemini-embeddings.ts';
import { ollama } from '../ollama/ollama.ts';
import { ollamaEmbeddings } from '../ollama/ollama-embeddings.ts';
import { openai } from '../openai/openai.ts';
import { openaiEmbeddings } from '../openai/openai-embeddings.ts';
import { openAIProfiles, type OpenAIProfileName } from '../openai/profiles.ts';
import { checkOptions, checkArgument } from '../adapter-kit/check-options.ts';
import { OBJECT, optional, type Kinds } from '../input/kinds.ts';

/** The parts that a provider needs to make a model. */
export interface ModelChoice extends ProviderSettings {
  readonly model: string;
}

/** A provider of one's own; the functions `openai`, `anthropic`, `gemini` and `ollama` are such, too. */
interface RegistryProvider {
  readonly model?: (choice: ModelChoice) => ChatModel;
  readonly embeddings?: (choice: ModelChoice) => EmbeddingModel;
}

/** Settings of a provider. */
export interface RegistrySettings extends ProviderSettings {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The kind of a new name's server. Default: `compatible`. */
  readonly profile?: OpenAIProfileName | undefined;
}

/** The entry of a provider: its settings, a function that makes its models, or more functions. */
type RegistryEntry = RegistrySettings | RegistryProvider | ((choice: ModelChoice) => ChatModel);

/** Options of {@link createModelRegistry}. */
export interface ModelRegistryOptions {
  /** Short names for `provider:model`. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

const KINDS: Kinds<ModelRegistryOptions> = {
  aliases: optional(OBJECT),
};

/**
 * Makes models by name. `openai`, `anthropic`, `gemini`, `ollama` and the servers of `openAIProfiles` (`openrouter`,
 * `groq`, `lmstudio`, ...) are known by themselves, and so is any provider of the AI SDK by its package
 * (`ai-sdk:@ai-sdk/mistral:mistral-large-latest`). Settings under another name are those of a server that speaks OpenAI's
 * protocol.
 * An SDK is loaded when a model of it is first called.
 *
 * @param providers - By name: settings such as `{ apiKey }`, an adapter, or a provider of one's own.
 *
 * @example
 * ```ts
 * const registry = createModelRegistry(
 *   { ollama: { baseURL: 'http://gpu:11434' }, house: { baseURL: 'https://llm.example.com/v1' } },
 *   { aliases: { fast: 'openai:gpt-5-mini' } },
 * );
 * registry.model('ollama:qwen3:8b');
 * registry.model('anthropic:claude-sonnet-5-5');
 * registry.embeddings('openai:text-embedding-3-small');
 * registry.model('fast');
 * ```
 */
export function createModelRegistry(
  providers: Readonly<Record<string, RegistryEntry>> = {},
  options: ModelRegistryOptions = {},
): ModelRegistry {
  checkArgument('the providers of createModelRegistry', providers, OBJECT);
  checkOptions('createModelRegistry', options, KINDS);
  const { aliases = {} } = options;
  const known = new Map<string, RegistryProvider>(Object.entries(builtIn()));
  for (const [name, entry] of Object.entries(providers)) {
    known.set(name, providerOf(entry, known.get(name) ?? compatible(name, entry)));
  }

  const find = (name: string): { provider: RegistryProvider; model: string; id: string } => {
    const full = aliases[name] ?? name;
    const [, id = '', model = ''] = /^([^:]+):(.+)$/s.exec(full) ?? [];
    const provider = known.get(id);
    if (provider && model !== '') return { provider, model, id };
    throw notFound(full, id, [...known.keys()], Object.keys(aliases));
  };
  return {
    specVersion: 1,
    model(name, settings = {}) {
      const { provider, model, id } = find(name);
      if (provider.model) return provider.model({ ...settings, model });
      throw new LLMError('unsupported', `the provider '${id}' has no chat models`);
    },
    embeddings(name, settings = {}) {
      const { provider, model, id } = find(name);
      if (provider.embeddings) return provider.embeddings({ ...settings, model });
      throw new LLMError('unsupported', `the provider '${id}' has no embedding models`);
    },
    async listModels(id, settings = {}) {
      const provider = known.get(id);
      if (!provider) throw notFound(`${id}:`, id, [...known.keys()], Object.keys(aliases));
      const model = provider.model?.({ ...settings, model: ANY_MODEL });
      if (model?.listModels) return model.listModels();
      throw new LLMError('unsupported', `the provider '${id}' has no list of models`);
    },
  };
}

/** Replaces the name of a model where only its server is asked. */
const ANY_MODEL = 'any';

function builtIn(): Record<string, RegistryProvider> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the type
  const profiles = Object.keys(openAIProfiles) as OpenAIProfileName[];
  const servers = profiles.map((profile): [string, RegistryProvider] => [
    profile,
    {
      model: (choice) => openai({ ...choice, profile }),
      embeddings: (choice) => openaiEmbeddings({ ...choice, profile }),
    },
  ]);
  return {
    ...Object.fromEntries(servers),
    openai: { model: openai, embeddings: openaiEmbeddings },
    anthropic: { model: anthropic },
    'ai-sdk': { model: aiSdkModel, embeddings: aiSdkEmbeddings },
    gemini: { model: gemini, embeddings: geminiEmbeddings },
    ollama: { model: ollama, embeddings: ollamaEmbeddings },
  };
}

/** Settings under a new name are those of a server that speaks OpenAI's protocol. */
function compatible(name: string, entry: RegistryEntry): RegistryProvider {
  const like = typeof entry === 'object' && 'profile' in entry ? entry.profile : undefined;
  // Its address and key are its own: those of another server must not be in for them.
  const { baseURL: _url, keyName: _key, ...known } = openAIProfiles[like ?? 'compatible'];
  const profile = { ...known, name };
  return {
    model: (choice) => openai({ ...choice, profile }),
    embeddings: (choice) => openaiEmbeddings({ ...choice, profile }),
  };
}

function providerOf(entry: RegistryEntry, known: RegistryProvider): RegistryProvider {
  if (typeof entry === 'function') {
    // Only an adapter of this package brings its embeddings along.
    const own = Object.values(builtIn()).find(({ model }) => model === entry);
    return own ?? { model: entry };
  }
  if (isProvider(entry)) return entry;
  const { model, embeddings } = known;
  return {
    ...(model && { model: (choice) => model(over(entry, choice)) }),
    ...(embeddings && { embeddings: (choice) => embeddings(over(entry, choice)) }),
  };
}

/**
 * Settings that a call leaves `undefined` keep their value. A call to another address gets no key and no headers:
 * the address may come from a file that another user wrote.
 */
function over(settings: RegistrySettings, choice: ModelChoice): ModelChoice {
  const given = Object.entries(choice).filter(([, value]) => value !== undefined);
  const { profile: _, apiKey, headers, ...own } = settings;
  const { baseURL = settings.baseURL } = choice;
  const secrets = baseURL === settings.baseURL ? omitUndefined({ apiKey, headers }) : {};
  return { ...own, ...secrets, ...Object.fromEntries(given), model: choice.model };
}

function isProvider(entry: Exclude<RegistryEntry, Function>): entry is RegistryProvider {
  return 'model' in entry || 'embeddings' in entry;
}

function notFound(
  name: string,
  id: string,
  providers: readonly string[],
  aliases: readonly string[],
): LLMError {
  const short = aliases.length > 0 ? `; aliases: ${aliases.join(', ')}` : '';
  const known = `providers: ${providers.toSorted().join(', ')}${short}`;
  const message =
    id === ''
      ? `'${name}' names no model: write provider:model, such as 'ollama:qwen3:8b' (${known})`
      : `there is no provider '${id}' (${known})`;
  return new LLMError('not_found', message, { context: { name, providers, aliases } });
}
