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
 * Refuses an address that does not say how to reach it: of `localhost:1234/v1` the scheme would be `localhost`.
 *
 * @param url - May hold a user, a password or a key in its query: these are not in the message.
 * @throws LLMError with the code `invalid_request`.
 */
export function assertHttpAddress(url: string): void {
  if (/^https?:\/\//i.test(url)) return;
  const [shown = ''] = url.split(/[?#]/);
  const place = shown.slice(shown.lastIndexOf('@') + 1);
  throw new LLMError(
    'invalid_request',
    `baseURL: expected an address that begins with http:// or https://, got ${shownValue(place)}`,
  );
}
