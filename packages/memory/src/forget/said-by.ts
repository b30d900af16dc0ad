import type { JsonObject } from '@vizprompt/providers';
import type { Eraser } from '@vizprompt/providers/internal';
import type { MemoryEvent } from '../model/memory-event.ts';

/** Fields of the facts about an event, and about a session, that name a person or an agent. */
const EVENT_NAMES = ['speaker', 'user'] as const;
const SESSION_NAMES = ['user', 'speaker'] as const;

/**
 * Checks whether a speaker said an event. This is the one place that knows which fields name a person: recorders name
 * the speaker of a turn, and a session whose metadata name a user has that user's messages.
 */
export function isSaidBy(
  { type, meta }: MemoryEvent,
  session: JsonObject,
  eraser: Eraser,
): boolean {
  if (EVENT_NAMES.some((name) => eraser.isSpeaker(meta?.[name]))) return true;
  return type === 'user_message' && isSessionOf(session, eraser);
}

/** Checks whether a session is a speaker's. */
export function isSessionOf(metadata: JsonObject, eraser: Eraser): boolean {
  return SESSION_NAMES.some((name) => eraser.isSpeaker(metadata[name]));
}
