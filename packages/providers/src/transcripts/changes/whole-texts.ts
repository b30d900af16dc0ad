/** Texts before and after a change, as far as its diff contains them whole. */
interface WholeTexts {
  readonly oldText: string;
  readonly newText: string;
}

const HUNK = /^@@ -(\d\d*)(?:,(\d\d*))? \+\d\d*(?:,\d\d*)? @@/;

/**
 * Returns both texts of a unified diff that shows the whole file: one hunk from the first line on, with fewer lines
 * after the last change than a diff shows where there are more.
 *
 * @param context - Lines around a change that the diff shows where the file has them. Default: as few as any diff.
 */
export function wholeTexts(diff: string, context = 1): WholeTexts | undefined {
  const lines = diff.split('\n');
  const hunks = lines.flatMap((line, at) => (HUNK.test(line) ? [at] : []));
  const [first] = hunks;
  if (first === undefined || hunks.length > 1) return undefined;
  const [, start] = HUNK.exec(lines[first] ?? '') ?? [];
  if (Number(start) > 1) return undefined;
  const body = lines.slice(first + 1);
  if (body.at(-1) === '') body.pop();
  const after = body.toReversed().findIndex((line) => /^[+-]/.test(line));
  const trailing = body.slice(body.length - Math.max(after, 0));
  if (trailing.filter((line) => !line.startsWith('\\')).length >= context) return undefined;
  return { oldText: sideOf(body, '-'), newText: sideOf(body, '+') };
}

/** One side of a hunk: an end of the file without a line end is marked after the line. */
function sideOf(body: readonly string[], sign: string): string {
  let text = '';
  for (const [at, line] of body.entries()) {
    if (line.startsWith('\\') || (line !== '' && ![' ', sign].includes(line[0] ?? ''))) continue;
    const isOpen = body[at + 1]?.startsWith('\\') === true;
    text += line.slice(1) + (isOpen ? '' : '\n');
  }
  return text;
}

/** Applies a unified diff to the text that it was made of; `undefined` if that is another one. */
export function applyDiff(text: string, diff: string): string | undefined {
  const old = linesOf(text);
  const result: string[] = [];
  let at = 0;
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let isInHunk = false;
  for (const [index, line] of lines.entries()) {
    const start = HUNK.exec(line)?.[1];
    if (start !== undefined) {
      isInHunk = true;
      // A hunk without old lines comes after the line that it names.
      const isEmpty = /^@@ -\d\d*,0 /.test(line);
      const from = Number(start) - (isEmpty ? 0 : 1);
      if (from < at || from > old.length) return undefined;
      result.push(...old.slice(at, from));
      at = from;
      continue;
    }
    if (!isInHunk || line.startsWith('\\')) continue;
    const whole = line.slice(1) + (lines[index + 1]?.startsWith('\\') === true ? '' : '\n');
    if (!line.startsWith('+')) {
      if (old[at] !== whole) return undefined;
      at += 1;
    }
    if (!line.startsWith('-')) result.push(whole);
  }
  return isInHunk ? result.concat(old.slice(at)).join('') : undefined;
}

/** The lines of a text with their ends. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n][^\n]*$/g) ?? []);
}
