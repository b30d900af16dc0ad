import { TextDecoder } from 'node:util';
import { decodeText } from '../encoding/decode-text.ts';
import { NAMED_CHARACTERS } from '../encoding/named-characters.ts';
import { loadBookPackages } from './load-packages.ts';
import { BookProblem, type ZipParts } from './zip-parts.ts';

/** Elements within each other, at most. */
const DEEPEST = 1000;

/** An element, by its local name. */
export interface XmlTag {
  readonly name: string;
  /** By local names; of two with one, the last. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Receives the content of an XML file in its order. */
export interface XmlHandler {
  open?(tag: XmlTag): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads an XML file of a book without a tree. Entities that the file defines are not expanded; what is not well-formed is
 * repaired, as readers of books do.
 *
 * @throws BookProblem for what cannot be unpacked.
 */
export async function readXml(parts: ZipParts, name: string, handler: XmlHandler): Promise<void> {
  const { SaxesParser } = (await loadBookPackages()).saxes;
  const parser = new SaxesParser({ position: false });
  Object.assign(parser.ENTITIES, NAMED_CHARACTERS);
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name: tag, attributes }) => {
    const entries = Object.entries(attributes).map(
      ([key, value]) => [localName(key), value] as const,
    );
    handler.open?.({ name: localName(tag), attributes: new Map(entries) });
  });
  parser.on('closetag', ({ name: tag }) => handler.close?.(localName(tag)));
  const text = (piece: string): void => handler.text?.(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  const pieces: Buffer[] = [];
  for await (const piece of parts.read(name)) pieces.push(piece);
  const xml = repairXml(decodeXml(Buffer.concat(pieces)), DEEPEST);
  if (xml === undefined) throw new BookProblem(`its file ${name} is nested too deeply`);
  parser.write(xml).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Names an encoding in the declaration of XML, or in the head of HTML. */
const DECLARED =
  /(?:<\?xml[^>]{0,200}?\sencoding|<meta[^>]{0,200}?\bcharset)\s*=\s*["']?([\w.:-]{1,40})/i;
const HEAD_BYTES = 1024;
/** Names of Shift_JIS that `TextDecoder` does not have. */
const WINDOWS = /^(?:cp|ibm-?|windows-|x-ms-cp|ms)_?9(?:32|43)c?$/i;

/** Decodes an XML file of a book: by its byte order mark, as UTF-8, in the encoding that it declares, or by its text. */
function decodeXml(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  if (first === 0x3c && second === 0) return decode('utf-16le', bytes);
  if (first === 0 && second === 0x3c) return decode('utf-16be', bytes);
  const label = DECLARED.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1] ?? 'utf-8';
  const declared = WINDOWS.test(label) ? 'shift_jis' : label.toLowerCase();
  // Where the declaration can be read as ASCII, UTF-16 is false.
  const known = isKnown(declared) && !declared.startsWith('utf-16') ? declared : 'utf-8';
  const order = known === 'iso-2022-jp' ? [known] : ['utf-8', known];
  for (const encoding of order) {
    const text = decodeWhole(encoding, bytes);
    if (text !== undefined) return text;
  }
  return decodeText(bytes) ?? decode(known, bytes);
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

function decode(encoding: string, bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes);
}

function decodeWhole(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** An ampersand that begins no reference. */
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z_][\w.-]{0,31});)/g;
const TAG =
  /<(?<slash>\/?)(?<name>[A-Za-z_][^\s/<>"']*)(?<rest>[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*){0,1000})>/y;
/** Elements of HTML that never have content: pages leave out their end. */
const VOID = /^(?:br|hr|img|wbr)$/i;

/**
 * Returns an XML file as readers of books understand it: an ampersand or `<` that is text becomes a reference, an end tag
 * without a beginning is removed, and elements that overlap end together. A well-formed file means the same afterwards.
 *
 * @param deepest - Elements that may be within each other.
 * @returns Undefined if they are nested more deeply.
 */
export function repairXml(text: string, deepest: number): string | undefined {
  const pieces: string[] = [];
  const open: string[] = [];
  const names = new Map<string, number>();
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    pieces.push(withReferences(text.slice(at, start < 0 ? text.length : start)));
    if (start < 0) break;
    if (!/[A-Za-z_/!?]/.test(text.charAt(start + 1))) {
      pieces.push('&lt;');
      at = start + 1;
      continue;
    }
    at = endOfMarkup(text, start);
    if (at > start) {
      pieces.push(text.slice(start, at));
      continue;
    }
    TAG.lastIndex = start;
    const { slash, name = '', rest = '' } = TAG.exec(text)?.groups ?? {};
    if (name === '') {
      pieces.push('&lt;');
      at = start + 1;
      continue;
    }
    at = TAG.lastIndex;
    if (slash === '/') {
      pieces.push(...endTags(open, names, name.toLowerCase()));
      continue;
    }
    const isWhole = rest.endsWith('/');
    const isVoid = !isWhole && VOID.test(name);
    pieces.push(`<${name}${withReferences(rest)}${isVoid ? '/' : ''}>`);
    if (isWhole || isVoid) continue;
    open.push(name);
    count(names, name.toLowerCase(), 1);
    if (open.length > deepest) return undefined;
    // A program is no markup.
    if (name === 'script') at = endOf(text, '</script', at, 0);
  }
  return pieces.join('');
}

function withReferences(text: string): string {
  return text.includes('&') ? text.replaceAll(BARE_AMPERSAND, '&amp;') : text;
}

/** Returns the end of what is copied as it is: a comment, CDATA, an instruction; `start` for anything else. */
function endOfMarkup(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return endOf(text, '-->', start + 4);
  if (text.startsWith('<![CDATA[', start)) return endOf(text, ']]>', start);
  if (text.startsWith('<?', start)) return endOf(text, '?>', start);
  if (!/^<!doctype/i.test(text.slice(start, start + 9))) return start;
  const end = endOf(text, '>', start);
  const subset = text.slice(start, end).includes('[');
  return subset ? endOf(text, '>', endOf(text, ']', start)) : end;
}

function endOf(text: string, mark: string, from: number, length = mark.length): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + length;
}

/**
 * Returns the end tags of an element and of those within it; none for one that did not begin.
 *
 * @param names - The number of open elements by their names in small letters.
 */
function endTags(open: string[], names: Map<string, number>, wanted: string): string[] {
  const tags: string[] = [];
  while ((names.get(wanted) ?? 0) > 0) {
    const name = open.pop() ?? '';
    tags.push(`</${name}>`);
    const small = name.toLowerCase();
    count(names, small, -1);
    if (small === wanted) break;
  }
  return tags;
}

function count(names: Map<string, number>, name: string, by: number): void {
  names.set(name, (names.get(name) ?? 0) + by);
}
