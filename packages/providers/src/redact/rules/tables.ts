import { codeAt } from '../code-at.ts';
import { heldTexts, type Offsets, type RedactionRule } from '../redaction-rule.ts';
import { hasDigit, isMixed, isNameOfParts, isNameOfWords, isNumbered, isOfWords } from './judge.ts';
import { isPlaceholder, isStrongValue, isValue } from './placeholder.ts';
import {
  type Cell,
  cellsOf,
  isLetter,
  isLetterOrDigit,
  isPackage,
  isQuoteOrStar,
  isSpace,
  valueOf,
} from './table-cells.ts';
import { traitsOf } from './traits.ts';

const LONGEST_HEADING = 600;
const LONGEST_ROW = 4000;
const MOST_ROWS = 5000;

const PASSWORD = /^(?:[\w-]{1,30}[ _-]|[a-z]{1,20}(?=P))?(?:password|passwd|pwd|passphrase)$/i;
const PASS = /^(?:[\w-]{1,30}[ _-])?(?:user|db)?(?:pass|Pass|PASS)$|^[a-z]{1,20}Pass$/;
/** Headings of accounts: `pass` without one of them is a result of a test, or a ticket. */
const ACCOUNT =
  /^(?:id|uid|uname|ip|ssid)$|user|login|account|host|server|mail|url|website|domain/i;
/** Headings of what may have a password without being an account. */
const NAMED =
  /^(?:(?:full|first|last|nick)?[ _-]?name|person|member|employee|wi-?fi|network|router|device|service|app)s?$|^(?:氏名|名前|姓名|社員|職員|担当|会員|利用者|ユーザー?|アカウント|端末|機器|回線|ルーター?|用户|用戶|账号|账户|帐号|帳號|员工|设备|이름|사용자|계정|имя|логин|пользователь)(?:者?名?|番号|id)$/i;
const KEY =
  /^(?:[\w-]{1,30}[ _-]|[a-z]{1,20}(?=[A-Z]))?(?:secret|token|api[ _-]?key|access[ _-]?key|secret[ _-]?key|auth[ _-]?key|private[ _-]?key)$/i;

/** The text that was read last: keywords come in ascending order. */
let readText = '';
/** Where the last table ended: a heading within it is none. */
let readUpTo = 0;
/** The last newline, the last bracket and the end of the last `: "` of its line before this place. */
let sought = 0;
let newline = -1;
let bracket = -1;
let opened = -1;
/** The heading that was read last, and the bracket that was, as several keywords are in one. */
let headingStart = -1;
let headingEnd = -1;
let judgedBracket = -1;
let isInsert = false;

function forget(): void {
  readText = '';
}

/** Finds what is last before a keyword. */
function seek(text: string, first: number, keyword: number): void {
  if (text !== readText || keyword < sought) {
    if (readText === '') heldTexts.add(forget);
    if (text !== readText) readUpTo = 0;
    readText = text;
    sought = first;
    newline = bracket = opened = headingStart = judgedBracket = -1;
  }
  for (let at = Math.max(sought, first); at < keyword; at++) {
    const code = codeAt(text, at);
    if (code === NEWLINE) newline = at;
    else if (code === OPEN_BRACKET) bracket = at;
    else if (code === DOUBLE && isAfterColon(text, at)) opened = at + 1;
  }
  sought = keyword;
}

/** Checks for a colon before a place, or a colon and white space, in its line. */
function isAfterColon(text: string, at: number): boolean {
  const before = codeAt(text, at - 1);
  if (before === COLON) return true;
  return codeAt(text, at - 2) === COLON && before !== NEWLINE && isSpace(before);
}

const NEWLINE = 10;
const DOUBLE = 34;
const OPEN_BRACKET = 40;
const COLON = 58;
const COMMA = 44;
const TAB = 9;

