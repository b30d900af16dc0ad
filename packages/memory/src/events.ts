import type { ListenerCheck } from '@vizprompt/providers/config/internal';
import { listenerCheck } from './check-values.ts';
import type { MemoryEvent } from './model/memory-event.ts';
import type { Session } from './model/session.ts';

/**
 * Events of a store, each emitted after it is durable. Changes of other processes are not among them,
 * and neither is what was redacted.
 */
export interface MemoryEvents {
  'session:started': { readonly session: Session };
  'session:ended': { readonly session: Session };
  'session:updated': { readonly session: Session };
  'session:deleted': { readonly id: string };
  /** One event was logged; after `logMany` each of them, in order. */
  'event:logged': { readonly event: MemoryEvent };
  'event:forgotten': { readonly id: string; readonly session_id: string };
  /** Retention deleted sessions. */
  'retention:applied': { readonly sessions: number; readonly events: number };
  /**
   * Vectors could not be made, asked or removed. The call was done without them; they are made
   * up for after `retryMs` milliseconds, but for an `event` whose text the model refuses.
   */
  'vectors:failed': {
    readonly task: 'embed' | 'search' | 'remove';
    readonly error: unknown;
    readonly event?: string;
    readonly retryMs?: number;
  };
  /** A long task has come this far. */
  'task:progress': {
    readonly task: 'export' | 'import' | 'check' | 'index' | 'retention' | 'embed' | 'redact';
    readonly done: number;
    /** The total. Absent while it is not known. */
    readonly total?: number;
  };
}

/** Refuses listeners of events that are not among these. */
export const checkListener: ListenerCheck = listenerCheck<MemoryEvents>({
  'session:started': true,
  'session:ended': true,
  'session:updated': true,
  'session:deleted': true,
  'event:logged': true,
  'event:forgotten': true,
  'retention:applied': true,
  'vectors:failed': true,
  'task:progress': true,
});
