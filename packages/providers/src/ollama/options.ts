import type { Ollama } from 'ollama';
import { importPeer } from '../peer.ts';
import { addressOf } from '../wire/address.ts';
import type { CallIdentity } from '../wire/identity.ts';
import { secretsIn } from '../wire/secrets.ts';
import type { Fetch, Wire } from '../wire/wire.ts';
import { checkResponse } from './check-response.ts';

/** What the models of `@vizprompt/providers/ollama` have in common. */
export interface OllamaConnection {
  /** As `ollama list` names it, such as `qwen3:8b`. */
  readonly model: string;
  /** Default: `OLLAMA_HOST`, or else `http://localhost:11434`. */
  readonly host?: string;
  /** The same as `host`, by the name that other providers have for it. */
  readonly baseURL?: string;
  /** Sent with every request, such as a key for a server behind a proxy. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch;
}

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
  return {
    host,
    headers: options.headers ?? {},
    identity: {
      provider: 'ollama',
      modelId: options.model,
      address: addressOf(host),
      secrets: secretsIn(options.headers),
    },
  };
}

/** Ollama's own variable may hold a host, with or without a port; `0.0.0.0` is for the server only. */
function withScheme(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const local = url.replace('//0.0.0.0', '//localhost');
  return /^http:\/\/[^/:]+$/.test(local) ? `${local}:11434` : local;
}

/** A client for one call, with that call's `fetch`. */
export async function clientFor(
  { host, headers }: ResolvedOllama,
  wire: Wire,
  more: Readonly<Record<string, string>> = {},
): Promise<Ollama> {
  const { Ollama: Client } = await importPeer('ollama', () => import('ollama'));
  const fetch: Fetch = async (input, init) => checkResponse(await wire.fetch(input, init));
  return new Client({ host, fetch, headers: { ...headers, ...more } });
}