/** Columns of tables whose heading says that their values are secret. */
export const tableRules: readonly RedactionRule[] = [
  {
    name: 'table-column',
    what: 'Columns of CSV, TSV, Markdown, psql and mysql whose heading is a password or a key',
    keywords: [
      'password',
      'passwd',
      'pwd',
      'passphrase',
      'pass',
      'secret',
      'token',
      'api key',
      'api_key',
      'apikey',
      'access_key',
      'secret_key',
      'private_key',
    ],
    pattern:
      /(?:password|passwd|pwd|passphrase|pass|secret|token|(?:api|access|secret|private)[_ ]?key)["'`*]{0,3}[ \t]{0,60}(?=[,|;\t)\r\n])/iy,
    skim: skimHeading,
    secretsAfter: columnsOf,
  },
];

/** Returns nothing where no table begins. */
function columnsOf(text: string, keyword: number, end: number): readonly Offsets[] | undefined {
  const first = Math.max(0, keyword - LONGEST_HEADING);
  seek(text, first, keyword);
  if (keyword < readUpTo) return undefined;
  const found = bracket < first ? undefined : statementColumns(text, bracket + 1, keyword);
  if (found) return found;
  if (newline < first && first > 0) return undefined;
  const start = newline < first ? 0 : newline + 1;
  // A text in JSON may begin with a heading.
  return lineColumns(text, Math.max(start, opened), end);
}

/** The shortest keyword and the longest one. */
const SHORTEST_WORD = 3;
const LONGEST_WORD = 12;
const LONGEST_END = 64;

/** Says no where no separator follows a keyword, as the pattern does. */
function skimHeading(text: string, keyword: number): number | undefined {
  let at = keyword + SHORTEST_WORD;
  while (at < keyword + LONGEST_WORD && isLetter(codeAt(text, at))) at++;
  // `api key`.
  if (codeAt(text, at) === 32 && (codeAt(text, at + 1) | 32) === 107) at += 4;
  for (const limit = at + LONGEST_END; at < limit; at++) {
    const code = codeAt(text, at);
    if (code !== 32 && !isQuoteOrStar(code)) return isSeparator(code) ? undefined : -1;
  }
  return undefined;
}

/** Checks for `,`, `|`, `;`, `)`, tabs and ends of lines. */
function isSeparator(code: number): boolean {
  return (
    code === 44 ||
    code === 124 ||
    code === 59 ||
    code === 41 ||
    code === 9 ||
    code === 13 ||
    code === NEWLINE
  );
}

/** Finds the columns of lines of text below a heading. */
function lineColumns(
  text: string,
  start: number,
  keywordEnd: number,
): readonly Offsets[] | undefined {
  const end = endOfLine(text, keywordEnd, LONGEST_HEADING);
  if (start === headingStart && end === headingEnd) return undefined;
  headingStart = start;
  headingEnd = end;
  const separator = separatorOf(text, start, end);
  if (separator < 0) return undefined;
  const heading = cellsOf(text, start, end, separator);
  const columns = secretColumns(text, heading, false);
  if (columns.length === 0) return undefined;
  const found: Offsets[] = [];
  const rows: (readonly Cell[])[] = [];
  let at = end + 1;
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
    const rowEnd = endOfLine(text, at, LONGEST_ROW);
    // The line below a heading.
    if (isLetterOrDigit(codeAt(text, at)) || !/^[\s|+:=-]*$/.test(text.slice(at, rowEnd))) {
      const cells = cellsOf(text, at, rowEnd, separator);
      if (cells.length !== heading.length) break;
      addCells(text, cells, columns, found);
      rows.push(cells);
    }
    at = rowEnd + 1;
  }
  for (const [index, kind] of columns) if (kind === 'result') addResults(text, rows, index, found);
  readUpTo = at;
  return found;
}

/** The separators of columns, the first one first. */
const SEPARATORS = [124, TAB, COMMA, 59];

/** Returns the separator of a heading, or -1 if it has none, or what no heading has. */
function separatorOf(text: string, start: number, end: number): number {
  let best = SEPARATORS.length;
  for (let at = start; at < end; at++) {
    const code = codeAt(text, at);
    if (code >= 128) continue;
    const kind = KINDS[code] ?? 0;
    if (kind === OF_CODE) return -1;
    if (kind > 0 && kind <= best) best = kind - 1;
  }
  return SEPARATORS[best] ?? -1;
}

