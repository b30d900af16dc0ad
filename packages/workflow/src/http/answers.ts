import { STATUS_CODES } from 'node:http';
import { messageOf, type Logger } from '@vizprompt/providers';
import { SERVING_HEADERS } from '@vizprompt/providers/serving/internal';
import { WorkflowError, type WorkflowErrorCode } from '../errors.ts';

const STATUSES: Readonly<Partial<Record<WorkflowErrorCode, number>>> = {
  'invalid-input': 400,
  'not-found': 404,
  conflict: 409,
  'not-waiting': 409,
  finished: 409,
  // The condition or the path of a webhook does not fit the request.
  'condition-failed': 422,
  closed: 503,
  'journal-unwritable': 503,
};

/** Answers with JSON. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${JSON.stringify(value)}\n`, {
    status,
    headers: { ...common(), 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}

/** Answers with an error as RFC 9457 has it. */
export function problemResponse(
  status: number,
  code: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const title = STATUS_CODES[status] ?? 'Error';
  const body = { type: 'about:blank', title, status, detail, code };
  const type = { 'Content-Type': 'application/problem+json; charset=utf-8' };
  return jsonResponse(status, body, { ...type, ...headers });
}

/** Answers with what a call of the engine threw; what is no fault of the client is logged, and not shown. */
export function responseOfError(error: unknown, logger: Logger): Response {
  if (WorkflowError.isInstance(error)) {
    const status = STATUSES[error.code];
    if (status !== undefined) return problemResponse(status, error.code, error.message);
  }
  logger.error('a request failed', { error: messageOf(error) });
  return problemResponse(500, 'internal', 'the request failed: the log of the server says why');
}

/** Answers with a page that loads nothing. */
export function htmlResponse(html: string): Response {
  return new Response(html, {
    headers: { ...common(), 'Content-Type': 'text/html; charset=utf-8' },
  });
}

function common(): Readonly<Record<string, string>> {
  return { ...SERVING_HEADERS, 'Cache-Control': 'no-store' };
}
