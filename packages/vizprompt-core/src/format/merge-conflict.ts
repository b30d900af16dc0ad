import { invalidFile } from '../errors.ts';
import { withMarksOfGit } from './jj-conflict.ts';

/** The two texts of a file in which git or Jujutsu left marks, each as a whole. */
export interface ConflictSides {
  readonly ours: string;
  readonly theirs: string;
  /** The common beginning of both, where git writes it (`merge.conflictStyle`). */
  readonly base?: string;
  /** The line of the first mark, from 1. */
  readonly line: number;
  /** A side may have ended elsewhere: it holds a line that looks like the mark in the middle. */
  readonly isAmbiguous: boolean;
  /** Its marks are longer than those that git writes by default: a node may hold them as what was said. */
  readonly isLong: boolean;
}

type Side = 'all' | 'ours' | 'base' | 'theirs';

const MARKS: readonly (readonly [mark: RegExp, from: readonly Side[], to: Side])[] = [
  [/^<{7}(?: .*)?\r?\n?$/, ['all'], 'ours'],
  [/^\|{7}(?: .*)?\r?\n?$/, ['ours'], 'base'],
  [/^={7}\r?\n?$/, ['ours', 'base'], 'theirs'],
  [/^>{7}(?: .*)?\r?\n?$/, ['theirs'], 'all'],
];

/** Returns the side that begins after a line, if it is a mark. */
function sideAfter(side: Side, line: string): Side | undefined {
  return MARKS.find(([mark, from]) => from.includes(side) && mark.test(line))?.[2];
}

/** Takes apart a text with the marks of a merge; `undefined` for one without. */
export function conflictSides(text: string): ConflictSides | undefined {
  if (!text.includes('<<<<<<<') || !text.includes('>>>>>>>')) return undefined;
  const parts: Record<Exclude<Side, 'all'>, string[]> = { ours: [], base: [], theirs: [] };
  const marked = withMarksOfGit(text);
  const lines = marked.text.split(/(?<=\n)/);
  let side: Side = 'all';
  let [first, complete, middles] = [0, 0, 0];
  let hasBase = false;
  for (const [at, line] of lines.entries()) {
    const next = sideAfter(side, line);
    if (side !== 'all' && /^={7}\r?\n?$/.test(line)) middles++;
    if (next === undefined) {
      const to = side === 'all' ? (['ours', 'base', 'theirs'] as const) : [side];
      for (const name of to) parts[name].push(line);
      continue;
    }
    if (next === 'ours' && first === 0) first = at + 1;
    if (next === 'base') hasBase = true;
    if (next === 'all') complete++;
    side = next;
  }
  if (complete === 0 || side !== 'all') return undefined;
  return {
    ours: parts.ours.join(''),
    theirs: parts.theirs.join(''),
    ...(hasBase ? { base: parts.base.join('') } : {}),
    line: first,
    isAmbiguous: middles > complete,
    isLong: marked.isLong,
  };
}

/**
 * Refuses a file that git left a merge conflict in; a parser would complain of something else.
 *
 * @throws VizPromptError with the line of the first mark.
 */
export function refuseMergeConflict(
  code: 'node-invalid' | 'flow-invalid' | 'config-invalid',
  file: string,
  text: string,
): void {
  const sides = conflictSides(text);
  if (!sides || (code === 'node-invalid' && sides.isLong)) return;
  const way =
    code === 'node-invalid'
      ? 'keep one side here, and put the other into a file of its own in nodes/, or let repair() do it'
      : 'keep what both sides added, or let repair() do it';
  throw invalidFile(code, { file, line: sides.line }, `a merge of git is not resolved: ${way}`);
}

/** Both texts as one, with the marks of git around the lines in which they differ. */
export function markConflict(ours: string, theirs: string): string {
  const [mine, other] = [linesOf(ours), linesOf(theirs)];
  const shortest = Math.min(mine.length, other.length);
  let start = 0;
  while (start < shortest && mine[start] === other[start]) start++;
  let end = 0;
  while (end < shortest - start && mine.at(-1 - end) === other.at(-1 - end)) end++;
  return [
    ...mine.slice(0, start),
    '<<<<<<< ours\n',
    ...mine.slice(start, mine.length - end),
    '=======\n',
    ...other.slice(start, other.length - end),
    '>>>>>>> theirs\n',
    ...mine.slice(mine.length - end),
  ].join('');
}

/** Lines with their ends; a mark must not be after a last one that has none. */
function linesOf(text: string): string[] {
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return whole === '' ? [] : whole.split(/(?<=\n)/);
}
