import { messageOf, StorageError, type Logger, type StorageErrorCode } from '@vizprompt/providers';
import { damageOf, messageOfDamage } from '@vizprompt/providers/internal';
import { MemoryError, type MemoryErrorCode } from '../errors.ts';

/** An error as it is sent: RFC 9457. */
export interface Problem {
  readonly type: 'about:blank';
  /** The phrase of the status. */
  readonly title: string;
  readonly status: number;
  /** The mistake, and the fix. */
  readonly detail: string;
  /** The code of the `MemoryError` or `StorageError`, or one of the protocol. */
  readonly code: string;
  /** Each field that was wrong. */
  readonly errors?: readonly FieldProblem[];
}

/** A mistake in a field of a request. */
export interface FieldProblem {
  /** Such as `body.data.content` or `query.limit`. */
  readonly field: string;
  readonly message: string;
}

/** The phrases of the statuses in use: RFC 9110, section 15. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const STATUSES: Readonly<Record<MemoryErrorCode, number>> = {
  'invalid-input': 400,
  'invalid-text': 400,
  'path-outside': 400,
  'invalid-import': 400,
  'session-not-found': 404,
  'event-not-found': 404,
  'session-ended': 409,
  exists: 409,
  'edit-conflict': 409,
  'too-large': 413,
  corrupt: 500,
  closed: 503,
};

/** Storage errors that pass by themselves; others are 500. */
const PASSING: readonly StorageErrorCode[] = ['busy', 'lock-timeout', 'connection', 'closed'];

/** Returns a response that says what was wrong. */
export function problemResponse(
  status: number,
  code: string,
  detail: string,
  {
    errors,
    headers = {},
  }: {
    readonly errors?: readonly FieldProblem[];
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  const title = TITLES[status] ?? 'Error';
  const problem: Problem = {
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    ...(errors ? { errors } : {}),
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}

/** Returns the response to an error. Details that are not meant for clients are logged only. */
export function responseOfError(error: unknown, logger: Logger): Response {
  if (MemoryError.isInstance(error)) {
    const status = STATUSES[error.code];
    if (status >= 500) logger.error('a request failed', { error: error.message });
    const { errors } = error.context;
    return problemResponse(status, error.code, error.message, {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by read-request.ts alone
      ...(Array.isArray(errors) ? { errors: errors as readonly FieldProblem[] } : {}),
      ...(status === 503 ? RETRY : {}),
    });
  }
  logger.error('a request failed', { error: messageOf(error) });
  if (StorageError.isInstance(error) && PASSING.includes(error.code)) {
    return problemResponse(503, error.code, 'the memory is busy: try again in a moment', RETRY);
  }
  const damage = damageOf(error);
  if (damage) return problemResponse(500, 'corrupt', messageOfDamage([damage]));
  return problemResponse(500, 'internal', 'the server failed; its log says why');
}

const RETRY = { headers: { 'Retry-After': '1' } } as const;
