import { isError } from '../errors.ts';
import { type Fields, fieldsOf, isRecord, listOf, numberOf, stringOf } from '../json/fields.ts';
import { unescapeHtml } from '../strings/escape-markup.ts';
import type { HttpFailure } from './http-failure.ts';

/** The content of a refusal's body. */
export interface ErrorBody {
  /** The sentence for people. */
  readonly text: string;
  /** Every code, type and status of the body, such as `invalid_request_error context_length_exceeded`. */
  readonly reason: string;
  /** The name of the field that the server objects to, where the body has a place for it. */
  readonly param?: string | undefined;
  /** An HTTP status that the body names. */
  readonly status?: number | undefined;
  /** The whole body as JSON: for waits and fields, not for people. */
  readonly details: string;
}

/** Keys of a sentence, the most telling first. */
const TEXTS = [
  'message',
  'Message',
  'msg',
  'error_message',
  'errorMessage',
  'error_msg',
  'err_msg',
  'status_msg',
  'statusMessage',
  'detail',
  'details',
  'error_description',
  'description',
  'faultstring',
  'failure_reason',
  'reason',
  'title',
];

/** Keys of an object or a list that holds the failure itself. */
const WRAPPERS = ['error', 'errors', 'err', 'detail', 'fault', 'base_resp', 'Error', 'exception'];

/** Keys of a code. */
const REASONS = [
  'code',
  'type',
  'status',
  'reason',
  'error_code',
  'errorCode',
  'error_type',
  'err_code',
  'status_code',
  '__type',
  'innererror',
];

/** Keys of a number that may be an HTTP status. */
const STATUSES = ['code', 'status', 'status_code', 'statusCode', 'error_code'];

const MAX_DEPTH = 5;

/**
 * Reads the body of a refusal in any form that servers give: `{ error: { message } }`, `{ error: 'text' }`,
 * `{ message }`, `{ detail }`, lists of any of them, JSON within JSON, plain text, a web page (its title), XML, and a
 * refusal in the form of a server-sent event.
 *
 * @param body - A text, or JSON that was parsed already.
 */
export function readErrorBody(body: unknown): ErrorBody {
  const value = typeof body === 'string' ? parseText(body) : body;
  if (typeof value === 'string') return { text: plainText(value), reason: '', details: value };
  const found: Found = { texts: [], reasons: [], param: undefined, status: undefined };
  collect(value, found, 0);
  const details = JSON.stringify(value ?? null);
  return {
    text: unique(found.texts).join(': ') || (isEmpty(value) ? '' : details),
    reason: unique(found.reasons).join(' '),
    param: found.param,
    status: found.status,
    details,
  };
}

interface Found {
  readonly texts: string[];
  readonly reasons: string[];
  param: string | undefined;
  status: number | undefined;
}

function collect(value: unknown, found: Found, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    addText(value, found, depth);
  } else if (Array.isArray(value)) {
    for (const item of value.slice(0, 8)) collect(located(item) ?? item, found, depth + 1);
  } else if (isRecord(value)) {
    collectFields(value, found, depth);
  }
}

function collectFields(fields: Fields, found: Found, depth: number): void {
  for (const key of REASONS) {
    const code = fields[key];
    if (typeof code === 'string' && code.length < 120) found.reasons.push(code);
    else if (typeof code === 'number') found.reasons.push(String(code));
    else if (isRecord(code)) collectFields({ code: code['code'] }, found, depth + 1);
  }
  for (const key of STATUSES) {
    const status = numberOf(fields[key]) ?? Number(stringOf(fields[key]) ?? NaN);
    if (status >= 400 && status < 600) found.status ??= status;
  }
  found.param ??= stringOf(fields['param']) || undefined;
  for (const key of WRAPPERS) collect(fields[key], found, depth + 1);
  // Mistral has the list of FastAPI in its message.
  if (isRecord(fields['message'])) collect(fields['message'], found, depth + 1);
  collectByField(fields['errors'], found, depth);
  const text = TEXTS.map((key) => stringOf(fields[key])).find(Boolean);
  if (text !== undefined) addText(text, found, depth);
  // A second sentence says what the first is about: GitHub Copilot.
  const more = stringOf(fields['details']);
  if (text !== undefined && more) addText(more, found, depth);
  // Where providers are behind a gateway, their own words are one level further down.
  collect(fieldsOf(fields['metadata'])['raw'], found, depth + 1);
  for (const detail of listOf(fields['details'])) {
    const { reason, violations, fieldViolations } = fieldsOf(detail);
    collectFields({ reason }, found, MAX_DEPTH);
    for (const each of [...listOf(violations), ...listOf(fieldViolations)]) {
      const { quotaId, quotaMetric, description } = fieldsOf(each);
      collectFields({ code: quotaId, type: quotaMetric, reason: description }, found, MAX_DEPTH);
    }
  }
}

