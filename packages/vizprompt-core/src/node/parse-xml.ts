import { messageOf } from '@vizprompt/providers';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { invalidFile } from '../errors.ts';
import { refuseMergeConflict } from '../format/merge-conflict.ts';
import type { XmlElement } from './node.ts';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  // Everything is text: `007` is not a number, and spaces count.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * Parses a well-formed XML document.
 *
 * @param file - The name of the file, for errors.
 * @returns The root element.
 * @throws VizPromptError with the code `node-invalid` and the line and column of the problem.
 */
export function parseXml(file: string, text: string): XmlElement {
  const xml = decodeForbidden(text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n'));
  if (hasDocumentType(xml)) {
    throw invalidFile('node-invalid', { file }, 'a document type is not allowed');
  }
  const guarded = guardXml(xml);
  if (!('xml' in guarded)) {
    const line = xml.slice(0, guarded.at).split('\n').length;
    throw invalidFile('node-invalid', { file, line }, guarded.problem);
  }
  const validity = XMLValidator.validate(xml);
  if (validity !== true) {
    refuseMergeConflict('node-invalid', file, xml);
    const { line, col: column, msg } = validity.err;
    const hint = /'&' is not expected/.test(msg) ? ' Write &amp; for it, or use CDATA.' : '';
    throw invalidFile('node-invalid', { file, line, column }, `${msg}${hint}`);
  }
  const roots = elementsOf(file, guarded.xml);
  const [root, second] = roots;
  if (root && !second) return root;
  throw invalidFile('node-invalid', { file }, `there are ${roots.length} root elements`);
}

/** A section that is not text for an XML parser, or a reference to a character by its number. */
const REFERENCE =
  /<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->|<\?[^]*?\?>|&#(?:x([\da-f]{1,8})|(\d{1,10}));/gi;
/** Characters that XML 1.0 allows by their number. Source: XML 1.0, production 2. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u;

/**
 * Replaces references to characters that XML forbids by these characters: parsers leave them out without a word.
 * Some programs write emoji as two references, one for each half.
 */
export function decodeForbidden(xml: string): string {
  if (!xml.includes('&#')) return xml;
  return xml.replaceAll(REFERENCE, (whole, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (hex === undefined && decimal === undefined) return whole;
    if (code > 0x10_ffff) return '\ufffd';
    const character = String.fromCodePoint(code);
    return ALLOWED.test(character) ? whole : character;
  });
}

/** Checks whether a document type precedes the root, after any number of comments and instructions. */
function hasDocumentType(xml: string): boolean {
  let rest = xml.trimStart();
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined;
    if (end === undefined) return /^<!DOCTYPE/i.test(rest.slice(0, 9));
    const at = rest.indexOf(end, 2);
    if (at < 0) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
}

/** Parses the elements. The parser refuses more than its validator: names such as `__proto__`, and what is nested too deeply. */
function elementsOf(file: string, xml: string): XmlElement[] {
  try {
    return toElements(parser.parse(xml));
  } catch (cause) {
    throw invalidFile('node-invalid', { file }, messageOf(cause), cause);
  }
}

type RawNode = Readonly<Record<string, unknown>>;

function isRawNode(value: unknown): value is RawNode {
  return typeof value === 'object' && value !== null;
}

function rawNodes(value: unknown): readonly RawNode[] {
  return Array.isArray(value) ? value.filter(isRawNode) : [];
}

function toElements(value: unknown): XmlElement[] {
  return rawNodes(value).flatMap((raw) => {
    const name = Object.keys(raw).find((key) => key !== ':@');
    return name === undefined || name.startsWith('#') ? [] : [toElement(name, raw)];
  });
}

function toElement(name: string, raw: RawNode): XmlElement {
  const attributes = isRawNode(raw[':@']) ? raw[':@'] : {};
  return {
    name,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, String(value)]),
    ),
    children: toElements(raw[name]),
    text: rawNodes(raw[name]).map(textOf).join(''),
  };
}

