import type { LLMErrorCode } from '../models/llm-error.ts';
import { kindsIn } from './failure-words.ts';

/** A refusal of a provider, as it came over the wire. */
export interface HttpFailure {
  /** Absent for a failure that came within a stream. */
  readonly status?: number | undefined;
  /** The provider's own codes and types, such as `insufficient_quota`. */
  readonly reason?: string | undefined;
  /** The provider's sentence. */
  readonly text: string;
  /** The field that the provider objects to. */
  readonly param?: string | undefined;
  /** More that the provider says, for the wait and for fields, not for people. */
  readonly details?: string | undefined;
}

/** The meaning of a status where the words say nothing. */
const BY_STATUS: Readonly<Record<number, LLMErrorCode>> = {
  401: 'auth',
  402: 'quota',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'server',
  410: 'not_found',
  413: 'context_length',
  423: 'overloaded',
  424: 'server',
  425: 'server',
  429: 'rate_limit',
  440: 'auth',
  451: 'permission',
  498: 'overloaded',
  499: 'server',
  501: 'unsupported',
  503: 'overloaded',
  504: 'timeout',
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

type Codes = readonly LLMErrorCode[];

const ANY: Codes = [
  'context_length',
  'quota',
  'output_parse',
  'content_filter',
  'auth',
  'rate_limit',
  'not_found',
  'overloaded',
  'unsupported',
  'permission',
  'server',
];

/** A server that fails says little of the request; what it says of its own state counts. */
const SERVER_WORDS: Codes = [
  'context_length',
  'quota',
  'output_parse',
  'content_filter',
  'rate_limit',
  'overloaded',
];

/** Which words may say better than a status what happened; for other statuses, see {@link wordsFor}. */
const WORDS_FOR: Readonly<Record<number, Codes>> = {
  401: ['quota'],
  402: [],
  403: ['quota', 'content_filter', 'auth', 'rate_limit', 'context_length'],
  404: ['quota'],
  408: [],
  413: [],
  429: ['context_length', 'quota', 'overloaded', 'permission'],
  451: ['content_filter'],
  500: [...SERVER_WORDS, 'unsupported'],
  501: [],
  503: ['context_length', 'quota', 'rate_limit'],
  504: [],
  524: [],
  529: [],
};

/** Returns the code of a failure: by what the provider says, and by the status where it says nothing. */
export function codeOf({ reason = '', text, ...failure }: HttpFailure): LLMErrorCode {
  // A failure with a status of success came within the stream.
  const status = (failure.status ?? 0) >= 400 ? failure.status : undefined;
  const said = `${reason} ${text}`;
  const allowed = wordsFor(status);
  const [kind] = kindsIn(said).filter((code) => allowed.includes(code));
  if (kind === 'context_length' && status === 429 && !/too large|must be reduced/i.test(said)) {
    return 'rate_limit';
  }
  if (kind !== undefined && !(kind === 'unsupported' && status === undefined)) return kind;
  if (status === undefined) return 'server';
  if (status === 404 && /endpoints? found that support/i.test(said)) return 'unsupported';
  return BY_STATUS[status] ?? (status >= 500 ? 'server' : 'invalid_request');
}

function wordsFor(status: number | undefined): Codes {
  if (status === undefined) return [...ANY, 'timeout'];
  return WORDS_FOR[status] ?? (status >= 500 ? SERVER_WORDS : ANY);
}

/** Returns advice for a code, as the end of a sentence. */
export function adviceFor(code: LLMErrorCode, keyName: string | undefined): string {
  switch (code) {
    case 'auth':
      return keyName ? `check ${keyName} or pass apiKey` : 'check the key';
    case 'permission':
      return 'the key is not allowed to use this model';
    case 'not_found':
      return 'check the name of the model and the address';
    case 'quota':
      return 'the account has no allowance left; waiting does not help';
    case 'context_length':
      return 'send fewer or shorter messages';
    default:
      return '';
  }
}

/** Returns an address for people: without user, password, query and fragment, where keys may hide. */
export function addressOf(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
  } catch {
    return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
  }
}
