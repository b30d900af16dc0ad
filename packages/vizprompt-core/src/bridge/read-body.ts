import { messageOf } from '@vizprompt/providers';
import { isDeeperThan } from '@vizprompt/providers/internal';
import { z } from 'zod';
import { VizPromptError } from '../errors.ts';
import { ChatError } from './chat-error.ts';

/** Bytes of a request unless something else is said. */
export const MAX_BYTES = 50_000_000;
/** Levels of a body: what is deeper could not be written. */
const MAX_DEPTH = 210;

/**
 * Reads the body of a request as JSON.
 *
 * @throws ChatError with the code `invalid-request` or `too-large`.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text === undefined) {
    throw new ChatError('too-large', `the body has more than ${maxBytes} bytes`);
  }
  const body = parse(text);
  if (isDeeperThan(body, MAX_DEPTH)) {
    throw new ChatError('invalid-request', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ChatError('invalid-request', `the body is no JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Reads a body; `undefined` if it has more bytes than are allowed. */
async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  if (request.bodyUsed) {
    const problem = 'the body of the request is read already: give the bridge request.clone()';
    throw new VizPromptError('invalid-input', problem);
  }
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Matches a string that YAML and a list can show: without control characters and halves of characters. */
const VISIBLE = /^[^\p{Cc}\p{Cs}]+$/u;

/** The id of a chat, as a client has it. */
export const CHAT_ID: z.ZodString = z
  .string()
  .min(1)
  .max(200)
  .regex(VISIBLE, 'it has control characters or halves of characters');

/** The id of a message. It may be of any length, as those of edited messages grow. */
export const MESSAGE_ID: z.ZodString = z.string().min(1);
