import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import { isTimestamp, isUuid } from '../format/ids-and-times.ts';
import { NODE_STATUSES } from './edit-node.ts';
import type { NodePart, NodeStats, PartOrigin, VizNode, XmlElement } from './node.ts';

/** Returns the text of a node file; the format is `docs/formats/node-xml.md`. */
export function writeNodeXml(node: VizNode): string {
  const { id, timestamp, prompt, response, stats, summary } = node;
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<node${attributes({ id, timestamp })}>`,
    block('prompt', prompt),
    block('response', response),
    ...partsElement('prompt', node.promptParts),
    ...partsElement('response', node.responseParts),
    '<metadata>',
    ...optional('model', node.model),
    ...statsElement('user', stats.user),
    ...statsElement('assistant', stats.assistant),
    element('summary', summary.text, {
      updated: String(summary.isOutdated),
      last_built: summary.lastBuilt,
    }),
    `<tags>${node.tags.map((tag) => element('tag', tag)).join('')}</tags>`,
    ...optional('status', node.status),
    ...optional('speaker', node.speaker),
    ...optional('source', node.source),
    ...(node.unknown ?? []).map(unknownElement),
    '</metadata>',
    '</node>',
    '',
  ];
  return lines.join('\n');
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** Attribute values are always escaped, as no flag can be next to each of them. */
function attributes(values: Attributes): string {
  let written = '';
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) written += ` ${name}="${attributeValue(value)}"`;
  }
  return written;
}

/** Characters that are themselves in an attribute: most ids, times and names have no others. */
const PLAIN = /^[\w .:,;()+/-]*$/;

function attributeValue(value: string): string {
  if (PLAIN.test(value)) return value;
  return quoted(value.includes('\\') || needsEscape(value) ? escapeText(value) : value);
}

const MARKUP = /[&<>]/;

function quoted(value: string): string {
  return entities(value)
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;');
}

function entities(text: string): string {
  if (!MARKUP.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns a long text: CDATA that begins and ends with a line break of its own. */
function block(name: string, text: string, values: Attributes = {}): string {
  const [content, flags] = escaped(text, values);
  const safe = content.replaceAll(']]>', ']]]]><![CDATA[>');
  return `<${name}${flags}><![CDATA[\n${safe}\n]]></${name}>`;
}

/** Returns a short text. */
function element(name: string, text: string, values: Attributes = {}): string {
  const [content, flags] = escaped(text, values);
  return `<${name}${flags}>${entities(content)}</${name}>`;
}

function optional(name: string, text: string | undefined): string[] {
  return text === undefined ? [] : [element(name, text)];
}

function escaped(text: string, values: Attributes): [content: string, flags: string] {
  if (!needsEscape(text)) return [text, attributes(values)];
  return [escapeText(text), attributes({ ...values, encoding: 'escaped' })];
}

/** Returns an element of another version: its children, or its text where it has none. */
function unknownElement({ name, attributes: values, children, text }: XmlElement): string {
  const content = children.length > 0 ? children.map(unknownElement).join('') : entities(text);
  const flags = Object.entries(values).map(([key, value]) => ` ${key}="${quoted(value)}"`);
  return `<${name}${flags.join('')}>${content}</${name}>`;
}

function statsElement(role: 'user' | 'assistant', stats: NodeStats | undefined): string[] {
  if (!stats) return [];
  const { count, duration, rate } = stats;
  return [
    `<stats role="${role}" count="${count}" duration="${decimal(duration)}" rate="${decimal(rate)}" />`,
  ];
}

/** Two decimals, or more where the number has more. */
function decimal(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value ? short : String(value);
}

function partsElement(side: 'prompt' | 'response', list: readonly NodePart[]): string[] {
  if (list.length === 0) return [];
  return [`<parts side="${side}">`, ...list.map(partElement), '</parts>'];
}

function partElement(part: NodePart): string {
  const { type, role, name, source, time, meta, ...content } = part;
  const shared = {
    type,
    role,
    name,
    source,
    time,
    meta: meta === undefined ? undefined : JSON.stringify(meta),
  };
  if (part.type === 'text') {
    const range = { start: String(part.start), end: String(part.end) };
    return `<part${attributes({ ...shared, ...range })} />`;
  }
  if (part.type === 'reasoning') return block('part', part.text, shared);
  return block('part', json(content), shared);
}

function json(content: object): string {
  return JSON.stringify(content, null, 2);
}

/**
 * Characters that XML 1.0 cannot hold or that parsers alter: control characters, the two
 * noncharacters, lone surrogates, and CR, which every parser turns into LF.
 *
 * Source: Extensible Markup Language (XML) 1.0, sections 2.2 and 2.11.
 */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Characters that XML cannot hold; a decoded file has no lone surrogates. */
// oxlint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** A line that git would write into a file when a merge fails: in a text it must not look so. */
const CONFLICT_MARK = /(?<=^|\n)<(?=<{6}(?: |\n|$))/;
const ALL_UNSAFE = new RegExp(
  `\\\\|${CONFLICT_MARK.source}|${UNSAFE.source}|${LONE_SURROGATE.source}`,
  'g',
);

/** Checks whether a string must be escaped to survive in an XML file. */
function needsEscape(text: string): boolean {
  // Lone surrogates are looked for three times as fast as by a pattern.
  if (UNSAFE.test(text) || !text.isWellFormed()) return true;
  return text.includes('<<<<<<<') && CONFLICT_MARK.test(text);
}

/** Writes each unsafe UTF-16 code unit, and what git would take for its mark, as `\uXXXX` and each backslash twice. */
function escapeText(text: string): string {
  return text.replace(ALL_UNSAFE, (character) =>
    character === '\\'
      ? '\\\\'
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );
}

/** Returns the text that {@link escapeText} was given. Other backslashes stay as they are. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:\\|u([0-9A-Fa-f]{4}))/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A character that no XML file can hold. */
export interface IllegalCharacter {
  readonly code: number;
  /** From 1. */
  readonly line: number;
}

/** Returns the first character of a file that XML 1.0 does not allow there, in any form. */
export function illegalIn(xml: string): IllegalCharacter | undefined {
  const found = ILLEGAL.exec(xml);
  if (!found) return undefined;
  const line = xml.slice(0, found.index).split('\n').length;
  return { code: found[0].charCodeAt(0), line };
}

/** The form that {@link writeNodeXml} gives to a node. */
const START =
  /^<\?xml version="1\.0" encoding="utf-8"\?>\n<node id="([0-9a-f-]{36})" timestamp="([^"&\\<][^"&\\<]*)">\n/;
const VALUE = String.raw`="([^"<\t\n]*)")?`;
const PARTS = /\n<parts side="(prompt|response)">\n/y;
/** The start of a part; the content of one that is more than a piece of the text follows it. */
const PART = new RegExp(
  `<part type="([a-z-]*)"(?: role${VALUE}(?: name${VALUE}(?: source${VALUE}(?: time${VALUE}(?: meta${VALUE}` +
    String.raw`(?: start="(\d+)" end="(\d+)")?(?: />\n|(?=><!\[CDATA\[\n))`,
  'y',
);
const STATS = String.raw`count="(\d+)" duration="(\d+\.\d+)" rate="(\d+\.\d+)" />\n)?`;
const END = new RegExp(
  [
    String.raw`\n<metadata>\n(?:<model>([^<]*)</model>\n)?`,
    `(?:<stats role="user" ${STATS}(?:<stats role="assistant" ${STATS}`,
    String.raw`<summary updated="(true|false)"(?: last_built="([^"&\\<]+)")?>([^<]*)</summary>\n`,
    String.raw`<tags>((?:<tag>[^<]*</tag>)*)</tags>\n(?:<status>(\w+)</status>\n)?`,
    String.raw`(?:<speaker>([^<]*)</speaker>\n)?(?:<source>([^<]*)</source>\n)?</metadata>\n</node>\n$`,
  ].join(''),
  'y',
);

