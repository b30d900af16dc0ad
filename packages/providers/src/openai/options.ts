import { assertHttpAddress, checkOptions, SERVER_OPTIONS } from '../adapter-kit/check-options.ts';
import { secretsIn } from '../adapter-kit/explain.ts';
import { addressOf } from '../adapter-kit/http-failure.ts';
import type { CallIdentity } from '../adapter-kit/identity.ts';
import type { Fetch } from '../adapter-kit/unlimited-fetch.ts';
import { ANYTHING, ARRAY, FLAG, type Kinds, OBJECT, oneOf, optional } from '../input/kinds.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ModelCapabilities } from '../models/chat-model.ts';
import { LLMError } from '../models/llm-error.ts';
import {
  openAIProfiles,
  profileAt,
  type OpenAIProfile,
  type OpenAIProfileName,
} from './profiles.ts';

/** The common options of the models of `@vizprompt/providers/openai`. */
export interface OpenAIConnection {
  /** As the server names it, such as `gpt-5-mini` or `qwen3:8b`. */
  readonly model: string;
  /** The key itself. Default: the environment variable of the profile, such as `OPENAI_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * The address of the server, such as `http://localhost:1234/v1`. Default: the address of the profile, or else
   * `OPENAI_BASE_URL`, or else OpenAI's.
   */
  readonly baseURL?: string | undefined;
  /**
   * The kind of server: a name, or a profile of one's own. Default: by the host of `baseURL`,
   * and `compatible` for a host that is not known.
   */
  readonly profile?: OpenAIProfileName | OpenAIProfile | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch | undefined;
}

/** Options of `openai`. */
export interface OpenAIOptions extends OpenAIConnection {
  /**
   * The protocol: Chat Completions, or the Responses API. Default: Responses for models of OpenAI that have no other
   * (`-pro`, `codex`, deep research, computer use) and for its reasoning models with tools, on OpenAI's own host only; and
   * for what a server says to be in v1/responses only. Chat Completions everywhere else.
   */
  readonly api?: 'chat' | 'responses' | undefined;
  /** The capabilities of the model, where you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
}

/** Options of `openaiResponses`. */
export interface OpenAIResponsesOptions extends OpenAIConnection {
  /** The capabilities of the model, where you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
  /**
   * True if the server keeps responses, so that `providerOptions.openai.previous_response_id` can continue one. Without it
   * reasoning comes encrypted, and goes back with the history. Default: `false`.
   */
  readonly store?: boolean | undefined;
  /**
   * Tools that the server runs, as the API writes them: `{ type: 'web_search' }`. Their calls and results are parts of the
   * answer, marked `providerExecuted` in `meta.openai`. Default: none; `providerOptions.openai.tools` adds more to a request.
   */
  readonly serverTools?: readonly JsonObject[] | undefined;
}

/** The kinds of the common options. */
export const CONNECTION: Kinds<OpenAIConnection> = { ...SERVER_OPTIONS, profile: ANYTHING };

const CHAT_OPTIONS: Kinds<OpenAIOptions> = {
  ...CONNECTION,
  api: optional(oneOf('chat', 'responses')),
  capabilities: optional(OBJECT),
};

const RESPONSES_OPTIONS: Kinds<OpenAIResponsesOptions> = {
  ...CONNECTION,
  capabilities: optional(OBJECT),
  store: optional(FLAG),
  serverTools: optional(ARRAY),
};

/** Checks the options of `openai`. */
export function checkChatOptions(options: OpenAIOptions): OpenAIOptions {
  return checkOptions('openai', options, CHAT_OPTIONS);
}

/** Checks the options of `openaiResponses`. */
export function checkResponsesOptions(options: OpenAIResponsesOptions): OpenAIResponsesOptions {
  return checkOptions('openaiResponses', options, RESPONSES_OPTIONS);
}

/** A connection with all its defaults. */
export interface ResolvedConnection {
  readonly baseURL: string;
  readonly profile: OpenAIProfile;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: CallIdentity;
}

/**
 * Fills in what the options leave open.
 *
 * @throws LLMError with the code `invalid_request` for a profile that does not exist, or no address.
 */
export function resolveConnection(options: OpenAIConnection): ResolvedConnection {
  const { env } = process;
  const named = profileOf(options.profile);
  const given = options.baseURL ?? named?.baseURL;
  const isFromEnvironment = given === undefined && named === undefined;
  const written = given ?? (isFromEnvironment ? env['OPENAI_BASE_URL']?.trim() || OPENAI_URL : '');
  const baseURL = written.trim();
  if (baseURL === '') {
    const whose = named ? `the profile '${named.name}'` : 'the model';
    throw new LLMError('invalid_request', `${whose} has no address: pass baseURL`);
  }
  assertHttpAddress(baseURL, options.fetch);
  const profile = named ?? profileAt(baseURL);
  const keyName = profile.keyName ?? (isFromEnvironment ? 'OPENAI_API_KEY' : undefined);
  const apiKey = options.apiKey || (keyName === undefined ? undefined : env[keyName]) || undefined;
  return {
    baseURL,
    profile,
    apiKey,
    headers: options.headers ?? {},
    identity: {
      provider: profile.name,
      modelId: options.model,
      address: addressOf(baseURL),
      keyName: profile.keyName,
      secrets: [apiKey ?? '', ...secretsIn(options.headers)],
    },
  };
}

const OPENAI_URL = 'https://api.openai.com/v1';

function profileOf(profile: OpenAIConnection['profile']): OpenAIProfile | undefined {
  if (typeof profile !== 'string') return profile;
  if (Object.hasOwn(openAIProfiles, profile)) return openAIProfiles[profile];
  const names = Object.keys(openAIProfiles).join(', ');
  throw new LLMError(
    'invalid_request',
    `there is no profile '${profile as string}'; there are: ${names}`,
  );
}

/** Returns the key to call with; servers that need none get a word, because the SDK insists on one. */
export function keyFor({ profile, apiKey }: ResolvedConnection): string {
  if (apiKey !== undefined) return apiKey;
  if (profile.keyName === undefined) return 'none';
  throw new LLMError('auth', `there is no key: set ${profile.keyName} or pass apiKey`);
}
