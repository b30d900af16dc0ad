import type OpenAI from 'openai';
import type * as OpenAIModule from 'openai';
import { toPeerError } from '../peer.ts';
import { baseAddress } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { keyFor, type ResolvedConnection } from './options.ts';

const NO_LIMIT_MS = 2 ** 31 - 1;

/** Returns a client for one call, with that call's `fetch`. Retries and limits are not its business. */
export async function clientFor(connection: ResolvedConnection, wire: Wire): Promise<OpenAI> {
  const { default: Client } = await loadOpenAI();
  const isOpenAI = connection.profile.name === 'openai';
  return new Client({
    ...baseAddress(connection.baseURL, wire.fetch),
    apiKey: keyFor(connection),
    defaultHeaders: connection.headers,
    maxRetries: 0,
    timeout: NO_LIMIT_MS,
    logLevel: 'off',
    ...(isOpenAI ? {} : { organization: null, project: null }),
  });
}

/** @throws PeerError if `openai` is not installed. */
async function loadOpenAI(): Promise<typeof OpenAIModule> {
  try {
    return await import('openai');
  } catch (error) {
    throw toPeerError(error, 'openai');
  }
}
