import type { FinishReason, LLMErrorCode } from '@vizprompt/providers';
import type { Form } from '../form.ts';
import { created, ends, events, message, piece, response } from './response.ts';

const half = [created, piece('half an')] as const;

type EndRow = readonly [
  name: string,
  kind: string,
  fields: object,
  becomes: FinishReason | `!${LLMErrorCode}`,
];

/** The status of a response, and why it is incomplete. Source: openai/resources/responses/responses.d.ts. */
const ENDS: readonly EndRow[] = [
  ['`completed`', 'completed', {}, 'stop'],
  [
    '`incomplete`, `max_output_tokens`',
    'incomplete',
    { incomplete_details: { reason: 'max_output_tokens' } },
    'length',
  ],
  [
    '`incomplete`, `content_filter`',
    'incomplete',
    { incomplete_details: { reason: 'content_filter' } },
    'content-filter',
  ],
  [
    '`incomplete`, `max_tokens`',
    'incomplete',
    { incomplete_details: { reason: 'max_tokens' } },
    'length',
  ],
  ['`incomplete` without a reason', 'incomplete', { incomplete_details: null }, 'length'],
  [
    '`incomplete`, for a reason of tomorrow',
    'incomplete',
    { incomplete_details: { reason: 'quantum_decoherence' } },
    '!truncated',
  ],
  ['`cancelled`', 'cancelled', {}, '!server'],
  ['a status of tomorrow', 'completed', { status: 'dreaming' }, '!truncated'],
  [
    '`incomplete` in `response.completed`',
    'completed',
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    'length',
  ],
];

function expectedOf(becomes: EndRow[3]): Form['expected'] {
  return becomes.startsWith('!')
    ? { code: becomes.slice(1) as LLMErrorCode, partial: 'half an' }
    : { text: 'half an', finish: becomes as FinishReason };
}

/** Codes of a response that failed, and what they are. */
const FAILURES: readonly (readonly [code: string, message: string, becomes: LLMErrorCode])[] = [
  ['server_error', 'The server had an error while processing your request.', 'server'],
  ['rate_limit_exceeded', 'Rate limit reached for gpt-5. Please try again in 20s.', 'rate_limit'],
  ['invalid_prompt', 'Invalid prompt: your prompt was flagged.', 'content_filter'],
  ['data_residency_mismatch', 'The data is of another region.', 'permission'],
  ['bio_policy', 'This request has been limited.', 'content_filter'],
  ['misalignment_policy_violation', 'This request was stopped.', 'content_filter'],
  ['vector_store_timeout', 'The search took too long.', 'timeout'],
  ['invalid_image', 'The image is invalid.', 'invalid_request'],
  ['invalid_image_format', 'The format of the image is invalid.', 'invalid_request'],
  ['invalid_base64_image', 'The image is not base64.', 'invalid_request'],
  ['invalid_image_url', 'The address of the image is invalid.', 'invalid_request'],
  ['image_too_large', 'The image is too large.', 'invalid_request'],
  ['image_too_small', 'The image is too small.', 'invalid_request'],
  ['image_parse_error', 'The image could not be parsed.', 'invalid_request'],
  ['image_content_policy_violation', 'The image breaks the rules.', 'content_filter'],
  ['invalid_image_mode', 'The mode of the image is invalid.', 'invalid_request'],
  ['image_file_too_large', 'The file of the image is too large.', 'invalid_request'],
  ['unsupported_image_media_type', 'The media type of the image is unknown.', 'unsupported'],
  ['empty_image_file', 'The file of the image is empty.', 'invalid_request'],
  ['failed_to_download_image', 'The image could not be downloaded.', 'invalid_request'],
  ['image_file_not_found', 'The file of the image was not found.', 'invalid_request'],
  [
    'context_length_exceeded',
    'Your input exceeds the context window of this model.',
    'context_length',
  ],
  ['insufficient_quota', 'You exceeded your current quota.', 'quota'],
  ['something_of_2027', 'It did not work.', 'server'],
];

const failed = (code: string, text: string): Form['answers'][number] =>
  events(...half, ends({ error: { code, message: text } }, 'failed'));

interface ErrorRow {
  readonly name: string;
  readonly answer: Form['answers'][number];
  readonly expected: Form['expected'];
}

const error = { code: 'server_error', message: 'Nobody knows.', param: null };

/** Errors within the stream. */
const ERRORS: readonly ErrorRow[] = [
  {
    name: 'an `error` event',
    answer: events(...half, { type: 'error', ...error }),
    expected: { code: 'server', says: 'Nobody knows', partial: 'half an' },
  },
  {
    name: 'an `error` event with the error inside',
    answer: events(...half, { type: 'error', error: { ...error, type: 'server_error' } }),
    expected: { code: 'server', says: 'Nobody knows', partial: 'half an' },
  },
  {
    name: 'an `error` event without a line for its kind',
    answer: {
      headers: { 'content-type': 'text/event-stream' },
      body: `data: ${JSON.stringify(created)}\n\ndata: ${JSON.stringify({ type: 'error', ...error })}\n\n`,
    },
    expected: { code: 'server', says: 'Nobody knows' },
  },
  {
    name: 'an `error` event before anything else',
    answer: events({ type: 'error', code: 'rate_limit_exceeded', message: 'Rate limit reached.' }),
    expected: { code: 'rate_limit', isRetryable: true },
  },
  {
    name: 'an `error` event about the context',
    answer: events(created, {
      type: 'error',
      error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' },
    }),
    expected: { code: 'context_length' },
  },
  {
    name: 'a failure without a reason',
    answer: events(...half, ends({ error: null }, 'failed')),
    expected: { code: 'server', partial: 'half an' },
  },
  {
    name: 'a failure as a whole answer',
    answer: { body: response({ status: 'failed', error, output: [message('half an')] }) },
    expected: { code: 'server', says: 'Nobody knows', partial: 'half an' },
  },
  {
    name: 'no end of the stream',
    answer: events(...half),
    expected: { code: 'truncated', partial: 'half an' },
  },
  {
    name: '`[DONE]` without an end of the response',
    answer: {
      headers: { 'content-type': 'text/event-stream' },
      body: `data: ${JSON.stringify(piece('half an'))}\n\ndata: [DONE]\n\n`,
    },
    expected: { code: 'truncated', partial: 'half an' },
  },
  {
    name: 'a response that still runs, as a whole answer',
    answer: { body: response({ status: 'queued', usage: null }) },
    expected: { code: 'truncated' },
  },
];

export const ENDING_FORMS: readonly Form[] = [
  ...ENDS.map(([name, kind, fields, becomes]): Form => ({
    kind: 'the Responses API: the end of an answer',
    wire: 'responses',
    name,
    answers: [events(...half, ends(fields, kind))],
    expected: expectedOf(becomes),
  })),
  ...FAILURES.map(([code, text, becomes]): Form => ({
    kind: 'the Responses API: failures',
    wire: 'responses',
    name: `\`${code}\``,
    answers: [failed(code, text)],
    expected: {
      code: becomes,
      partial: 'half an',
      ...(code === 'rate_limit_exceeded' ? { retryAfterMs: 20_000 } : {}),
    },
  })),
  ...ERRORS.map(({ name, answer, expected }): Form => ({
    kind: 'the Responses API: failures',
    wire: 'responses',
    name,
    answers: [answer],
    expected,
  })),
];
