import type { JsonValue } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import { isId } from './ids-and-times.ts';

/** The words of the user. */
export interface UserMessageData {
  readonly content: string;
}

/** The answer of the assistant. */
export interface AssistantMessageData {
  readonly content: string;
  /** The tools that the answer called. */
  readonly tool_calls?: readonly { readonly tool: string; readonly args: JsonValue }[];
}

/** The thoughts of the assistant. */
export interface ThinkingData {
  /** Empty where the provider keeps the thought to itself. */
  readonly content: string;
  /** The subject. */
  readonly context?: string;
}

/** The change of a file. */
export type FileAction = 'create' | 'edit' | 'delete';

/** Why a file is to be changed, written before the change. */
export interface CodeIntentionData {
  readonly action: FileAction;
  /** Absolute; a relative one is taken from the workspace of the session. */
  readonly file_path: string;
  readonly reason: string;
  /** The whole text before. */
  readonly old_content?: string;
  /** The whole text afterwards. */
  readonly new_content?: string;
  /** Unified diff. Made from the two texts where it is not given. */
  readonly diff?: string;
}

/** How a file was changed, written after the change. */
export interface FileEditData {
  readonly action: FileAction;
  /** Absolute; a relative one is taken from the workspace of the session. */
  readonly file_path: string;
  /** The whole text before. */
  readonly old_content?: string;
  /** The whole text afterwards. */
  readonly new_content?: string;
  /** Unified diff. Made from the two texts where it is not given; empty where there is neither. */
  readonly diff: string;
  /** The `code_intention` that this carried out. */
  readonly intention_event_id?: string;
  readonly success: boolean;
  /** Why it failed. */
  readonly error_message?: string;
}

/** A tool was run. */
export interface ToolUseData {
  /** Such as `Bash`, `Read`, `Grep`. */
  readonly tool: string;
  readonly parameters: JsonValue;
  readonly result?: JsonValue;
  /** Milliseconds. */
  readonly duration_ms?: number;
  readonly success?: boolean;
}

/** The data of each type of event. */
export interface EventDataMap {
  readonly user_message: UserMessageData;
  readonly assistant_message: AssistantMessageData;
  readonly thinking: ThinkingData;
  readonly code_intention: CodeIntentionData;
  readonly file_edit: FileEditData;
  readonly tool_use: ToolUseData;
}

/** The types of events. */
export type EventType = keyof EventDataMap;

/** All types of events. */
export const EVENT_TYPES: readonly EventType[] = [
  'user_message',
  'assistant_message',
  'thinking',
  'code_intention',
  'file_edit',
  'tool_use',
];

type Kind = 'text' | 'name' | 'id' | 'action' | 'boolean' | 'duration' | 'json' | 'calls';

/** Each field with its kind; those that may be absent end in `?`. */
const FIELDS: Readonly<Record<EventType, Readonly<Record<string, Kind | `${Kind}?`>>>> = {
  user_message: { content: 'text' },
  assistant_message: { content: 'text', tool_calls: 'calls?' },
  thinking: { content: 'text', context: 'text?' },
  code_intention: {
    action: 'action',
    file_path: 'name',
    reason: 'text',
    old_content: 'text?',
    new_content: 'text?',
    diff: 'text?',
  },
  file_edit: {
    action: 'action',
    file_path: 'name',
    old_content: 'text?',
    new_content: 'text?',
    diff: 'text?',
    intention_event_id: 'id?',
    success: 'boolean',
    error_message: 'text?',
  },
  tool_use: {
    tool: 'name',
    parameters: 'json',
    result: 'json?',
    duration_ms: 'duration?',
    success: 'boolean?',
  },
};

const CHECKS: Readonly<Record<Kind, readonly [(value: unknown) => boolean, string]>> = {
  text: [(value) => typeof value === 'string', 'a string'],
  name: [(value) => typeof value === 'string' && value !== '', 'a string that is not empty'],
  id: [isId, 'an id: a string of 1 to 200 characters without NUL or lone surrogates'],
  action: [
    (value) => value === 'create' || value === 'edit' || value === 'delete',
    "'create', 'edit' or 'delete'",
  ],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  duration: [
    (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
    'a number of milliseconds',
  ],
  json: [(value) => value !== undefined, 'a value of JSON'],
  calls: [isCalls, 'a list of { tool, args }'],
};

function isCalls(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((call: unknown) => {
    if (typeof call !== 'object' || call === null) return false;
    return (
      'tool' in call && typeof call.tool === 'string' && 'args' in call && call.args !== undefined
    );
  });
}

/** @throws MemoryError `invalid-input` that names the type. */
export function assertType(type: unknown): asserts type is EventType {
  if (typeof type === 'string' && Object.hasOwn(FIELDS, type)) return;
  throw new MemoryError(
    'invalid-input',
    `there is no event type ${JSON.stringify(type)}: it is one of ${EVENT_TYPES.join(', ')}`,
  );
}

/** One type or several, each checked. */
export function typesOf(type: EventType | readonly EventType[]): readonly EventType[] {
  const types = typeof type === 'string' ? [type] : type;
  for (const one of types) assertType(one);
  if (types.length > 0) return types;
  throw new MemoryError('invalid-input', 'the list of event types is empty: leave it out for all');
}

/**
 * Checks the data of an event by hand, as zod would cost more than writing it.
 *
 * @throws MemoryError `invalid-input` that names the field.
 */
export function assertData(type: EventType, data: unknown): asserts data is object {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new MemoryError('invalid-input', `the data of ${named(type)} is no object`);
  }
  const fields = FIELDS[type];
  for (const name in data) {
    if (Object.hasOwn(fields, name)) continue;
    throw new MemoryError(
      'invalid-input',
      `${named(type)} has no field '${name}': it has ${Object.keys(fields).join(', ')}; further facts go ` +
        "into the event's meta",
    );
  }
  const problem = fieldProblem(type, { ...data });
  if (problem !== undefined) throw new MemoryError('invalid-input', problem);
}

/** Says which field of the data of an event is missing or wrong; fields that are not known are let be. */
export function fieldProblem(
  type: EventType,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [name, isOptional, isFine, wanted] of RULES.get(type) ?? []) {
    const value = values[name];
    if (value === undefined ? isOptional : isFine(value)) continue;
    const found = value === undefined ? 'is missing' : `is ${describe(value)}`;
    return `the field '${name}' of ${named(type)} ${found}: it must be ${wanted}`;
  }
  return undefined;
}

type Rule = readonly [
  name: string,
  isOptional: boolean,
  isFine: (value: unknown) => boolean,
  wanted: string,
];

const RULES: ReadonlyMap<EventType, readonly Rule[]> = new Map(
  EVENT_TYPES.map((type) => [
    type,
    Object.entries(FIELDS[type]).map(([name, rule]): Rule => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a rule is a kind, with or without ?
      const kind = rule.replace('?', '') as Kind;
      return [name, rule.endsWith('?'), ...CHECKS[kind]];
    }),
  ]),
);

/** Returns an event of a type, as messages call it. */
export function named(type: EventType): string {
  return type === 'assistant_message' ? `an ${type}` : `a ${type}`;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `of type ${typeof value}`;
}