/** The entities that are written here. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#9;', '\t'],
  ['&#10;', '\n'],
]);
const ENTITY = new RegExp([...ENTITIES.keys()].join('|'), 'g');
const OTHER_ENTITY = /&(?!(?:amp|lt|gt|quot|#9|#10);)/;

/** Replaces the entities in a text; `undefined` if it has one that is not written here. */
function withoutEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  if (OTHER_ENTITY.test(text)) return undefined;
  return text.replaceAll(ENTITY, (entity) => ENTITIES.get(entity) ?? entity);
}

/**
 * Reads a node file if it has the very form that `writeNodeXml` gives to a node, many times as fast as an XML parser.
 *
 * @returns `undefined` for any other form, and for texts that were escaped, which are then for the parser.
 */
export function scanNodeXml(xml: string): VizNode | undefined {
  const start = START.exec(xml);
  if (!start || needsEscape(xml)) return undefined;
  const [whole, id = '', timestamp = ''] = start;
  const prompt = scanBlock(xml, whole.length, 'prompt');
  const response = prompt && scanBlock(xml, prompt.end + 1, 'response');
  if (!response || xml[prompt.end] !== '\n') return undefined;
  const promptParts = scanParts(xml, response.end, 'prompt');
  const responseParts = promptParts && scanParts(xml, promptParts.end, 'response');
  if (!responseParts) return undefined;
  END.lastIndex = responseParts.end;
  const end = END.exec(xml);
  if (!end || !isUuid(id) || !isTimestamp(timestamp)) return undefined;
  const values = end.slice(1).map((text: string | undefined) => text && withoutEntities(text));
  if (values.some((value, at) => value === undefined && end[at + 1] !== undefined))
    return undefined;
  const [model, ...others] = values;
  const [updated, lastBuilt, summary = '', , word, speaker, source] = others.slice(6);
  const tags = [...(end[11] ?? '').matchAll(/<tag>([^<]*)<\/tag>/g)];
  return {
    id,
    timestamp,
    prompt: prompt.text,
    response: response.text,
    ...defined({ model, status: NODE_STATUSES.find((status) => status === word), speaker, source }),
    stats: defined({
      user: scannedStats(others.slice(0, 3)),
      assistant: scannedStats(others.slice(3, 6)),
    }),
    summary: { text: summary, isOutdated: updated !== 'false', ...defined({ lastBuilt }) },
    tags: tags.map(([, tag = '']) => withoutEntities(tag) ?? tag),
    promptParts: promptParts.parts,
    responseParts: responseParts.parts,
  };
}

