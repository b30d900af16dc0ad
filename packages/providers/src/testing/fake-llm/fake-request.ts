import type { JsonObject } from '../../json/json-value.ts';

/** A protocol that the fake server speaks. */
export type FakeWireName = 'openai' | 'responses' | 'gemini' | 'ollama' | 'anthropic';

/** The kind of a request. */
export type FakeRequestKind = 'chat' | 'embeddings' | 'count' | 'models' | 'show';

/** A request that the fake server received. */
export interface FakeRequest {
  readonly wire: FakeWireName;
  readonly kind: FakeRequestKind;
  /** The model it is for; empty where it is for none. */
  readonly model: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; empty where there was none. */
  readonly body: JsonObject;
  /** True if the answer was to be streamed. */
  readonly isStream: boolean;
  /** True if the client hung up before the answer was complete. */
  readonly isClosedEarly: boolean;
}

/** The route in the address of a request. */
export interface Route {
  readonly wire: FakeWireName;
  readonly kind: FakeRequestKind;
  /** Where the model is named in the address. */
  readonly model?: string;
  /** Gemini's name of the method, such as `countTokens`. */
  readonly action?: string;
}

const GEMINI_KINDS: Readonly<Record<string, FakeRequestKind>> = {
  generateContent: 'chat',
  streamGenerateContent: 'chat',
  countTokens: 'count',
  embedContent: 'embeddings',
  batchEmbedContents: 'embeddings',
};

const OLLAMA_ROUTES: Readonly<Record<string, FakeRequestKind>> = {
  'POST /api/chat': 'chat',
  'POST /api/embed': 'embeddings',
  'GET /api/tags': 'models',
  'POST /api/show': 'show',
};

/** Which protocol an address belongs to; `undefined` for an unknown address. */
export function routeOf(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): Route | undefined {
  const { pathname, searchParams } = new URL(url, 'http://fake');
  const ollama = OLLAMA_ROUTES[`${method} ${pathname}`];
  if (ollama) return { wire: 'ollama', kind: ollama };
  if (method === 'GET') {
    const [, version, model] = /^(\/v1|\/v1beta)?\/models(?:\/(.+))?$/.exec(pathname) ?? [];
    if (!/\/models(\/.+)?$/.test(pathname)) return undefined;
    const isGemini =
      version === '/v1beta' || 'x-goog-api-key' in headers || searchParams.has('key');
    const wire = isGemini ? 'gemini' : 'anthropic-version' in headers ? 'anthropic' : 'openai';
    return { wire, kind: 'models', ...(model ? { model } : {}) };
  }
  if (method !== 'POST') return undefined;
  if (pathname.endsWith('/v1/messages')) return { wire: 'anthropic', kind: 'chat' };
  if (pathname.endsWith('/v1/messages/count_tokens')) return { wire: 'anthropic', kind: 'count' };
  if (pathname.endsWith('/chat/completions')) return { wire: 'openai', kind: 'chat' };
  if (pathname.endsWith('/responses')) return { wire: 'responses', kind: 'chat' };
  if (pathname.endsWith('/embeddings')) return { wire: 'openai', kind: 'embeddings' };
  const [, model, action = ''] = /^\/v1(?:beta)?\/models\/([^/:]+):(\w+)$/.exec(pathname) ?? [];
  const gemini = GEMINI_KINDS[action];
  return gemini && model ? { wire: 'gemini', kind: gemini, model, action } : undefined;
}
