import { messageOf } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { invalidFile } from '../errors.ts';
import { isTimestamp, isUuid } from '../format/ids-and-times.ts';
import { NODE_STATUSES } from './edit-node.ts';
import type { NodePart, NodeStats, NodeStatus, VizNode, XmlElement } from './node.ts';
import { parseXml } from './parse-xml.ts';
import { partOf, scanNodeXml, unescapeText } from './node-xml.ts';

const KNOWN = new Set(['prompt', 'response', 'parts', 'metadata']);
const KNOWN_METADATA = new Set([
  'model',
  'stats',
  'summary',
  'tags',
  'status',
  'speaker',
  'source',
]);

/**
 * Reads the text of a node file; the format is `docs/formats/node-xml.md`.
 *
 * @param file - The name of the file, for errors.
 * @param adapt - Makes this format of another one.
 * @throws VizPromptError with the code `node-invalid`.
 */
export function readNodeXml(
  file: string,
  xml: string,
  adapt?: (root: XmlElement) => XmlElement,
): VizNode {
  return (adapt ? undefined : scanNodeXml(xml)) ?? parseNodeXml(file, xml, adapt);
}

/** Reads a node file of any form that XML allows. */
export function parseNodeXml(
  file: string,
  xml: string,
  adapt: (root: XmlElement) => XmlElement = (root) => root,
): VizNode {
  const root = adapt(parseXml(file, xml));
  const { id = '', timestamp = '' } = root.attributes;
  const problem = problemOfRoot(root.name, id, timestamp);
  if (problem) throw invalidFile('node-invalid', { file, line: lineOf(xml, '<node') }, problem);

  const metadata = together(root, 'metadata');
  const optional = {
    model: optionalText(metadata, 'model'),
    status: statusOf(optionalText(metadata, 'status')),
    speaker: optionalText(metadata, 'speaker'),
    source: optionalText(metadata, 'source'),
  };
  const unknown = [
    ...root.children.filter(({ name }) => !KNOWN.has(name)),
    ...(metadata?.children ?? []).filter(({ name }) => !KNOWN_METADATA.has(name)),
  ];
  return {
    // RFC 9562: ids are read in any case, and written in lower case.
    id: unescapeText(id).toLowerCase(),
    timestamp: unescapeText(timestamp),
    prompt: textsOf(root, 'prompt'),
    response: textsOf(root, 'response'),
    ...defined(optional),
    stats: statsOf(metadata),
    summary: summaryOf(child(metadata, 'summary')),
    tags: tagsOf(metadata),
    promptParts: partsOf(file, root, 'prompt'),
    responseParts: partsOf(file, root, 'response'),
    ...(unknown.length > 0 ? { unknown } : {}),
  };
}

function problemOfRoot(name: string, id: string, timestamp: string): string | undefined {
  if (name !== 'node') return `the root element is <${name}>, not <node>`;
  if (id === '') return '<node> has no id';
  if (!isUuid(id)) return `the id '${id}' is no UUID`;
  if (!isTimestamp(timestamp)) return `the timestamp '${timestamp}' is no ISO 8601 time`;
  return undefined;
}

/** Returns the number of the line of the first occurrence of a text. */
export function lineOf(text: string, search: string): number {
  return text.slice(0, Math.max(0, text.indexOf(search))).split('\n').length;
}

function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name);
}

/** Returns the children of all elements of a name as those of the first: a merge by lines may leave several. */
function together(element: XmlElement | undefined, name: string): XmlElement | undefined {
  const all = (element?.children ?? []).filter((candidate) => candidate.name === name);
  const [first] = all;
  return first && all.length > 1
    ? { ...first, children: all.flatMap(({ children }) => children) }
    : first;
}

/** Returns the tags as they are; those of several elements each once. */
function tagsOf(metadata: XmlElement | undefined): string[] {
  const tags = (together(metadata, 'tags')?.children ?? []).map(plainText);
  return tags.length === child(metadata, 'tags')?.children.length ? tags : [...new Set(tags)];
}

/** Returns the text of a side; those of several elements one after the other, each once. */
function textsOf(root: XmlElement, name: string): string {
  const texts = root.children.filter((candidate) => candidate.name === name).map(blockText);
  const [first = ''] = texts;
  if (texts.length < 2) return first;
  return [...new Set(texts.filter((text) => text.trim() !== ''))].join('\n\n');
}

function plainText(element: XmlElement | undefined): string {
  if (!element) return '';
  const isEscaped = element.attributes['encoding'] === 'escaped';
  return isEscaped ? unescapeText(element.text) : element.text;
}

/** Returns the text of a long element, without the line breaks that belong to the CDATA section. */
function blockText(element: XmlElement | undefined): string {
  if (!element) return '';
  const { text } = element;
  const isWrapped = text.length >= 2 && text.startsWith('\n') && text.endsWith('\n');
  return plainText(isWrapped ? { ...element, text: text.slice(1, -1) } : element);
}

function optionalText(parent: XmlElement | undefined, name: string): string | undefined {
  const element = child(parent, name);
  return element && plainText(element);
}

function statusOf(text: string | undefined): NodeStatus | undefined {
  return NODE_STATUSES.find((status) => status === text);
}

function statsOf(metadata: XmlElement | undefined): VizNode['stats'] {
  const read = (role: string): NodeStats | undefined => {
    const element = metadata?.children.find(
      ({ name, attributes }) => name === 'stats' && attributes['role'] === role,
    );
    if (!element) return undefined;
    const number = (name: string): number => Number(element.attributes[name]) || 0;
    return { count: number('count'), duration: number('duration'), rate: number('rate') };
  };
  return defined({ user: read('user'), assistant: read('assistant') });
}

function summaryOf(element: XmlElement | undefined): VizNode['summary'] {
  const { updated, last_built: lastBuilt } = element?.attributes ?? {};
  return {
    text: plainText(element),
    isOutdated: updated !== 'false',
    ...(lastBuilt === undefined ? {} : { lastBuilt: unescapeText(lastBuilt) }),
  };
}

/** Returns the parts of a side; those of several elements one after the other, each once. */
function partsOf(file: string, root: XmlElement, side: string): NodePart[] {
  const lists = root.children.filter(
    ({ name, attributes }) => name === 'parts' && attributes['side'] === side,
  );
  try {
    const [first = [], ...others] = lists.map(({ children }) =>
      children.map((part) => partOf(part.attributes, blockText(part))),
    );
    if (others.length === 0) return first;
    const known = new Set(first.map((part) => JSON.stringify(part)));
    // The places of a second text are not those in the joined one.
    const hasPlaces = first.some(({ type }) => type === 'text');
    const isNew = (part: NodePart): boolean => {
      const isKnown = known.has(JSON.stringify(part)) || (hasPlaces && part.type === 'text');
      known.add(JSON.stringify(part));
      return !isKnown;
    };
    return [...first, ...others.flat().filter(isNew)];
  } catch (cause) {
    throw invalidFile('node-invalid', { file }, `a part is no JSON: ${messageOf(cause)}`, cause);
  }
}
