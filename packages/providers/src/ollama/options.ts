import type * as OllamaModule from 'ollama';
import { baseAddress } from '../adapter-kit/base-address.ts';
import type { Ollama } from 'ollama';
import { SERVER_OPTIONS } from '../adapter-kit/check-options.ts';
import { secretsIn } from '../adapter-kit/explain.ts';
import { addressOf } from '../adapter-kit/http-failure.ts';
import type { CallIdentity } from '../adapter-kit/identity.ts';
import type { Fetch } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { type Kinds, optional, TEXT } from '../input/kinds.ts';
import { toPeerError } from '../peer.ts';
import { checkResponse } from './check-response.ts';

/** The common options of the models of `@vizprompt/providers/ollama`. */
export interface OllamaConnection {
  /** As `ollama list` names it, such as `qwen3:8b`. */
  readonly model: string;
  /** The address of the server. Default: `OLLAMA_HOST`, or else `http://localhost:11434`. */
  readonly host?: string | undefined;
  /** The same as `host`, by the name that other providers have for it. */
  readonly baseURL?: string | undefined;
  /** For Ollama's cloud or a proxy. Default: `OLLAMA_API_KEY`, or else none. */
  readonly apiKey?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch | undefined;
}

/** The kinds of these options. */
export const CONNECTION: Kinds<OllamaConnection> = { ...SERVER_OPTIONS, host: optional(TEXT) };

/** A connection with all its defaults. */
export interface ResolvedOllama {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: CallIdentity;
}

/** Fills in what the options leave open. */
export function resolveOllama(options: OllamaConnection): ResolvedOllama {
  const host = withScheme(
    options.host ?? options.baseURL ?? (process.env['OLLAMA_HOST'] || 'http://localhost:11434'),
  );
  const apiKey = options.apiKey || process.env['OLLAMA_API_KEY'];
  const headers = {
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    ...options.headers,
  };
  return {
    host,
    headers,
    identity: {
      provider: 'ollama',
      modelId: options.model,
      address: addressOf(host),
      ...(apiKey ? { keyName: 'OLLAMA_API_KEY' } : {}),
      secrets: secretsIn(headers),
    },
  };
}

/** Ollama's own variable may hold a host, with or without a port; `0.0.0.0` is for the server only. */
function withScheme(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const local = url.replace('//0.0.0.0', '//localhost');
  // As Ollama's own clients have it: a scheme that is written brings its own port.
  return url !== host && /^http:\/\/[^/:]+$/.test(local) ? `${local}:11434` : local;
}

interface ClientOptions {
  /** True if the answer comes line by line. */
  readonly isStream: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns a client for one call, with that call's `fetch`. */
export async function clientFor(
  { host, headers }: ResolvedOllama,
  wire: Wire,
  { isStream, headers: more = {} }: ClientOptions,
): Promise<Ollama> {
  const { Ollama: Client } = await loadOllama();
  const base = baseAddress(host, wire.fetch);
  const fetch: Fetch = async (input, init) => {
    const response = await base.fetch(input, init).catch((cause: unknown) => {
      // The SDK makes plain errors of what the server says: this is none.
      throw new TypeError('fetch failed', { cause });
    });
    return checkResponse(response, isStream, wire.large);
  };
  return new Client({ host: base.baseURL, fetch, headers: { ...headers, ...more } });
}

/** @throws PeerError if `ollama` is not installed. */
async function loadOllama(): Promise<typeof OllamaModule> {
  try {
    return await import('ollama');
  } catch (error) {
    throw toPeerError(error, 'ollama');
  }
}
