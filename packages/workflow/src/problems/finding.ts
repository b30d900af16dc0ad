import { nearestName } from '@vizprompt/providers/config';
import type { ProblemCode } from './problem.ts';

/** A file that was read, or what was given in its place. */
export interface Source {
  /** For messages. */
  readonly name: string;
  readonly value: unknown;
  /** Absent for what was given as an object. */
  readonly text?: string;
  readonly format: 'json' | 'yaml' | 'object';
  /** Mistyped keys as they are written, by the paths that they have in `value`, as JSON. */
  readonly renamed?: ReadonlyMap<string, string>;
}

/** Keys and places of lists that lead to a value. */
export type Path = readonly (string | number)[];

/** A problem before it has its place and its words. */
export interface Finding {
  readonly code: ProblemCode;
  readonly source: Source;
  readonly path: Path;
  /** True if the key itself is wrong, and not its value. */
  readonly isKey?: boolean;
  /** Where in the text of the value, in UTF-16 code units. */
  readonly within?: number;
  /** The place, where the file could not be parsed. */
  readonly offset?: number;
  /** The place of the other thing of which the sentence speaks as `{other}`. */
  readonly other?: { readonly source: Source; readonly path: Path };
  /** The values for the placeholders of the sentences. */
  readonly words?: Readonly<Record<string, string>>;
  /** Names that are there, for what is not. */
  readonly known?: readonly string[];
  /** The known name that was probably meant. */
  readonly nearest?: string | undefined;
}

/** With more names than this, no nearest one is searched: that would take longer than everything else. */
const MAX_KNOWN = 1000;

/** Returns a name that is not there, and those that are. */
export function unknownName(
  name: string,
  known: readonly string[],
): Pick<Finding, 'words' | 'known' | 'nearest'> {
  const nearest = known.length > MAX_KNOWN ? undefined : nearestName(name, known);
  return { words: { name }, known, nearest };
}

/** Returns a path as it is written in messages. */
export function pathText(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${step}`))
    .join('');
}

/** Where something with a name comes from. */
export interface Origin {
  readonly source: Source;
  readonly path: Path;
}

/** The origins of workflows by their names, and of prompts and roles by set and name. */
export interface Origins {
  readonly workflows: ReadonlyMap<string, Origin>;
  /** The names of workflows of which only some steps are intact. */
  readonly partial: ReadonlySet<string>;
  readonly prompts: ReadonlyMap<string, ReadonlyMap<string, Origin>>;
  readonly roles: ReadonlyMap<string, ReadonlyMap<string, Origin>>;
  /** Of `use.retries`. */
  readonly retries: ReadonlyMap<string, Origin>;
  /** Of `use.models`. */
  readonly models: ReadonlyMap<string, Origin>;
  readonly schedules: ReadonlyMap<string, Origin>;
  readonly webhooks: ReadonlyMap<string, Origin>;
}

/** Returns the keys that lead to a value as they are written in the file, mistyped ones as well. */
export function writtenPath({ renamed }: Source, path: Path): Path {
  if (!renamed) return path;
  return path.map((step, at) => renamed.get(keyOf(path.slice(0, at + 1))) ?? step);
}

/** Checks whether a path leads through a mistyped key. */
export function isRenamed({ renamed }: Source, path: Path): boolean {
  return path.some((_, at) => renamed?.has(keyOf(path.slice(0, at + 1))) === true);
}

/** Returns a path as a key of `renamed`. */
export function keyOf(path: Path): string {
  return JSON.stringify(path);
}
