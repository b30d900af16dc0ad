import type * as AnthropicModule from '@anthropic-ai/sdk';
import type { Anthropic } from '@anthropic-ai/sdk';
import { assertHttpAddress } from '../adapter-kit/check-options.ts';
import { secretsIn } from '../adapter-kit/explain.ts';
import { addressOf } from '../adapter-kit/http-failure.ts';
import type { CallIdentity } from '../adapter-kit/identity.ts';
import { baseAddress, type Fetch } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import { toPeerError } from '../peer.ts';
import type { ModelTraits } from './model-traits.ts';

/** Options that all models of `@vizprompt/providers/anthropic` share. */
export interface AnthropicConnection {
  /** Such as `claude-sonnet-5-5`. */
  readonly model: string;
  /**
   * The key itself. Default: `ANTHROPIC_API_KEY`, or else `ANTHROPIC_AUTH_TOKEN`, for Anthropic's own server and for the
   * one that `ANTHROPIC_BASE_URL` names; none for any other.
   */
  readonly apiKey?: string | undefined;
  /** The address of the server, with or without `/v1`. Default: `ANTHROPIC_BASE_URL`, or else Anthropic's. */
  readonly baseURL?: string | undefined;
  /** Names of beta features, for the header `anthropic-beta`. Default: none. */
  readonly betas?: readonly string[] | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch | undefined;
}

/** A connection with all its defaults. */
export interface ResolvedAnthropic {
  readonly baseURL: string;
  /** True for Anthropic's own server. */
  readonly isOwn: boolean;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly betas: readonly string[];
  readonly hasKey: boolean;
  readonly identity: CallIdentity;
}

/** The server of Anthropic. */
export const ANTHROPIC_URL = 'https://api.anthropic.com';

/** Fills in what the options leave open. Keys of the environment are for the servers of the environment only. */
export function resolveAnthropic(options: AnthropicConnection): ResolvedAnthropic {
  const { env } = process;
  const { headers = {}, betas = [], model } = options;
  const own = options.baseURL?.trim() || undefined;
  const given = own ?? (env['ANTHROPIC_BASE_URL']?.trim() || ANTHROPIC_URL);
  assertHttpAddress(given, options.fetch);
  const baseURL = given.replace(/\/+(?=\?|$)/, '').replace(/\/v1(?=\?|$)/, '');
  const isOwn = isAnthropic(baseURL);
  const mayUseEnv = isOwn || own === undefined;
  const key = options.apiKey || (mayUseEnv ? env['ANTHROPIC_API_KEY'] : undefined);
  const token = key || !mayUseEnv ? undefined : env['ANTHROPIC_AUTH_TOKEN'];
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const hasOwn = names.includes('authorization') || names.includes('x-api-key');
  return {
    baseURL,
    isOwn,
    headers: {
      ...(mayUseEnv ? {} : withoutCustom(env['ANTHROPIC_CUSTOM_HEADERS'])),
      // The SDKs differ in the header for the key; this one is known to all servers.
      ...(names.includes('authorization')
        ? {}
        : { authorization: token ? `Bearer ${token}` : null }),
      ...(key ? { 'x-api-key': key } : {}),
      ...headers,
    },
    betas,
    hasKey: Boolean(key || token) || hasOwn || !isOwn,
    identity: {
      provider: 'anthropic',
      modelId: model,
      address: addressOf(baseURL),
      keyName: mayUseEnv ? 'ANTHROPIC_API_KEY' : undefined,
      secrets: [key ?? '', token ?? '', ...secretsIn(headers)],
    },
  };
}

function isAnthropic(url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === ANTHROPIC_URL;
}

/** Returns the SDK adds headers of the environment to every request, which another server must not see. */
function withoutCustom(lines: string = ''): Record<string, null> {
  const names = lines.split('\n').map((line) => line.split(':', 1)[0]?.trim() ?? '');
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, null]));
}

const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Returns a client for one call, with that call's `fetch`. Retries, limits and traces are not its business.
 *
 * @throws LLMError with the code `auth` if there is no key.
 */
export async function clientFor(connection: ResolvedAnthropic, wire: Wire): Promise<Anthropic> {
  const { Anthropic: Client } = await loadAnthropicAiSdk();
  if (!connection.hasKey) {
    throw new LLMError('auth', 'there is no key: set ANTHROPIC_API_KEY or pass apiKey');
  }
  return new Client({
    // The headers have the key; with one the SDK looks for no other.
    apiKey: 'in-headers',
    ...baseAddress(connection.baseURL, wire.fetch),
    defaultHeaders: { ...connection.headers },
    maxRetries: 0,
    timeout: NO_LIMIT_MS,
    logLevel: 'off',
    openTelemetry: false,
  });
}

/** @throws PeerError if @anthropic-ai/sdk is not installed. */
async function loadAnthropicAiSdk(): Promise<typeof AnthropicModule> {
  try {
    return await import('@anthropic-ai/sdk');
  } catch (error) {
    throw toPeerError(error, '@anthropic-ai/sdk');
  }
}

/** The mode of thinking; `least` is the minimum for a model that always thinks. */
export type ThinkingMode =
  | 'adaptive'
  | 'budget'
  | 'disabled'
  | 'between_tools'
  | 'least'
  | 'nothing';

/** A request, and what of it this server or model does not take. */
export interface Settings {
  readonly request: ChatRequest;
  readonly traits: ModelTraits;
  /** The server gives no streams: it is asked for the whole answer. */
  readonly isWhole?: boolean;
  /** Fields that are left out. */
  readonly without?: readonly string[];
  /** Default: by the model and the request. */
  readonly thinking?: ThinkingMode;
  /** The level that is asked for, or none. Default: the level of the request. */
  readonly effort?: string | undefined;
  /** JSON is asked for by its schema or in words. Default: by its schema. */
  readonly json?: 'words';
  /** Thoughts of earlier turns are left out. */
  readonly isForgetful?: boolean;
  /** The most that `max_tokens` may be, where the caller names none. Default: by the model. */
  readonly tokenLimit?: number | undefined;
}
