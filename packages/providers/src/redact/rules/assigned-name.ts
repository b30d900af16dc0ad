const LONGEST_NAME = 60;
const MARGIN = 80;

/** Names of what is public, of words for people, or of parts of a language. */
export const NOT_SECRET: RegExp =
  /public|primary|foreign|sort|partition|cache|next_?page|page_?token|continuation|next_?token|pad_|eos|bos_|unk_|cls_|sep_|mask_|cancel|csrf_?(?:param|header|name|cookie)|idempotency|compass|bypass|(?:^|_)(?:public|row|column|col|object|hash|index|unique|map|dict|sort|group|route|query|parent|data|i18n|lang|translation|json|s3|storage|registry|shortcut|hot|arrow|enter|ctrl|alt|shift|meta|react|event|node|item|cursor|first|last|any|press|pressed|function|f\d+)[_-]?key$/i;

/** Returns the whole name of an assignment; the `-` of a diff, a list or an option is no part of it. */
export function assignedName(match: RegExpExecArray): string {
  const { input, index, 0: whole } = match;
  let end = index;
  while (end < index + whole.length && isNamePart(input.charCodeAt(end))) end++;
  return input.slice(startOfName(match), end);
}

/** Checks whether the name of an assignment is a part of `A::B`. */
export function isInNamespace(match: RegExpExecArray): boolean {
  const start = startOfName(match);
  return match.input.charCodeAt(start - 1) === 58 && match.input.charCodeAt(start - 2) === 58;
}

function startOfName({ input, index }: RegExpExecArray): number {
  let start = index;
  const least = Math.max(0, index - LONGEST_NAME);
  while (start > least && isNamePart(input.charCodeAt(start - 1))) start--;
  while (start < index && (input.charAt(start) === '-' || input.charAt(start) === '.')) start++;
  return start;
}

function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 57 && code !== 47) ||
    code === 95
  );
}

/** What may stand before a name at the start of a line: margins of diffs and quotations, numbers, exports. */
const LINE_START =
  /^(?:[\w./-]{1,60}:)?[\s>+#|*-]*(?:\d{1,6}[→:|\t ]{1,2})?[\s>+#|*-]*(?:export |set |ENV |ARG |env: |- )?["'$]?(?:env:)?$/;

/** Checks whether the name of an assignment is the first thing of its line. */
export function isLineStart(match: RegExpExecArray): boolean {
  const { input } = match;
  const start = startOfName(match);
  const least = Math.max(0, start - MARGIN);
  let line = start;
  while (line > least && !isNewline(input.charCodeAt(line - 1))) line--;
  if (line > 0 && !isNewline(input.charCodeAt(line - 1))) return false;
  return line === start || LINE_START.test(input.slice(line, start));
}

function isNewline(code: number): boolean {
  return code === 10 || code === 13;
}

/** Checks whether nothing but a comment follows in the line, or in the cell of a table. */
export function isLineEnd(text: string, at: number): boolean {
  const next = text.charAt(at);
  if (
    next === '' ||
    next === '\n' ||
    next === '\r' ||
    next === '\t' ||
    next === '"' ||
    next === '<'
  )
    return true;
  return /^[ \t]*(?:[\n\r#]|$)/.test(text.slice(at, at + 8));
}
