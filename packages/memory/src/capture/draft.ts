import type { JsonObject } from '@vizprompt/providers';
import type { TranscriptSession } from '@vizprompt/providers/transcripts';
import type { EventType } from '../model/event-data.ts';
import type { NewEventData } from '../model/memory-event.ts';

/** The programs whose transcripts can be read. */
export const TRANSCRIPT_AGENTS = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;

/** A program whose transcripts can be read. */
export type TranscriptAgent = (typeof TRANSCRIPT_AGENTS)[number];

/** A session as its transcript describes it; it becomes complete as the lines are read. */
export type SessionDraft = TranscriptSession;

/** The facts of a draft besides its type and data. */
interface DraftFacts {
  /**
   * Names what happened, the same in every copy of the transcript and in the hooks: made of the
   * agent's own ids.
   */
  readonly key: string;
  /** Another key under which the same thing may have been recorded, by a hook. */
  readonly alias?: string | undefined;
  readonly session: SessionDraft;
  /** As the log has it: times may go backwards; the order of the drafts is that of the file. */
  readonly timestamp?: string | undefined;
  /** The key of the event that led to this one. */
  readonly parent?: string | undefined;
  /** The key of the intention of a `file_edit`. */
  readonly intention?: string | undefined;
  /**
   * The key of the edit of a call that is stored because the texts of the edit are unknown. If a hook
   * has seen the texts, the call is not needed.
   */
  readonly unlessWhole?: string | undefined;
  readonly meta: JsonObject;
  /** The session that it was said in, where this transcript has a copy of it. */
  readonly copiedFrom?: string | undefined;
}

/** One event of a transcript. The store gives it its place in the session. */
export type EventDraft = {
  [Type in EventType]: DraftFacts & { readonly type: Type; readonly data: NewEventData<Type> };
}[EventType];
