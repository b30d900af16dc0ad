import type { JsonValue } from '@vizprompt/providers';
import { diffArrays } from 'diff/lib/diff/array.js';
import { TextCache } from '../text-cache.ts';

/** Lines around a change in a diff. */
const CONTEXT = 3;

/** The input of a diff. */
export interface DiffInput {
  /** The path in it: relative, with `/`. */
  readonly path: string;
  /** `undefined` for a file that is new. */
  readonly before: string | undefined;
  /** `undefined` for a file that is deleted. */
  readonly after: string | undefined;
}

/**
 * Returns a unified diff that `git apply` and `patch -p1` accept: lines as they are, with their tabs and carriage
 * returns, a missing line feed at the end marked as such, new and deleted files named so.
 *
 * @returns `''` if nothing changes.
 */
export function unifiedDiff({ path, before, after }: DiffInput): string {
  if (before === after) return '';
  const old = `a/${path}`;
  const next = `b/${path}`;
  const head = [`diff --git ${quote(old)} ${quote(next)}`];
  if (before === undefined) head.push('new file mode 100644');
  if (after === undefined) head.push('deleted file mode 100644');
  const hunks = hunksOf(lineChanges(before ?? '', after ?? ''));
  if (hunks.length > 0) {
    head.push(`--- ${before === undefined ? '/dev/null' : fileName(old)}`);
    head.push(`+++ ${after === undefined ? '/dev/null' : fileName(next)}`);
  }
  return `${head.join('\n')}\n${hunks.join('')}`;
}

/** A tab ends a name that has spaces in it. */
function fileName(name: string): string {
  const quoted = quote(name);
  return quoted === name && name.includes(' ') ? `${name}\t` : quoted;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Returns a name as git quotes it, with control characters in octal. */
function quote(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what needs quoting
  const special = /[\u0000-\u001f\u007f"\\]/g;
  const quoted = name.replaceAll(
    special,
    (character) =>
      ESCAPES[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return quoted === name ? name : `"${quoted}"`;
}

interface Hunk {
  /** Lines before it in the old and in the new text. */
  readonly oldStart: number;
  readonly newStart: number;
  oldCount: number;
  newCount: number;
  text: string;
}

function hunksOf(runs: readonly LineRun[]): string[] {
  const hunks: Hunk[] = [];
  let oldLine = 0;
  let newLine = 0;
  let hunk: Hunk | undefined;
  for (const [index, { kind, lines }] of runs.entries()) {
    if (kind !== 'same') {
      hunk ??= { oldStart: oldLine, newStart: newLine, oldCount: 0, newCount: 0, text: '' };
      addLines(hunk, kind, lines);
      if (kind === 'removed') oldLine += lines.length;
      else newLine += lines.length;
      continue;
    }
    const isLast = index === runs.length - 1;
    const joins = !isLast && lines.length <= 2 * CONTEXT;
    if (hunk) addLines(hunk, 'same', joins ? lines : lines.slice(0, CONTEXT));
    if (hunk && !joins) {
      hunks.push(hunk);
      hunk = undefined;
    }
    oldLine += lines.length;
    newLine += lines.length;
    if (isLast || hunk) continue;
    const lead = lines.slice(-CONTEXT);
    const oldStart = oldLine - lead.length;
    hunk = { oldStart, newStart: newLine - lead.length, oldCount: 0, newCount: 0, text: '' };
    addLines(hunk, 'same', lead);
  }
  if (hunk) hunks.push(hunk);
  return hunks.map((part) => `${headOf(part)}\n${part.text}`);
}

function addLines(hunk: Hunk, kind: LineRun['kind'], lines: readonly string[]): void {
  const mark = kind === 'same' ? ' ' : kind === 'added' ? '+' : '-';
  for (const line of lines) {
    hunk.text += mark + line;
    if (!line.endsWith('\n')) hunk.text += '\n\\ No newline at end of file\n';
  }
  if (kind !== 'added') hunk.oldCount += lines.length;
  if (kind !== 'removed') hunk.newCount += lines.length;
}

function headOf({ oldStart, oldCount, newStart, newCount }: Hunk): string {
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@`;
}

/** Lines count from 1; an empty range is after the line that it names. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

/** How many lines a unified diff adds and removes. */
export function countLines(diff: string): { readonly added: number; readonly removed: number } {
  // The names of the files are before the first hunk, and begin with the same signs.
  const start = diff.search(/^@@ /m);
  if (start < 0) return { added: 0, removed: 0 };
  const hunks = diff.slice(start);
  return {
    added: hunks.match(/^\+/gm)?.length ?? 0,
    removed: hunks.match(/^-/gm)?.length ?? 0,
  };
}

/** The results of recent edits, by the text that they made. */
const recent = new TextCache<{
  readonly action: JsonValue | undefined;
  readonly path: string;
  readonly before: string | undefined;
  readonly diff: string | undefined;
}>();

/** Returns the diff of an edit; nothing where the texts that its action needs are not known. */
export function diffOfEdit(
  action: JsonValue | undefined,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const known = after === undefined ? undefined : recent.get(after);
  if (known?.action === action && known?.path === path && known.before === before) {
    return known.diff;
  }
  const diff = newDiff(action, path, before, after);
  if (after !== undefined) recent.set(after, { action, path, before, diff });
  return diff;
}

function newDiff(
  action: JsonValue | undefined,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (action === 'create' && after !== undefined) {
    return unifiedDiff({ path, before: before === '' ? undefined : before, after });
  }
  if (action === 'delete' && before !== undefined) {
    return unifiedDiff({ path, before, after: undefined });
  }
  if (before === undefined || after === undefined) return undefined;
  return unifiedDiff({ path, before, after });
}

// The whole package is twenty modules, which every hook would load.

/** A run of lines that stay, or that are replaced by others. */
interface LineRun {
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
function lineChanges(before: string, after: string): readonly LineRun[] {
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
