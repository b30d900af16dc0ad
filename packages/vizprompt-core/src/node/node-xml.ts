import { omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import { isTimestamp, isUuid } from '../format/ids-and-times.ts';
import { NODE_STATUSES } from './edit-node.ts';
import type { NodePart, NodeStats, VizNode, XmlElement } from './node.ts';

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

/** The form that {@link writeNodeXml} gives to a node of text alone. */
const START =
  /^<\?xml version="1\.0" encoding="utf-8"\?>\n<node id="([0-9a-f-]{36})" timestamp="([^"&\\<][^"&\\<]*)">\n/;
const VALUE = String.raw`="([^"&\\<\t\n]*)")?`;
/** A piece of the text itself; of all other parts the parser knows more. */
const PART = String.raw`<part type="text"(?: role${VALUE}(?: name${VALUE}(?: source${VALUE}(?: time${VALUE} start="(\d+)" end="(\d+)" />\n`;
const PARTS = new RegExp(
  String.raw`\n<parts side="(prompt|response)">\n((?:${PART})*)</parts>`,
  'y',
);
const EACH_PART = new RegExp(PART, 'g');
const STATS = String.raw`count="(\d+)" duration="(\d+\.\d+)" rate="(\d+\.\d+)" />\n)?`;
const END = new RegExp(
  [
    String.raw`\n<metadata>\n(?:<model>([^<&]*)</model>\n)?`,
    `(?:<stats role="user" ${STATS}(?:<stats role="assistant" ${STATS}`,
    String.raw`<summary updated="(true|false)"(?: last_built="([^"&\\<]+)")?>([^<&]*)</summary>\n`,
    String.raw`<tags>((?:<tag>[^<&]*</tag>)*)</tags>\n(?:<status>(\w+)</status>\n)?`,
    String.raw`(?:<speaker>([^<&]*)</speaker>\n)?(?:<source>([^<&]*)</source>\n)?</metadata>\n</node>\n$`,
  ].join(''),
  'y',
);

/**
 * Reads a node file if it has the very form that `writeNodeXml` gives to a node of text alone, many
 * times as fast as an XML parser.
 *
 * @returns `undefined` for any other form, which is then for the parser.
 */
export function scanNodeXml(xml: string): VizNode | undefined {
  const start = START.exec(xml);
  if (!start || needsEscape(xml)) return undefined;
  const [whole, id = '', timestamp = ''] = start;
  const prompt = scanBlock(xml, whole.length, 'prompt');
  const response = prompt && scanBlock(xml, prompt.end + 1, 'response');
  if (!response || xml[prompt.end] !== '\n') return undefined;
  const promptParts = scanParts(xml, response.end, 'prompt');
  const responseParts = scanParts(xml, promptParts.end, 'response');
  END.lastIndex = responseParts.end;
  const end = END.exec(xml);
  if (!end || !isUuid(id) || !isTimestamp(timestamp)) return undefined;
  const [, model, ...values] = end;
  const [updated, lastBuilt, summary = '', tags = '', word, speaker, source] = values.slice(6);
  return {
    id,
    timestamp,
    prompt: prompt.text,
    response: response.text,
    ...defined({ model, status: NODE_STATUSES.find((status) => status === word), speaker, source }),
    stats: defined({
      user: scannedStats(values.slice(0, 3)),
      assistant: scannedStats(values.slice(3, 6)),
    }),
    summary: { text: summary, isOutdated: updated !== 'false', ...defined({ lastBuilt }) },
    tags: [...tags.matchAll(/<tag>([^<]*)<\/tag>/g)].map(([, tag = '']) => tag),
    promptParts: promptParts.parts,
    responseParts: responseParts.parts,
  };
}

/** None, where there are none or such as are for the parser, which then do not end as they should. */
function scanParts(
  xml: string,
  at: number,
  side: string,
): { readonly parts: NodePart[]; readonly end: number } {
  PARTS.lastIndex = at;
  const found = PARTS.exec(xml);
  if (found?.[1] !== side) return { parts: [], end: at };
  const matches = (found[2] ?? '').matchAll(EACH_PART);
  const parts = [...matches].map(([, role, name, source, time, start, end]): NodePart => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any word is kept as it is
    const origin = defined({ role: role as Role | undefined, name, source, time });
    return { type: 'text', ...origin, start: Number(start), end: Number(end) };
  });
  return { parts, end: at + found[0].length };
}

function scanBlock(
  xml: string,
  at: number,
  name: string,
): { readonly text: string; readonly end: number } | undefined {
  const open = `<${name}><![CDATA[\n`;
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
