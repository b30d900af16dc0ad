import type * as Gemini from '@google/genai';
import type { GoogleGenAI } from '@google/genai';
import { assertHttpAddress, SERVER_OPTIONS } from '../adapter-kit/check-options.ts';
import { readErrorBody } from '../adapter-kit/error-body.ts';
import { secretsIn } from '../adapter-kit/explain.ts';
import { addressOf, type HttpFailure } from '../adapter-kit/http-failure.ts';
import type { CallIdentity } from '../adapter-kit/identity.ts';
import { baseAddress, type Fetch } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { isError } from '../errors.ts';
import { type Kinds, optional, TEXT } from '../input/kinds.ts';
import { numberOf } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';
import { toPeerError } from '../peer.ts';

/** The common options of the models of `@vizprompt/providers/gemini`. */
export interface GeminiConnection {
  /** Such as `gemini-3-flash`. */
  readonly model: string;
  /** The key itself. Default: `GEMINI_API_KEY`, or else `GOOGLE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** The address of the server. Default: `GOOGLE_GEMINI_BASE_URL`, or else Google's. */
  readonly baseURL?: string | undefined;
  /** Default: `v1beta`. Versions of the SDK differ in theirs, so it is always said. */
  readonly apiVersion?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch | undefined;
}

/** The kinds of these options. */
export const CONNECTION: Kinds<GeminiConnection> = {
  ...SERVER_OPTIONS,
  apiVersion: optional(TEXT),
};

/** A connection with all its defaults. */
export interface ResolvedGemini {
  readonly baseURL: string;
  readonly apiVersion: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: CallIdentity;
}

/** Fills in what the options leave open. */
export function resolveGemini(options: GeminiConnection): ResolvedGemini {
  const { env } = process;
  const baseURL =
    options.baseURL?.trim() ||
    env['GOOGLE_GEMINI_BASE_URL']?.trim() ||
    'https://generativelanguage.googleapis.com';
  assertHttpAddress(baseURL, options.fetch);
  const apiKey = options.apiKey || env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'] || undefined;
  return {
    baseURL,
    apiVersion: options.apiVersion ?? 'v1beta',
    apiKey,
    headers: options.headers ?? {},
    identity: {
      provider: 'gemini',
      modelId: options.model,
      address: addressOf(baseURL),
      keyName: 'GEMINI_API_KEY',
      secrets: [apiKey ?? '', ...secretsIn(options.headers)],
    },
  };
}

/**
 * Returns a client for one call, with that call's `fetch`.
 *
 * @throws LLMError with the code `auth` if there is no key.
 */
export async function clientFor(
  { baseURL, apiVersion, apiKey, headers }: ResolvedGemini,
  wire: Wire,
): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await loadGemini();
  if (apiKey === undefined) {
    throw new LLMError('auth', 'there is no key: set GEMINI_API_KEY or pass apiKey');
  }
  const { baseURL: baseUrl, fetch } = baseAddress(baseURL, wire.fetch);
  return new Client({
    apiKey,
    vertexai: false,
    httpOptions: { baseUrl, apiVersion, headers: { ...headers }, fetch },
  });
}

/** @throws PeerError if `@google/genai` is not installed. */
async function loadGemini(): Promise<typeof Gemini> {
  try {
    return await import('@google/genai');
  } catch (error) {
    throw toPeerError(error, '@google/genai');
  }
}

/** Takes an `ApiError` of the SDK apart: its message is the body of the answer. */
export function readFailure(error: unknown): HttpFailure | undefined {
  if (!isError(error) || !('status' in error)) return undefined;
  const status = numberOf(error.status);
  if (status === undefined) return undefined;
  const body = readErrorBody(error.message);
  return { ...body, status: status >= 400 ? status : (body.status ?? status) };
}
