import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { messageOf } from '@vizprompt/providers';
import { invalidFile } from '../errors.ts';
import { guardXml } from './guard-xml.ts';
import { refuseMergeConflict } from '../project/merge-conflict.ts';
import type { XmlElement } from './xml-element.ts';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  // Everything is text: `007` is no number, and spaces count.
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
  const xml = text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
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

/** Whether a document type stands before the root, behind comments and instructions in any number. */
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

/** The parser refuses more than its validator: names such as `__proto__`, and what is nested too deeply. */
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
