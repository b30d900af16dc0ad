import { canonicalJson } from '../json/canonical-json.ts';
import { isRecord } from '../json/fields.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { LLMError } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import { redact } from '../redact/redact.ts';
import { callToJson, errorFromJson, errorToJson, eventsFromJson, hashOf } from './event-json.ts';
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

/** Returns the text of a cassette: one event a line. */
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

/**
 * Takes secrets out of deltas, where one may be spread over several: such a part comes as a single
 * delta then.
 */
function redactDeltas(events: readonly ChatEvent[]): readonly ChatEvent[] {
  const texts = new Map<number, string>();
  for (const event of events) {
    const text = deltaIn(event);
    if (text === undefined || !('index' in event)) continue;
    texts.set(event.index, (texts.get(event.index) ?? '') + text);
  }
  const done = new Set<number>();
  return events.flatMap((event): readonly ChatEvent[] => {
    if (event.type === 'start' || event.type === 'finish' || event.type === 'part') return [event];
    const whole = texts.get(event.index) ?? '';
    const { text, redactions } = redact(whole);
    if (redactions.length === 0) return [event];
    if (done.has(event.index)) return [];
    done.add(event.index);
    return [event.type === 'tool-call-delta' ? { ...event, inputDelta: text } : { ...event, text }];
  });
}

function deltaIn(event: ChatEvent): string | undefined {
  if (event.type === 'tool-call-delta') return event.inputDelta;
  return event.type === 'text-delta' || event.type === 'reasoning-delta' ? event.text : undefined;
}