/** `=`, `{`, `}`, `<` and `>`. */
const OF_CODE = 255;
/** For each separator one more than its place among {@link SEPARATORS}. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[={}<>]/.test(String.fromCharCode(code)) ? OF_CODE : SEPARATORS.indexOf(code) + 1,
);

const INSERT =
  /(?:insert\s{1,4}(?:ignore\s{1,4}|or\s\w{4,8}\s{1,4})?into|replace\s{1,4}into|copy)\s{1,4}[\w."'`[\]]{1,100}\s{0,4}\(\s{0,8}$/i;

/** Finds the columns of a statement that inserts or copies rows, or nothing if none is there. */
function statementColumns(
  text: string,
  start: number,
  keyword: number,
): readonly Offsets[] | undefined {
  if (start !== judgedBracket) {
    judgedBracket = start;
    isInsert = INSERT.test(text.slice(Math.max(0, start - 160), start));
  }
  if (!isInsert) return undefined;
  const end = text.slice(keyword, keyword + LONGEST_HEADING).indexOf(')') + keyword;
  if (end < keyword) return undefined;
  const columns = secretColumns(text, cellsOf(text, start, end, COMMA), true);
  if (columns.length === 0) return [];
  const found: Offsets[] = [];
  const verb = /\)\s{0,8}(?:values\s{0,8}|from stdin[^\n]{0,80};?\n)/iy;
  verb.lastIndex = end;
  const match = verb.exec(text);
  if (!match) return [];
  let at = verb.lastIndex;
  let scanned = 0;
  const isCopy = /from/i.test(match[0]);
  for (let row = 0; row < MOST_ROWS; row++) {
    const rowEnd = isCopy ? endOfLine(text, at, LONGEST_ROW) : endOfTuple(text, at);
    // A tuple without an end is not read again.
    if (rowEnd < 0) scanned = at + LONGEST_ROW;
    const first = isCopy ? at : at + 1;
    if (rowEnd < first || (isCopy && /^\\?\.?\s*$/.test(text.slice(at, rowEnd)))) break;
    addCells(text, cellsOf(text, first, rowEnd, isCopy ? TAB : COMMA), columns, found);
    at = rowEnd + 1;
    if (isCopy) continue;
    const comma = /\s{0,8},\s{0,8}(?=\()/y;
    comma.lastIndex = at;
    if (!comma.test(text)) break;
    at = comma.lastIndex;
  }
  readUpTo = Math.max(at, scanned);
  return found;
}

