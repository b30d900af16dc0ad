import { codeAt } from '../code-at.ts';
import { heldTexts } from '../redaction-rule.ts';

/** Longer values are not secrets that a name announces. */
export const LONGEST_VALUE = 4000;

const LONGEST_NAME = 60;
const MARGIN = 80;

/** Names of what is public, of words for people, or of parts of a language. */
const NOT_SECRET =
  /public|primary|foreign|sort|partition|cache|next_?page|page_?token|continuation|next_?token|pad_|eos|bos_|unk_|cls_|sep_|mask_|cancel|csrf_?(?:param|header|name|cookie)|idempotency|compass|bypass|site_?key|application_?server_?key|sec-websocket-key|(?:^|_)(?:public|row|column|col|object|hash|index|unique|map|dict|sort|group|route|query|parent|data|i18n|lang|translation|json|s3|storage|registry|shortcut|hot|arrow|enter|ctrl|alt|shift|meta|react|event|node|item|cursor|first|last|any|press|pressed|function|f\d+)[_-]?keys?$/i;

/** The last answer: several words of a name ask for it, and lists repeat their names. */
let judgedName = '';
let isPublic = false;

/** Checks whether a name is that of what is public, of words for people, or of a part of a language. */
export function isPublicName(name: string): boolean {
  if (name !== judgedName) {
    if (judgedName === '') heldTexts.add(forget);
    judgedName = name;
    isPublic = NOT_SECRET.test(name);
  }
  return isPublic;
}

function forget(): void {
  judgedName = '';
  isPublic = false;
}

/** Returns the whole name of an assignment; the `-` of a diff, a list or an option is not part of it. */
export function assignedName(text: string, keyword: number, limit: number): string {
  let end = keyword;
  while (end < limit && isNamePart(codeAt(text, end))) end++;
  return text.slice(startOfName(text, keyword), end);
}

/** Checks whether the name of an assignment is a part of `A::B`. */
export function isInNamespace(text: string, keyword: number): boolean {
  const start = startOfName(text, keyword);
  return codeAt(text, start - 1) === COLON && codeAt(text, start - 2) === COLON;
}

const COLON = 58;

/** Checks whether no part of a name and no namespace is before a place. */
export function isNameStart(text: string, place: number): boolean {
  const before = codeAt(text, place - 1);
  return !isNamePart(before) && before !== COLON;
}

function startOfName(text: string, keyword: number): number {
  let start = keyword;
  const least = Math.max(0, keyword - LONGEST_NAME);
  while (start > least && isNamePart(codeAt(text, start - 1))) start--;
  while (start < keyword && (text.charAt(start) === '-' || text.charAt(start) === '.')) start++;
  return start;
}

/** Checks whether a character is a letter, a digit, `_`, `-` or `.` of ASCII. */
export function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 57 && code !== 47) ||
    code === 95
  );
}

/** Characters that may be before a name at the start of a line: margins of diffs and quotations, numbers, exports. */
const LINE_START =
  /^(?:[\w./-]{1,60}:)?[\s>+#|*-]*(?:\d{1,6}[→:|\t ]{1,2})?[\s>+#|*-]*(?:export |set |ENV |ARG |env: |- |.{0,60}(?:-H|--header)[ =]?(?=["']))?["'$]?(?:env:)?$/;

/** Checks whether the name of an assignment is the first thing of its line, or follows Japanese. */
export function isLineStart(text: string, keyword: number): boolean {
  const start = startOfName(text, keyword);
  const least = Math.max(0, start - MARGIN);
  let line = start;
  while (line > least && !isNewline(codeAt(text, line - 1))) line--;
  if (line === start && (line === 0 || isNewline(codeAt(text, line - 1)))) return true;
  const last = codeAt(text, codeAt(text, start - 1) === SPACE ? start - 2 : start - 1);
  if (last >= FIRST_CJK) return true;
  if (line > 0 && !isNewline(codeAt(text, line - 1))) return false;
  return LINE_START.test(text.slice(line, start));
}

const SPACE = 32;
/** Chinese, Japanese and Korean begin here, which need no space between a sentence and a name. */
const FIRST_CJK = 0x2e80;

function isNewline(code: number): boolean {
  return code === 10 || code === 13;
}

/** Checks whether nothing but a comment follows in the line, or in the cell of a table, or Japanese. */
export function isLineEnd(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const next = codeAt(text, at);
  if (next >= FIRST_CJK || AFTER_LINE.has(next)) return true;
  return next === SPACE && /^[ \t]*(?:[\n\r#]|$)/.test(text.slice(at, at + 8));
}

/** `\n`, `\r`, `\t`, `"`, `#`, `'` and `<`. */
const AFTER_LINE: ReadonlySet<number> = new Set([10, 13, 9, 34, 35, 39, 60]);
