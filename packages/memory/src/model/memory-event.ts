import { ID } from './input-kinds.ts';
import { type Kinds, OBJECT, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { JsonObject } from '@vizprompt/providers';
import type { EventDataMap, EventType } from './event-data.ts';

/** The properties of every event. */
interface EventBase {
  readonly id: string;
  readonly session_id: string;
  /** Its place in the session: 1, 2, 3 ... without gaps. */
  readonly sequence: number;
  /** When it happened: ISO 8601, in UTC. */
  readonly timestamp: string;
  /** The event that caused this one; it may have been deleted since. */
  readonly parent_event_id?: string;
  /** Data from a recorder, such as speaker, model and usage. */
  readonly meta?: JsonObject;
  /** How many secrets were removed from it. Absent for none. */
  readonly redactions?: number;
}

/** An event of one type. */
export interface EventOf<Type extends EventType> extends EventBase {
  readonly type: Type;
  readonly data: EventDataMap[Type];
}

/** An event whose content is gone; its place in the session stays. */
interface ForgottenEvent extends EventBase {
  readonly type: 'forgotten';
  readonly data: Readonly<Record<string, never>>;
}

/** Anything that happened in a session. */
export type MemoryEvent = { [Type in EventType]: EventOf<Type> }[EventType] | ForgottenEvent;

/** An event that is to be logged. */
export type NewEvent = {
  [Type in EventType]: EventFacts & { readonly type: Type; readonly data: NewEventData<Type> };
}[EventType];

/** The data of an event that is to be logged: a `diff` is made where it is not given. */
export type NewEventData<Type extends EventType> = Type extends 'file_edit'
  ? Omit<EventDataMap['file_edit'], 'diff'> & { readonly diff?: string }
  : EventDataMap[Type];

/** Facts about an event besides its data. */
export interface EventFacts {
  /** Default: a new UUID of version 7. */
  readonly id?: string | undefined;
  /** ISO 8601 with offset. Default: now. */
  readonly timestamp?: string | undefined;
  /** The id of the event that caused it. */
  readonly parent?: string | undefined;
  readonly meta?: JsonObject | undefined;
}

export const EVENT_FACTS: Kinds<EventFacts> = {
  id: optional(ID, { en: 'Default: a new UUID of version 7' }),
  timestamp: optional(TEXT, { en: 'ISO 8601 with offset. Default: now' }),
  parent: optional(ID, { en: 'The event that caused it' }),
  meta: optional(OBJECT),
};