interface ScannedParts {
  readonly parts: readonly NodePart[];
  readonly end: number;
}

/** Reads the parts of a side, where there are any; `undefined` if some are for the parser. */
function scanParts(xml: string, from: number, side: string): ScannedParts | undefined {
  PARTS.lastIndex = from;
  const found = PARTS.exec(xml);
  if (found?.[1] !== side) return { parts: [], end: from };
  const parts: NodePart[] = [];
  let at = from + found[0].length;
  while (!xml.startsWith('</parts>', at)) {
    PART.lastIndex = at;
    const part = PART.exec(xml);
    if (!part) return undefined;
    at = PART.lastIndex;
    const content = xml[at - 1] === '\n' ? { text: '', end: at - 1 } : scanContent(xml, at, 'part');
    const values = part
      .slice(1)
      .map((value: string | undefined) => value && withoutEntities(value));
    const isKnown = values.every(
      (value, each) => value !== undefined || part[each + 1] === undefined,
    );
    if (!content || !isKnown || xml[content.end] !== '\n') return undefined;
    const [type, role, name, source, time, meta, start, end] = values;
    try {
      const given = defined({ type, role, name, source, time, meta, start, end });
      parts.push(partOf(given, content.text));
    } catch {
      // The parser reports what is wrong with it.
      return undefined;
    }
    at = content.end + 1;
  }
  return { parts, end: at + '</parts>'.length };
}

/**
 * Returns the part that an element of a file describes.
 *
 * @param content - Its text, without the line breaks that belong to the CDATA section.
 * @throws SyntaxError if something in it should be JSON and is not.
 */
export function partOf(values: XmlElement['attributes'], content: string): NodePart {
  const { type = '', start, end } = values;
  const origin = originOf(values);
  switch (type) {
    case 'text':
      return { type, ...origin, start: Number(start) || 0, end: Number(end) || 0 };
    case 'reasoning':
      return { type, ...origin, text: content };
    case 'tool-call':
    case 'tool-result':
    case 'file':
    case 'data':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by writeNodeXml
      return { ...parseJson(content), type, ...origin } as NodePart;
    default:
      return { type: 'data', ...origin, kind: type, value: content };
  }
}

function originOf(values: XmlElement['attributes']): PartOrigin {
  const read = (name: string): string | undefined =>
    values[name] === undefined ? undefined : unescapeText(values[name]);
  const meta = read('meta');
  return defined({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any word is kept as it is
    role: read('role') as Role | undefined,
    name: read('name'),
    source: read('source'),
    time: read('time'),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by writeNodeXml
    meta: meta === undefined ? undefined : (JSON.parse(meta) as JsonObject),
  });
}

function parseJson(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isJsonObject(value)) return value;
  throw new SyntaxError('it is no object');
}

interface ScannedText {
  readonly text: string;
  readonly end: number;
}

function scanBlock(xml: string, at: number, name: string): ScannedText | undefined {
  const open = `<${name}`;
  return xml.startsWith(open, at) ? scanContent(xml, at + open.length, name) : undefined;
}

/** Reads the text of an element from the end of its start tag on. */
function scanContent(xml: string, at: number, name: string): ScannedText | undefined {
  const open = '><![CDATA[\n';
  if (!xml.startsWith(open, at)) return undefined;
  const start = at + open.length;
  const close = xml.indexOf(']]>', start);
  const end = `]]></${name}>`;
  if (close - 1 < start || xml[close - 1] !== '\n') return undefined;
  if (!xml.startsWith(end, close)) return undefined;
  return { text: xml.slice(start, close - 1), end: close + end.length };
}

function scannedStats(values: readonly (string | undefined)[]): NodeStats | undefined {
  const [count, duration, rate] = values.map(Number);
  if (values[0] === undefined) return undefined;
  return { count: count ?? 0, duration: duration ?? 0, rate: rate ?? 0 };
}
