import {
  FUNCTION,
  type Kinds,
  NONEMPTY,
  OBJECT,
  optional,
  type OptionChecks,
  optionChecks,
  shownValue,
  TEXT,
} from '../input/kinds.ts';
import { LLMError } from '../models/llm-error.ts';
import { redact } from '../redact/redact.ts';
import type { Fetch } from './unlimited-fetch.ts';

const checks = optionChecks(
  (message, context) => new LLMError('invalid_request', message, { context }),
);

/** Refuses options of a model or a layer that are not known: the default would stay in force unnoticed. */
export const checkOptions: OptionChecks['checkOptions'] = checks.checkOptions;

/** Refuses an argument that is not of its kind. */
export const checkArgument: OptionChecks['checkArgument'] = checks.checkArgument;

/** The options that the models of all servers have. */
interface ServerOptions {
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: Fetch | undefined;
}

/** The kinds of these options. */
export const SERVER_OPTIONS: Kinds<ServerOptions> = {
  model: NONEMPTY,
  apiKey: optional(TEXT),
  baseURL: optional(TEXT),
  headers: optional(OBJECT),
  fetch: optional(FUNCTION),
};

/**
 * Refuses an address that does not say how to reach it: of `localhost:1234/v1` the scheme would be `localhost`. A `fetch`
 * of the caller's own may know other addresses.
 *
 * @param url - May hold a user, a password or a key in its query, or be a key by mistake: these are not in the message.
 * @throws LLMError with the code `invalid_request`.
 */
export function assertHttpAddress(url: string, fetch?: Fetch): void {
  if (fetch !== undefined || /^\s*https?:\/\//i.test(url)) return;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  const [place = ''] = url.slice(url.lastIndexOf('@') + 1).split(/[?#]/);
  const host = HOST.exec(place)?.[0];
  const shown =
    host === undefined
      ? 'another text (not shown, as it may be a key)'
      : shownValue(redact(host).text);
  throw new LLMError(
    'invalid_request',
    `baseURL: expected an address that begins with http:// or https://, got ${shown}`,
  );
}

/**
 * A host that is no part of a key: one with a scheme, of this machine, with a number, or with a common ending. A user with a
 * password and Base64 with `/` look like a host with a port or a path, so other names are not shown, and paths never.
 */
const HOST =
  /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/[\w.-]{1,100}|localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]{1,63}\.){1,9}(?:com|net|org|dev|app|cloud|local|internal|example|[a-z]{2}))(?::\d{1,5})?(?=\/|$)/;
