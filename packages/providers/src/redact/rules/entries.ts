import { heldTexts, type Offsets, type RedactionRule } from '../redaction-rule.ts';
import { isMixed, isVaried } from './judge.ts';
import { isPlaceholder, isValue, looksRandom } from './placeholder.ts';

/** A manifest is read so far on both sides of its kind. */
const LONGEST_MANIFEST = 20_000;
const MOST_ENTRIES = 500;

/** The text that was read last, and where its last manifest, its last list of users and its last map ended. */
let readText = '';
let manifestEnd = 0;
let usersEnd = 0;
let mapEnd = 0;

function forget(): void {
  readText = '';
}

/** Forgets the ends of another text. */
function beginText(text: string): void {
  if (text === readText) return;
  if (readText === '') heldTexts.add(forget);
  readText = text;
  manifestEnd = 0;
  usersEnd = 0;
  mapEnd = 0;
}

/** Lists whose entries are secret, whatever their names. */
export const entryRules: readonly RedactionRule[] = [
  {
    name: 'kubernetes-secret',
    what: 'Entries of a secret of Kubernetes',
    keywords: ['kind: secret', '"kind":"secret"', '"kind": "secret"', 'kind: "secret"'],
    pattern: /"?kind"?: ?"?Secret"?(?=[\s,}]|$)/iy,
    secretsAfter: entriesOfManifest,
  },
  {
    name: 'assignment',
    what: 'Values of a map of YAML whose name is a word for secrets, whatever their names',
    keywords: ['secrets', 'password', 'credentials', 'tokens', 'apikeys', 'api_keys', 'api-keys'],
    pattern:
      /(?<=(?:^|\n)[ \t]{0,24}["']?[\w.-]{0,40})(?:secrets|passwords?|credentials|tokens|api[_-]?keys)["']?:[ \t\r]{0,4}\n(?=[ \t]{1,40}[^\s:]{1,60}: )/iy,
    secretsAfter: valuesOfMap,
  },
  {
    name: 'command-password',
    what: 'Users and passwords for chpasswd, one in a line',
    keywords: ['chpasswd'],
    pattern:
      /chpasswd(?:: {0,4}\n {1,12}list: ?[|>]-? {0,4}\n|[^\n]{0,40}<<[-~]?["']?\w{1,20}["']?[^\n]{0,20}\n)/iy,
    secretsAfter: usersOf,
  },
];

const SECTION = /(?:^|[\s{,"])(?:stringData|data)"?:\s{0,8}[{\n]/g;
const ENTRY =
  /[\s,{]{1,40}"?[\w.-]{1,253}"?: {0,4}(?:[|>][+-]?\s{1,24})?(?:["']?([^\s"',{}|>#][^\s"',{}]{0,10000})["']?|"(?:[^"\\\n]|\\.){0,10000}")[ \t\r]{0,8}(?=[\n,}]|$)/y;

function entriesOfManifest(text: string, keyword: number): readonly Offsets[] {
  beginText(text);
  const least = Math.max(manifestEnd, keyword - LONGEST_MANIFEST);
  if (keyword < least) return [];
  const limit = Math.min(text.length, keyword + LONGEST_MANIFEST);
  const document = text.slice(least, limit);
  const [start, end] = partOf(document, keyword - least);
  manifestEnd = least + Math.max(end, keyword - least + 1);
  const found: Offsets[] = [];
  for (const { index, 0: section } of document.slice(start, end).matchAll(SECTION)) {
    const from = start + index + section.length - 1;
    const isText = section.includes('string');
    ENTRY.lastIndex = from;
    for (let count = 0; count < MOST_ENTRIES; count++) {
      const match = ENTRY.exec(document);
      if (!match || ENTRY.lastIndex > end) break;
      const { 0: whole, 1: value = '' } = match;
      // Templates and other texts are no value, but those after them may be.
      if (value === '') continue;
      const at = match.index + whole.lastIndexOf(value);
      if (isText ? isValue(value) && value.length >= 4 : isEncoded(value))
        found.push([least + at, least + at + value.length]);
    }
  }
  return found;
}

/** Returns where the manifest is whose kind is at a place: an object, an item of a list, or a document. */
function partOf(document: string, place: number): Offsets {
  const line = document.slice(document.lastIndexOf('\n', place - 1) + 1, place);
  // Sentences have words before it.
  const isLine = /^\P{L}*$/u.test(line);
  if (document.charAt(place) === '"' || /[{,]\s*$/.test(line)) {
    const object = objectAround(document, place);
    if (object) return object;
    if (isLine) return [0, document.length];
  }
  if (!isLine && !/["'`>]$/.test(line) && !FIELD_AFTER.test(document.slice(place, place + 200)))
    return [place, place];
  const from = document.lastIndexOf('\n---', place) + 1;
  const mark = /^(.*)(?:- | {2})$/.exec(line)?.[1];
  const item = mark === undefined ? undefined : `\n${mark}- `;
  const start = item === undefined ? from : Math.max(from, document.lastIndexOf(item, place));
  const after = item === undefined ? -1 : document.indexOf(item, place);
  const rest = document.slice(place, after < 0 ? document.length : after);
  const end = rest.indexOf('\n---');
  return [start, place + (end < 0 ? rest.length : end)];
}

/** A field of a manifest in the line after its kind: no sentence continues so. */
const FIELD_AFTER =
  /^kind: ?["']?Secret["']?[ \t\r]{0,8}\n(?:stringData|data|metadata|type|immutable|apiVersion):/i;

/** Returns where the object in JSON is around a place, or nothing if it does not begin in the text. */
function objectAround(document: string, place: number): Offsets | undefined {
  const starts: number[] = [];
  let at = 0;
  let isInText = false;
  for (; at < document.length; at++) {
    if (at === place) {
      // A text within a text, or a beginning within one: the braces of all texts count.
      if (isInText) return objectOfAll(document, place);
      if (starts.length === 0) return undefined;
      break;
    }
    const character = document.charAt(at);
    if (character === '\n') isInText = false;
    else if (character === '"') isInText = !isInText;
    else if (isInText) {
      if (character === '\\') at++;
    } else if (character === '{') starts.push(at);
    else if (character === '}') starts.pop();
  }
  const start = starts.at(-1) ?? 0;
  for (let depth = 1; depth > 0 && at < document.length; at++) {
    const character = document.charAt(at);
    if (character === '\n') isInText = false;
    else if (character === '"') isInText = !isInText;
    else if (isInText) {
      if (character === '\\') at++;
    } else if (character === '{') depth++;
    else if (character === '}') depth--;
  }
  return [start, Math.min(at, document.length)];
}

/** Does the same without regard to texts between quotes. */
function objectOfAll(document: string, place: number): Offsets | undefined {
  let start = place;
  for (let depth = 1; depth > 0;) {
    if (--start < 0) return undefined;
    const character = document.charAt(start);
    if (character === '}') depth++;
    else if (character === '{') depth--;
  }
  let end = place;
  for (let depth = 1; depth > 0 && end < document.length; end++) {
    const character = document.charAt(end);
    if (character === '{') depth++;
    else if (character === '}') depth--;
  }
  return [start, end];
}

/** Checks for Base64 of at least eight digits, and no word: `production`. */
function isEncoded(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{7}[A-Za-z0-9+/]*={0,2}$/.test(value) || isPlaceholder(value)) return false;
  return isMixed(value) || (value.length % 4 === 0 && (isVaried(value) || value.endsWith('=')));
}

/** Names of values that are next to secrets, and are none. */
const OPEN_NAME =
  /(?:^|[_-])(?:user(?:name)?|login|e?mail|url|uri|host|path|file|name|label|hint|model|image|region|font|pattern|regex|version|lib)$/i;

const VALUE_OF_MAP =
  /(?<indent>[ \t]{1,40})["']?(?<name>[\w.@/-]{1,60})["']?: {1,4}["']?(?<value>[^\s"'`<>{}[\]|&*!#][^\s"'`<>]{5,400})["']?[ \t\r]{0,8}(?:\n|$)/y;

function valuesOfMap(text: string, _: number, end: number): readonly Offsets[] {
  beginText(text);
  if (end < mapEnd) return [];
  const found: Offsets[] = [];
  VALUE_OF_MAP.lastIndex = end;
  let at = end;
  let first: string | undefined;
  for (let count = 0; count < MOST_ENTRIES; count++) {
    const match = VALUE_OF_MAP.exec(text);
    const { indent = '', name = '', value = '' } = match?.groups ?? {};
    if (!match || indent !== (first ??= indent)) break;
    at = VALUE_OF_MAP.lastIndex;
    const from = match.index + match[0].lastIndexOf(value);
    if (looksRandom(value) && !OPEN_NAME.test(name)) found.push([from, from + value.length]);
  }
  mapEnd = at;
  return found;
}

const USER = /[ \t]{0,24}[\w.-]{1,40}:([^\s"'`<>$][^\s"'`<>]{3,200})[ \t\r]{0,8}(?:\n|$)/y;

function usersOf(text: string, _: number, end: number): readonly Offsets[] {
  beginText(text);
  if (end < usersEnd) return [];
  const found: Offsets[] = [];
  USER.lastIndex = end;
  let at = end;
  for (let match = USER.exec(text); match && found.length < MOST_ENTRIES; match = USER.exec(text)) {
    const { 1: secret = '' } = match;
    const from = match.index + match[0].lastIndexOf(secret);
    found.push([from, from + secret.length]);
    at = USER.lastIndex;
  }
  usersEnd = at;
  return found.filter(([from, to]) => !isPlaceholder(text.slice(from, to)));
}
