// The whole package is twenty modules, which every hook would load.
import { diffArrays } from 'diff/lib/diff/array.js';

/** A run of lines that stay, or that are replaced by others. */
export interface LineRun {
  readonly kind: 'same' | 'removed' | 'added';
  readonly lines: readonly string[];
}

/** Beyond this many changed lines the middle is replaced as a whole: the search for less takes too long. */
const MAX_EDITS = 4000;

/** Returns the lines of a text, each with its line feed; the last one may have none. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** How one text becomes another, by lines; removed ones before the added ones in their place. */
export function lineChanges(before: string, after: string): readonly LineRun[] {
  const old = linesOf(before);
  const next = linesOf(after);
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, next.length) - head;
  while (tail < most && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  const runs: LineRun[] = [
    { kind: 'same', lines: old.slice(0, head) },
    ...middle(old.slice(head, old.length - tail), next.slice(head, next.length - tail)),
    { kind: 'same', lines: old.slice(old.length - tail) },
  ];
  return runs.filter(({ lines }) => lines.length > 0);
}

function middle(old: string[], next: string[]): LineRun[] {
  const changes = diffArrays(old, next, { maxEditLength: MAX_EDITS });
  if (!changes) {
    return [
      { kind: 'removed', lines: old },
      { kind: 'added', lines: next },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value,
  }));
}
