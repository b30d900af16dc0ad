import { canonicalJson } from '../json/canonical-json.ts';
import type { ChatModel } from '../chat/chat-model.ts';
import type { ChatEvent } from '../chat/events.ts';
import type { LLMError } from '../chat/llm-error.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { JsonValue } from '../json/json-value.ts';
import { callToJson, hashOf } from './call-json.ts';
import { redactDeltas } from './cassette-secrets.ts';
import { errorFromJson, errorToJson } from './error-json.ts';
import { eventsFromJson } from './event-json.ts';
import { isRecord } from '../json/fields.ts';
import { redactStrings } from './redact-strings.ts';

/** One call and its answer, as it lies in a file. */
export interface Cassette {
  /** What was asked, without secrets. */
  readonly call: JsonValue;
  readonly events: readonly ChatEvent[];
  /** What the answer ended with, if it failed. */
  readonly error: LLMError | undefined;
}

/** What a call asks, without secrets. */
export function describeCall(request: ChatRequest, model: ChatModel): JsonValue {
  return redactStrings(callToJson(request, model));
}

/** Where the cassettes of a call are; a number and `.json` follow. */
export function cassettePrefix(folder: string, call: JsonValue): string {
  return `${folder}/${hashOf(call).slice(0, 16)}-`;
}

/** The text of a cassette: one event a line. */
export function formatCassette({ call, events, error }: Cassette): string {
  const lines = redactDeltas(events).map((event) =>
    JSON.stringify(redactStrings(canonicalJson(event))),
  );
  const list = lines.length === 0 ? '[]' : `[\n    ${lines.join(',\n    ')}\n  ]`;
  const asked = indent(JSON.stringify(call, null, 2));
  const failure = error && indent(JSON.stringify(redactStrings(errorToJson(error)), null, 2));
  return `{
  "version": 1,
  "call": ${asked},
  "events": ${list}${failure === undefined ? '' : `,\n  "error": ${failure}`}
}
`;
}

/** Reads a cassette; `undefined` if it is none. */
export function parseCassette(text: string): Cassette | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (!isRecord(json) || json['version'] !== 1) return undefined;
    const events = eventsFromJson(json['events']);
    if (!events) return undefined;
    const error = json['error'] === undefined ? undefined : errorFromJson(json['error'], events);
    if (json['error'] !== undefined && !error) return undefined;
    return { call: canonicalJson(json['call']), events, error };
  } catch {
    return undefined;
  }
}

function indent(json: string): string {
  return json.replaceAll('\n', '\n  ');
}
