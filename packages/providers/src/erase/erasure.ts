import { FLAG, type Kind, type Kinds, optional, SIGNAL, TEXTS } from '../input/kinds.ts';
import type { Dialect } from '../storage/database.ts';

/** Options of everything that erases a person: `eraseSpeaker` of each package. */
export interface EraseOptions {
  /** The name of the person or agent. Case, width (NFKC), the amount of space and characters that are not seen do not count. */
  readonly speaker: string;
  /**
   * Further words of the speaker, where the store does not know that it was the speaker: replaced wherever they are.
   * Default: none.
   */
  readonly texts?: readonly string[] | undefined;
  /**
   * True if the name is also replaced where others mention it in what they say. Default: `false`; the report counts
   * these places.
   */
  readonly mentions?: boolean | undefined;
  /** True if only the report is made, and nothing changes. Default: `false`. */
  readonly dryRun?: boolean | undefined;
  /** Stops it between two steps. Erased data stays erased; calling it again finishes it. */
  readonly signal?: AbortSignal | undefined;
}

/** How much was erased in one place. */
interface ErasedPlace {
  /** The place, such as `nodes`, `history` or `conversation_log`. */
  readonly place: string;
  /** How many items of it were erased or rewritten: nodes, files, rows. */
  readonly count: number;
}

/**
 * A place that an erasure cannot reach.
 *
 * - `git`: the history of a repository that holds the files
 * - `database-log`: the write-ahead log, replicas and backups of a database server
 * - `backups`: copies that users made, exports, and snapshots of the file system
 * - `mentions`: the name, where others mention it
 * - `broken-files`: files that cannot be understood, and mention the name or a file that has copies
 * - `set-aside`: batches that were set aside because it is not proved that this user wrote them
 * - `damaged-rows`: rows that cannot be read, and may hold words of the speaker
 * - `config`: files that users wrote, such as the config of a talk
 * - `dbos`: the tables of DBOS, which keep the steps of runs until these are removed
 * - `transcripts`: what agents keep of their sessions
 * - `vector-server`: the segments of a vector database server, until it optimizes them
 */
export type RemainingPlace =
  | 'git'
  | 'database-log'
  | 'backups'
  | 'mentions'
  | 'broken-files'
  | 'set-aside'
  | 'damaged-rows'
  | 'config'
  | 'dbos'
  | 'transcripts'
  | 'vector-server';

/** A place that may still hold something. */
export interface Remainder {
  readonly place: RemainingPlace;
  /** How many items, where they can be counted. */
  readonly count?: number;
}

/** The result of an erasure, or, with `dryRun`, the expected one. */
export interface ErasureReport {
  /** The name that was erased. Absent: what was deleted before. */
  readonly speaker?: string;
  readonly dryRun: boolean;
  /** The places where something was found, in the order in which they are erased. */
  readonly erased: readonly ErasedPlace[];
  /** The places that it could not reach, with the task for a person: see `docs/deleting.md`. */
  readonly remains: readonly Remainder[];
}

/** Counts what an erasure does. */
export class ErasureCounts {
  readonly #counts = new Map<string, number>();

  add(place: string, count = 1): void {
    if (count > 0) this.#counts.set(place, (this.#counts.get(place) ?? 0) + count);
  }

  /** Checks whether anything was erased. */
  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  list(): readonly ErasedPlace[] {
    return [...this.#counts].map(([place, count]) => ({ place, count }));
  }
}

/** The places that an erasure of a database could not reach. */
export interface DatabaseRemains {
  /** How many items of others mention the name. */
  readonly mentions: number;
  /** How many rows cannot be read. Default: 0. */
  readonly damaged?: number;
  readonly dialect: Dialect;
  /** Further places, whether they hold something or not. */
  readonly others: readonly RemainingPlace[];
}

/** Returns the report of an erasure in a database. */
export function erasureReport(
  { speaker, dryRun = false }: EraseOptions,
  counts: ErasureCounts,
  { mentions, damaged = 0, dialect, others }: DatabaseRemains,
): ErasureReport {
  const counted: readonly Remainder[] = [
    { place: 'mentions', count: mentions },
    { place: 'damaged-rows', count: damaged },
  ];
  const log: readonly RemainingPlace[] = dialect === 'postgres' ? ['database-log'] : [];
  return {
    speaker,
    dryRun,
    erased: counts.list(),
    remains: [
      ...counted.filter(({ count = 0 }) => count > 0),
      ...[...log, ...others].map((place) => ({ place })),
    ],
  };
}

const NAME: Kind<string> = {
  expected: 'a name',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};

/** The options of `eraseSpeaker`, whichever package has it. */
export const ERASE_OPTIONS: Kinds<EraseOptions> = {
  speaker: NAME,
  texts: optional(TEXTS),
  mentions: optional(FLAG),
  dryRun: optional(FLAG),
  signal: optional(SIGNAL),
};
