import { LruMap } from '../collections/lru-map.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import type { ChatRequest } from '../models/request.ts';
import type { ChatProtocol, ProtocolChoice } from './exchange.ts';
import { isResponsesOnly, mayReason } from './model-families.ts';
import type { ResolvedConnection } from './options.ts';
import { isOpenAIHost } from './profiles.ts';

/** The two protocols, of which one is chosen for each request. */
interface Protocols {
  readonly chat: ChatProtocol;
  readonly responses: ChatProtocol;
}

/** The protocols that servers have asked for, by address and model; they hold as long as the process. */
const wanted = new LruMap<string, ChatProtocol['name']>(1000);

/**
 * Chooses the protocol of a request. On OpenAI's own host it is the Responses API for models that have no other, for
 * reasoning models with tools, and for what only that API knows; everywhere else Chat Completions. A server that names the
 * other one is asked again in that, and from then on.
 */
export function chooseProtocol(
  { baseURL, identity }: ResolvedConnection,
  request: ChatRequest,
  protocols: Protocols,
): ProtocolChoice {
  const key = `${baseURL} ${identity.modelId}`;
  const isBetter = isOpenAIHost(baseURL) && wantsResponses(identity.modelId, request);
  const name = wanted.get(key) ?? (isBetter ? 'responses' : 'chat');
  let current = name;
  let isSettled = false;
  const turnTo = (next: ChatProtocol['name']): ChatProtocol => {
    wanted.set(key, next);
    current = next;
    return protocols[next];
  };
  return {
    first: protocols[name],
    instead(failure) {
      if (isSettled) return undefined;
      if (current !== name) {
        // A gateway may pass on what OpenAI says, and have no such address.
        isSettled = true;
        return isNoAddress(failure) ? turnTo(name) : undefined;
      }
      // The refusal means a field then, and other hosts seldom have the Responses API.
      if (isOfField(failure) && !isOpenAIHost(baseURL)) return undefined;
      const other = namedBy(failure);
      return other === undefined || other === name ? undefined : turnTo(other);
    },
  };
}

function isOfField({ text }: HttpFailure): boolean {
  return /reasoning_effort|reasoning effort/i.test(text);
}

function isNoAddress({ status }: HttpFailure): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** Fields that only the Responses API has. */
const OWN_FIELDS = [
  'previous_response_id',
  'conversation',
  'include',
  'instructions',
  'background',
  'truncation',
  'context_management',
  'text',
];

/** Fields that only Chat Completions has: who sets one means that protocol. */
const CHAT_FIELDS = [
  'audio',
  'frequency_penalty',
  'functions',
  'logit_bias',
  'logprobs',
  'modalities',
  'n',
  'prediction',
  'presence_penalty',
  'response_format',
  'seed',
  'stop',
  'stream_options',
  'web_search_options',
];

function wantsResponses(model: string, { messages, tools, providerOptions }: ChatRequest): boolean {
  if (isResponsesOnly(model)) return true;
  const own = providerOptions?.['openai'] ?? {};
  if (OWN_FIELDS.some((name) => name in own)) return true;
  if (CHAT_FIELDS.some((name) => name in own)) return false;
  if ('tools' in own && tools === undefined) return true;
  const hasItems = messages.some(({ parts }) =>
    parts.some(({ meta }) => meta?.['openai']?.['item'] !== undefined),
  );
  return hasItems || (mayReason(model) && tools !== undefined && tools.length > 0);
}

/**
 * Returns the protocol that a server wants instead of the one that it was asked in.
 *
 * Sources: OpenAI ("This model is only supported in v1/responses and not in v1/chat/completions", "… is not supported with
 * /v1/chat/completions. Please use /v1/responses instead", "Missing scopes: api.responses.write"), goose#2564,
 * ThunderAI#570, sub2api#885, GitHub Copilot (`unsupported_api_for_model`).
 */
function namedBy({ status, text, reason = '' }: HttpFailure): ChatProtocol['name'] | undefined {
  if (status !== undefined && status >= 500) return undefined;
  const said = `${reason} ${text}`;
  if (/missing scopes?[^.]*api\.responses|api\.responses\.write/i.test(said)) return 'chat';
  const [chat, responses] = [CHAT, RESPONSES].map((words) => refuses(said, words));
  if (chat && !responses) return 'responses';
  return responses && !chat ? 'chat' : undefined;
}

/** How servers call the two. */
const CHAT = String.raw`(?:/?(?:v1/)?chat[/ ._-]completions?(?: (?:api|endpoint))?)`;
const RESPONSES = String.raw`(?:/?v1/responses|/responses|responses (?:api|endpoint))`;

/** Checks whether a text says that one of the two does not work here, or that the other is to be used. */
function refuses(said: string, name: string): boolean {
  const other = name === CHAT ? RESPONSES : CHAT;
  const words = [
    `not (?:a chat model|(?:supported|available|accessible|compatible|allowed|valid|enabled|in)[^.]{0,60}${name})`,
    `${name}[^.]{0,40}(?:is|are) (?:not|un)`,
    `(?:does|do)(?: not|n't) support[^.]{0,40}${name}`,
    `(?:only|exclusively) (?:be )?(?:supported|available|accessible|works?|used|supports?)(?: (?:in|on|at|by|via|with|through|for|using))?(?: the)? ['"\`]?${other}`,
    `(?:use|try|switch to|call|migrate to|requires?)[^.]{0,30}${other}`,
  ];
  const isNamed = words.some((each) => new RegExp(each, 'i').test(said));
  return name === CHAT ? isNamed : isNamed && !/not a chat model/i.test(said);
}
