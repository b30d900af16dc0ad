import type { Database, FileStore, Logger, RedactOptions, TypedEvents } from '@vizprompt/providers';
import type { TextAnalyzer, TextIndex } from '@vizprompt/providers/text';
import type { MemoryEvents } from '../events.ts';
import type { VectorIndex } from './vector-index.ts';

/** What every part of the store works with. */
export interface MemoryContext {
  readonly database: Database;
  readonly index: TextIndex;
  /** That of the index. */
  readonly analyzer: TextAnalyzer;
  readonly tenant: string;
  /** The SQLite file, where there is one of its own. */
  readonly file?: string;
  /** Locks between all processes that share the memory. */
  readonly lock: FileStore['lock'];
  readonly redact: RedactOptions | false;
  readonly maxContentBytes: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
  readonly events: TypedEvents<MemoryEvents>;
  /** Where events are found by meaning, too. */
  readonly vectors?: VectorIndex;
  /** What is known of sessions and never changes but by `updateSession`. */
  readonly sessions: Map<string, SessionPlace>;
}

/** Where a session lies. */
export interface SessionPlace {
  readonly key: number;
  readonly workspace: string;
  /** The workspace that it was started in, by which the index knows its events; it never changes. */
  readonly home: string;
}
