import { isRecord, parseJson } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';

/**
 * Returns the pieces of an answer: a stream as it is, a whole answer as one piece. A server that streams always sends events
 * to a call that asked for none, which the SDK gives as a text; so it gives JSON that says it is a text.
 *
 * @throws LLMError with the code `bad_response` for a text without events.
 */
export function piecesOf(answer: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof answer === 'string') return eventsIn(answer);
  return isIterable(answer) ? answer : [answer];
}

function eventsIn(text: string): readonly unknown[] {
  const whole = parseJson(text);
  if (isRecord(whole)) return [whole];
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
  const events = lines.flatMap((line) => parseJson(line.slice('data:'.length)) ?? []);
  if (events.length > 0) return events;
  const said = text.replace(/\s\s*/g, ' ').trim().slice(0, 200);
  throw new LLMError('bad_response', `the server answered with a text instead of JSON: ${said}`);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
