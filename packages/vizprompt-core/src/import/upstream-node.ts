import type { VizNode, XmlElement } from '../node/node.ts';
import { readNodeXml } from '../node/read-node-xml.ts';

/**
 * Reads a node of 7shi/vizprompt, of any of its forms: `<prompt>` and `<response>` as here, or
 * `<contents>` with a `<content role>` (in its specification `<text role>`) for each side.
 *
 * @param file - The name of the file, for errors.
 * @throws VizPromptError with the code `node-invalid`.
 */
export function readUpstreamNode(file: string, xml: string): VizNode {
  const node = readNodeXml(file, xml, adapt);
  // Upstream says that a summary is up to date before there is one.
  const isOutdated = node.summary.isOutdated || node.summary.text === '';
  return { ...node, summary: { ...node.summary, text: node.summary.text.trim(), isOutdated } };
}

const NONE: XmlElement = { name: 'metadata', attributes: {}, children: [], text: '' };

function adapt(root: XmlElement): XmlElement {
  const contents = root.children.find(({ name }) => name === 'contents');
  const metadata = root.children.find(({ name }) => name === 'metadata') ?? NONE;
  const texts = (contents?.children ?? []).filter(
    ({ name }) => name === 'content' || name === 'text',
  );
  const rest = root.children.filter((child) => child !== contents && child !== metadata);
  const sides = texts.map((text): XmlElement => {
    const isAnswer = text.attributes['role'] === 'assistant';
    return { ...text, name: isAnswer ? 'response' : 'prompt' };
  });
  const stats = texts.map(({ attributes }): XmlElement => ({ ...NONE, name: 'stats', attributes }));
  const children = [...metadata.children.map(adaptTags), ...stats.filter(isMeasured)];
  return { ...root, children: [...sides, ...rest, { ...metadata, children }] };
}

function isMeasured({ attributes }: XmlElement): boolean {
  return Number(attributes['count']) > 0 || Number(attributes['duration']) > 0;
}

/** Tags are elements, a list with commas, or, by a mistake, one attribute. */
function adaptTags(element: XmlElement): XmlElement {
  if (element.name !== 'tags' || element.children.length > 0) return element;
  const text = element.attributes['tag'] ?? element.text;
  const tags = text.split(',').map((tag) => tag.trim());
  const children = tags.filter(Boolean).map((tag) => ({ ...NONE, name: 'tag', text: tag }));
  return { ...element, children };
}