/** Returns the place of the bracket that closes a tuple, or -1. */
function endOfTuple(text: string, start: number): number {
  if (text.charAt(start) !== '(') return -1;
  let isQuoted = false;
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + LONGEST_ROW); at++) {
    const character = text.charAt(at);
    if (character === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return -1;
}

function endOfLine(text: string, from: number, most: number): number {
  const line = text.slice(from, from + most);
  const end = line.indexOf('\n');
  return from + (end < 0 ? line.length : end);
}

/** `result` is `pass` without an account, most often the result of a test, and `package` is `passwd` in a list of packages. */
type Column = readonly [index: number, kind: 'password' | 'package' | 'pass' | 'result' | 'key'];

/** Returns the columns with secrets; those of a statement have the names of a database. */
function secretColumns(
  text: string,
  heading: readonly Cell[],
  isStatement: boolean,
): readonly Column[] {
  if (heading.length < 2) return [];
  const names = heading.map((cell) => valueOf(text, cell).value);
  // Lists of words, one a line, have an empty cell after their comma.
  if (names.filter((name) => name !== '').length < 2) return [];
  if (names.some((name) => !/^[^(){}[\]]{0,40}$/.test(name))) return [];
  const isOfResults = !isStatement && names.some(isFail);
  const isOfAccounts = isStatement || names.some((name) => ACCOUNT.test(name));
  const mayHavePass = isOfAccounts || (!isOfResults && names.some((name) => NAMED.test(name)));
  const columns: Column[] = [];
  for (const [index, name] of names.entries()) {
    if (PASSWORD.test(name)) {
      const isOfPackages =
        !isOfAccounts && name.endsWith('passwd') && isPackage(name, names[index + 1]);
      columns.push([index, isOfPackages ? 'package' : 'password']);
    } else if (!PASS.test(name)) {
      if (KEY.test(name)) columns.push([index, 'key']);
    } else if (mayHavePass && !isOfResults) columns.push([index, isOfAccounts ? 'pass' : 'result']);
  }
  return columns;
}

function isFail(name: string): boolean {
  return /^fail(?:ed|ures?|s)?$/i.test(name);
}

function addCells(
  text: string,
  cells: readonly Cell[],
  columns: readonly Column[],
  found: Offsets[],
): void {
  for (const [index, kind] of columns) {
    const cell = cells[index];
    if (kind === 'result') continue;
    // Most cells are words.
    if (!cell || !hasDigit(text.slice(...cell))) continue;
    const { value, start } = valueOf(text, cell);
    if (isReference(value)) continue;
    const next = kind === 'package' ? cells[index + 1] : undefined;
    if (next && isPackage(value, valueOf(text, next).value)) continue;
    if (kind === 'key' ? isKeyCell(value) : isPasswordCell(value, kind !== 'pass'))
      found.push([start, start + value.length]);
  }
}

/** Adds the cells of a column `pass` without an account, if most of them are random and none is a name or a version. */
function addResults(
  text: string,
  rows: readonly (readonly Cell[])[],
  index: number,
  found: Offsets[],
): void {
  const all = rows.flatMap(({ [index]: cell }) => (cell ? [valueOf(text, cell)] : []));
  const filled = all.filter(({ value }) => value !== '');
  const random = filled.filter(({ value }) => isRandomCell(value));
  if (random.length * 2 <= filled.length || filled.some(({ value }) => isOfVersion(value))) return;
  for (const { value, start } of random) found.push([start, start + value.length]);
}

/** Checks for numbers of a version, and for words that are joined: `gcc12.3`, `run_12`. */
function isOfVersion(value: string): boolean {
  return /\d\.\d|[A-Za-z]{3}[_-]|[_-][A-Za-z]{3}/.test(value);
}

/** Names of algorithms and versions, which tables about passwords have. */
const NAME = /^[A-Z]{2,10}-?\d{1,4}$/;
const KNOWN_NAME =
  /^(?:(?:sha|md|aes|rsa|utf|base|h?mac|hs|rs|es)-?\d{1,4}(?:[_-][\w-]{1,12})?|v\d{1,4}|[A-Za-z._-]*\d+(?:\.\d+)+)$/i;

/** Checks for the name of a secret that is elsewhere, or the address of a contract. */
function isReference(value: string): boolean {
  return /^0x[\da-f]{40}$|^(?:https?|arn|urn|op|vault|env|ssm):|(?:^|\/)secrets?\//i.test(value);
}

function isName(value: string): boolean {
  return NAME.test(value) || KNOWN_NAME.test(value);
}

/** Checks for a password that is no name, place or time. */
function isRandomCell(value: string): boolean {
  return (
    value.length >= 10 &&
    isMixed(value) &&
    !isReference(value) &&
    isPasswordCell(value, false) &&
    !isNameOfParts(value) &&
    !isNumbered(value) &&
    !isNameOfWords(value) &&
    !isOfWords(value)
  );
}

function isPasswordCell(value: string, mayBeNumber: boolean): boolean {
  const { lowers, uppers, digits, length } = traitsOf(value);
  if (length < 6 || length > 200 || /\s/.test(value) || isName(value)) return false;
  if (isPlaceholder(value) || lowers + uppers === 0)
    return mayBeNumber && digits === length && digits >= 6;
  return isStrongValue(value) || (isValue(value) && /^[a-z]+\d+$/i.test(value));
}

function isKeyCell(value: string): boolean {
  const { lowers, uppers, digits, distinct, length } = traitsOf(value);
  return (
    length >= 12 &&
    length <= 400 &&
    digits >= 2 &&
    lowers + uppers >= 3 &&
    distinct >= 8 &&
    (isMixed(value) || /^[\da-f-]{16,}$/i.test(value) || digits >= 4) &&
    isValue(value) &&
    !/\s/.test(value) &&
    !isNameOfParts(value)
  );
}
