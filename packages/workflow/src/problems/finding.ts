import { nearestName } from '@vizprompt/providers/config';
import type { Source } from '../load/source.ts';
import type { ProblemCode } from './problem.ts';

/** Keys and places of lists that lead to a value. */
export type Path = readonly (string | number)[];

/** A problem before it has its place and its words. */
export interface Finding {
  readonly code: ProblemCode;
  readonly source: Source;
  readonly path: Path;
  /** Whether the key itself is wrong, and not its value. */
  readonly isKey?: boolean;
  /** Where in the text of the value, in UTF-16 code units. */
  readonly within?: number;
  /** The place, where the file could not be parsed. */
  readonly offset?: number;
  /** The place of the other thing of which the sentence speaks as `{other}`. */
  readonly other?: { readonly source: Source; readonly path: Path };
  /** What the sentences speak of. */
  readonly words?: Readonly<Record<string, string>>;
  /** Names that are there, for what is not. */
  readonly known?: readonly string[];
  /** Of those, the one that was meant. */
  readonly nearest?: string | undefined;
}

/** Of more names none is looked for that was meant: that would take longer than everything else. */
const MAX_KNOWN = 1000;

/** A name that is not there, and those that are. */
export function unknownName(
  name: string,
  known: readonly string[],
): Pick<Finding, 'words' | 'known' | 'nearest'> {
  const nearest = known.length > MAX_KNOWN ? undefined : nearestName(name, known);
  return { words: { name }, known, nearest };
}

/** A path as it is written in messages. */
export function pathText(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${step}`))
    .join('');
}