/** ASP.NET, Laravel and Rails: `{ errors: { seed: ['…'] } }`. */
function collectByField(errors: unknown, found: Found, depth: number): void {
  if (!isRecord(errors)) return;
  for (const [name, said] of Object.entries(errors)) {
    if (!Array.isArray(said) || REASONS.includes(name)) continue;
    for (const text of said.slice(0, 8))
      if (typeof text === 'string') addText(`${name}: ${text}`, found, depth);
  }
}

/** A sentence; one that is JSON itself holds the words of a server further back. */
function addText(text: string, found: Found, depth: number): void {
  const at = text.search(/[{[]/);
  const inner = at < 0 ? undefined : parseJson(text.slice(at).trim());
  if (inner !== undefined && typeof inner === 'object' && depth < MAX_DEPTH) {
    const before = found.texts.length;
    collect(inner, found, depth + 1);
    if (found.texts.length > before) {
      const lead = text
        .slice(0, at)
        .trim()
        .replace(/(?<![:-])[:-][:-]*$/, '');
      if (lead !== '') found.texts.splice(before, 0, lead);
      return;
    }
  }
  found.texts.push(plainText(text));
}

/** FastAPI and pydantic: `{ loc: ['body', 'seed'], msg, type }`. */
function located(item: unknown): unknown {
  const { loc, msg, type } = fieldsOf(item);
  if (!Array.isArray(loc) || typeof msg !== 'string') return undefined;
  const path = loc.filter((step) => step !== 'body').join('.');
  return { message: path === '' ? msg : `${path}: ${msg}`, type };
}

function parseText(text: string): unknown {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  // A refusal that came as a server-sent event.
  const event = /(?:^|\n)data: ?(..*)/.exec(trimmed)?.[1];
  const source = /^(?:event|data|id|retry|:)/.test(trimmed) && event ? event : trimmed;
  return parseJson(source) ?? lineOf(source) ?? source;
}

/** Returns the first of several lines of JSON. */
function lineOf(text: string): unknown {
  const [first = ''] = text.split('\n');
  return /^[{[]/.test(first) ? parseJson(first) : undefined;
}

function parseJson(text: string): unknown {
  if (!/^["{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const PAGE = /<(?:!doctype\s\s*html|html|head|body|title|center|h1)\b/i;

/** Returns the title of a web page, the sentence of an XML document, or the text as it is. */
function plainText(text: string): string {
  if (PAGE.test(text)) {
    const title = /<title[^>]*>([^<]*)<|<h1[^>]*>([^<]*)</i.exec(text);
    const words = unescapeHtml((title?.[1]?.trim() || title?.[2]?.trim()) ?? '');
    return `a web page instead of JSON${words === '' ? '' : ` (${words})`}: is it a proxy?`;
  }
  if (/^\s*<(?:\?xml|Error)\b/i.test(text)) {
    const parts = ['Code', 'Message'].map(
      (tag) => new RegExp(`<${tag}>([^<]*)<`, 'i').exec(text)?.[1],
    );
    const words = unescapeHtml(parts.filter(Boolean).join(': '));
    if (words !== '') return words;
  }
  return text.replace(/\s\s*/g, ' ').trim();
}

function unique(values: readonly string[]): string[] {
  return values.filter((value, at) => value !== '' && values.indexOf(value) === at);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Reads an `APIError` of the SDKs of OpenAI and Anthropic, which are generated alike: a refusal, or an error within a
 * stream. Its message comes from the body, of which the SDKs know one form.
 */
export function readApiError(error: unknown): HttpFailure | undefined {
  if (!isError(error) || !('status' in error) || !('error' in error)) return undefined;
  if (/Connection(Timeout)?Error|UserAbort/.test(error.constructor.name)) return undefined;
  const status = numberOf(error.status);
  const body = readErrorBody(error.error);
  return {
    ...body,
    reason: [body.reason, 'code' in error ? stringOf(error.code) : ''].filter(Boolean).join(' '),
    text: body.text || error.message,
    status: (status ?? 0) >= 400 ? status : (body.status ?? status),
  };
}