function textOf(raw: RawNode): string {
  if ('#text' in raw) return String(raw['#text']);
  return '#cdata' in raw ? rawNodes(raw['#cdata']).map(textOf).join('') : '';
}

/** Elements of a node file, each with at most this many attributes. A conversation of a thousand turns has some thousand. */
const MAX_TAGS = 100_000;
const MAX_ATTRIBUTES = 100;
/** Characters outside of CDATA that the parser takes one by one, some 70 bytes of memory for each. */
const MAX_LOOSE = 4_000_000;
/** Runs of text from this length on become CDATA, which the parser takes as a whole. */
const MIN_RUN = 200;

const QUOTE_OR_END = /["'>]/g;
const SKIPPED: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** A document that an XML parser can take, or why it must not. */
export type GuardedXml =
  | { readonly xml: string }
  | { readonly problem: string; readonly at: number };

/**
 * Scans an XML document once, before a parser does: refuses what would take it more than linear time or memory, and
 * makes CDATA of long texts. Text that is not well-formed is left for the parser to report.
 */
export function guardXml(xml: string): GuardedXml {
  const pieces: string[] = [];
  let tags = 0;
  let loose = 0;
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    const text = xml.slice(at, open < 0 ? xml.length : open);
    // Text outside of the root is not allowed, and the parser says so.
    const packed = tags > 0 && open >= 0 ? pack(text) : { text, loose: text.length };
    pieces.push(packed.text);
    loose += packed.loose;
    if (loose > MAX_LOOSE) {
      return { problem: `too large: more than ${MAX_LOOSE} characters are outside of CDATA`, at };
    }
    if (open < 0) break;
    const end = endOfMarkup(xml, open);
    if (end === undefined) {
      pieces.push(xml.slice(open));
      break;
    }
    if (end.isTag) tags++;
    if (tags > MAX_TAGS) return { problem: `too large: more than ${MAX_TAGS} tags`, at: open };
    if (end.attributes > MAX_ATTRIBUTES) {
      return { problem: `an element has more than ${MAX_ATTRIBUTES} attributes`, at: open };
    }
    pieces.push(xml.slice(open, end.at));
    at = end.at;
  }
  return { xml: pieces.join('') };
}

interface MarkupEnd {
  readonly at: number;
  readonly isTag: boolean;
  readonly attributes: number;
}

function endOfMarkup(xml: string, open: number): MarkupEnd | undefined {
  for (const [start, end] of SKIPPED) {
    if (!xml.startsWith(start, open)) continue;
    const found = xml.indexOf(end, open + start.length);
    return found < 0 ? undefined : { at: found + end.length, isTag: false, attributes: 0 };
  }
  let attributes = 0;
  QUOTE_OR_END.lastIndex = open + 1;
  for (let match = QUOTE_OR_END.exec(xml); match; match = QUOTE_OR_END.exec(xml)) {
    if (match[0] === '>') return { at: match.index + 1, isTag: true, attributes };
    const close = xml.indexOf(match[0], match.index + 1);
    if (close < 0) return undefined;
    attributes++;
    QUOTE_OR_END.lastIndex = close + 1;
  }
  return undefined;
}

/** Makes CDATA of the runs between entities that are long enough. */
function pack(text: string): { readonly text: string; readonly loose: number } {
  if (text.length < MIN_RUN) return { text, loose: text.length };
  const pieces: string[] = [];
  let loose = 0;
  let at = 0;
  while (at < text.length) {
    const entity = text.indexOf('&', at);
    const end = entity < 0 ? text.length : entity;
    const run = text.slice(at, end);
    const isLong = run.length >= MIN_RUN && !run.includes(']]>');
    pieces.push(isLong ? `<![CDATA[${run}]]>` : run);
    if (!isLong) loose += run.length;
    if (entity < 0) break;
    const semicolon = text.indexOf(';', entity);
    const next = semicolon < 0 || semicolon - entity > 20 ? entity + 1 : semicolon + 1;
    pieces.push(text.slice(entity, next));
    loose += next - entity;
    at = next;
  }
  return { text: pieces.join(''), loose };
}
