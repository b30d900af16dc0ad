import type { FakeWireName } from '@vizprompt/providers/testing';
import { WIRES, type Form, type ServerAnswer } from './form.ts';

const SENTENCE = 'The boiler of the model is on fire.';
const html = { 'content-type': 'text/html' };
const text = { 'content-type': 'text/plain' };

type Row = readonly [name: string, answer: Omit<ServerAnswer, 'status'>, says?: string];

/** Bodies of refusals: wherever the sentence is, it reaches the message. */
const ROWS: readonly Row[] = [
  ['`{ error: { message } }`', { body: { error: { message: SENTENCE } } }],
  ['`{ error: "text" }`', { body: { error: SENTENCE } }],
  ['`{ message }` (Cerebras, Cohere, Bedrock)', { body: { message: SENTENCE } }],
  ['`{ Message }` (AWS)', { body: { Message: SENTENCE, __type: 'ValidationException' } }],
  ['`{ detail }` (FastAPI)', { body: { detail: SENTENCE } }],
  [
    '`{ detail: [{ loc, msg }] }` (pydantic)',
    { body: { detail: [{ loc: ['body', 'x'], msg: SENTENCE, type: 'y' }] } },
  ],
  ['`{ detail: { message } }`', { body: { detail: { message: SENTENCE } } }],
  [
    '`{ object: "error", message }` (vLLM, Mistral)',
    { body: { object: 'error', message: SENTENCE, code: 400 } },
  ],
  ['`[{ error }]` (Google)', { body: [{ error: { message: SENTENCE, code: 400 } }] }],
  [
    '`{ errors: [{ message }] }` (Cloudflare)',
    { body: { success: false, errors: [{ code: 7, message: SENTENCE }] } },
  ],
  ['`{ errors: ["text"] }`', { body: { errors: [SENTENCE] } }],
  ['`{ error: [{ message }] }`', { body: { error: [{ message: SENTENCE }] } }],
  ['`{ error: true, msg }`', { body: { error: true, msg: SENTENCE } }],
  ['`{ code, msg }` (SiliconFlow)', { body: { code: 20012, msg: SENTENCE, data: null } }],
  ['`{ error_code, error_msg }` (Baidu)', { body: { error_code: 336, error_msg: SENTENCE } }],
  [
    '`{ base_resp: { status_msg } }` (MiniMax)',
    { body: { base_resp: { status_code: 2013, status_msg: SENTENCE } } },
  ],
  ['`{ fault: { faultstring } }` (Apigee)', { body: { fault: { faultstring: SENTENCE } } }],
  [
    'problem details (RFC 9457, NIM)',
    { body: { type: 'about:blank', title: 'Bad', status: 400, detail: SENTENCE } },
  ],
  [
    '`{ statusCode, message }` (Azure API Management)',
    { body: { statusCode: 400, message: SENTENCE } },
  ],
  ['`{ error: { error: { message } } }`', { body: { error: { error: { message: SENTENCE } } } }],
  [
    'JSON in the message (LiteLLM)',
    {
      body: {
        error: {
          message: `litellm.BadRequestError: ${JSON.stringify({ error: { message: SENTENCE } })}`,
        },
      },
    },
  ],
  [
    '`metadata.raw` (OpenRouter)',
    {
      body: {
        error: {
          message: 'Provider returned error',
          metadata: { raw: JSON.stringify({ error: { message: SENTENCE } }) },
        },
      },
    },
  ],
  ['a text', { body: SENTENCE, headers: text }],
  ['a JSON string', { body: JSON.stringify(SENTENCE) }],
  ['JSON as a text', { body: JSON.stringify({ error: { message: SENTENCE } }), headers: text }],
  [
    'a server-sent event',
    {
      body: `data: ${JSON.stringify({ error: { message: SENTENCE } })}\n\n`,
      headers: { 'content-type': 'text/event-stream' },
    },
  ],
  [
    'an event of the type `error`',
    { body: `event: error\ndata: ${JSON.stringify({ message: SENTENCE })}\n\n`, headers: text },
  ],
  [
    'a web page (nginx)',
    { body: `<html><head><title>${SENTENCE}</title></head></html>`, headers: html },
  ],
  [
    'a web page without a title',
    { body: `<!DOCTYPE html><body><h1>${SENTENCE}</h1></body>`, headers: html },
  ],
  [
    'XML (AWS, Azure)',
    {
      body: `<?xml version="1.0"?><Error><Code>X</Code><Message>${SENTENCE}</Message></Error>`,
      headers: { 'content-type': 'application/xml' },
    },
  ],
  ['nothing', { body: '', headers: text }, 'status 400'],
];

export const BODY_FORMS: readonly Form[] = WIRES.flatMap((wire: FakeWireName) =>
  ROWS.map(([name, answer, says = SENTENCE.slice(0, -1)]) => ({
    kind: 'the body of a refusal',
    wire,
    name,
    answers: [{ status: 400, ...answer }],
    expected: { code: 'invalid_request', says },
  })),
);
