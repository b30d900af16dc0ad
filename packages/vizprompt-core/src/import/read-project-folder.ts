import { basename, join, resolve } from 'node:path';
import { messageOf, StorageError } from '@vizprompt/providers';
import { readPlainFile } from '@vizprompt/providers/internal';
import { invalidFile, VizPromptError } from '../errors.ts';
import { parseFlowYaml } from '../flow/flow-document.ts';
import { compareTimes, isUuid, uuidFromName } from '../format/ids-and-times.ts';
import type { ImportLimits } from '../limits.ts';
import type { VizNode, XmlElement } from '../node/node.ts';
import { readNodeXml } from '../node/parse-node-xml.ts';
import type { SourceEntry } from './gather-records.ts';

const NODE = /^nodes\/\w+\/\w+\.xml$/;
const FLOW = /^flows\/(?:\w+\/)?[^/]+\.ya?ml$/;

/** Checks whether a folder with files of these names is a project of VizPrompt, of this or of 7shi/vizprompt. */
export function isProjectFolder(names: readonly string[]): boolean {
  return names.some((name) => NODE.test(name));
}

/**
 * Reads the flows of a project folder one after the other, each in the JSON form, and last the nodes
 * that are in none. Maps (`index.tsv`, `node_map.tsv`) are not needed: the files say it all.
 */
export async function* readProjectFolder(
  folder: string,
  names: readonly string[],
  limits: ImportLimits,
): AsyncGenerator<SourceEntry> {
  const load = async (name: string): Promise<string> => {
    const maxBytes = NODE.test(name) ? limits.nodeBytes : limits.flowBytes;
    return readFound(folder, name, maxBytes).toString();
  };
  const all = new Set(names);
  const open = async (name: string): Promise<Uint8Array | undefined> =>
    all.has(name) ? readAttachment(join(folder, name), limits.attachmentBytes) : undefined;
  const { files, others } = await locateNodes(
    names.filter((name) => NODE.test(name)),
    load,
  );
  const loose = new Set(files.keys());
  let warnings = others;
  for (const name of names.filter((candidate) => FLOW.test(candidate))) {
    try {
      const { flow, ids } = readFlow(name, await load(name));
      for (const id of ids) loose.delete(id);
      const nodes = await loadNodes(ids, files, load, warnings);
      yield { ...entryOf(name, flow, nodes, warnings), open };
      warnings = [];
    } catch (error) {
      if (!VizPromptError.isInstance(error)) throw error;
      yield { name, error: error.message };
    }
  }
  if (loose.size === 0) return;
  const nodes = await loadNodes([...loose], files, load, warnings);
  const name = basename(resolve(folder));
  const flow = {
    id: uuidFromName('flow', 'vizprompt', name),
    name,
    created: nodes[0]?.timestamp ?? '',
    updated: nodes.at(-1)?.timestamp ?? '',
    nodes: nodes.map(({ id }, at) => ({ index: at + 1, id })),
    connections: [],
  };
  yield { ...entryOf(`${name}, nodes in no flow`, flow, nodes, warnings), open };
}

/** @throws VizPromptError with the code `node-invalid` or `flow-invalid`. */
function readFound(folder: string, name: string, maxBytes: number): Buffer {
  let problem = 'it is gone';
  try {
    const found = readPlainFile(join(folder, name), { maxBytes });
    if (found) return found;
  } catch (error) {
    if (!StorageError.isInstance(error)) throw error;
    const { bytes } = error.context;
    const isLarge = error.code === 'too-large';
    problem = isLarge
      ? `too large: expected at most ${maxBytes} bytes, got ${String(bytes)}`
      : error.message;
  }
  throw invalidFile(NODE.test(name) ? 'node-invalid' : 'flow-invalid', { file: name }, problem);
}

/** One that is too large is left out, as one that is missing. */
function readAttachment(path: string, maxBytes: number): Buffer | undefined {
  try {
    return readPlainFile(path, { maxBytes });
  } catch (error) {
    if (StorageError.isInstance(error) && error.code === 'too-large') return undefined;
    throw error;
  }
}

type Load = (name: string) => Promise<string>;

function entryOf(
  name: string,
  flow: object,
  nodes: readonly VizNode[],
  warnings: readonly string[],
): SourceEntry {
  return { name, value: { format: 'vizprompt-flow', version: 1, flow, nodes }, warnings };
}

/** Returns the file of each node; of several that carry an id, the newest. */
async function locateNodes(
  names: readonly string[],
  load: Load,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly others: string[] }> {
  const found = new Map<string, { readonly name: string; readonly timestamp: string }>();
  const others: string[] = [];
  for (const name of names) {
    let text: string;
    try {
      text = await load(name);
    } catch (error) {
      others.push(`${name} was left out: ${messageOf(error)}`);
      continue;
    }
    const [, attributes = ''] = /<node\b([^>]{0,10000})>/.exec(text) ?? [];
    const [, id = ''] = /\bid="([^"]*)"/.exec(attributes) ?? [];
    const [, timestamp = ''] = /\btimestamp="([^"]*)"/.exec(attributes) ?? [];
    if (!isUuid(id)) {
      others.push(`${name} was left out: it has no id`);
      continue;
    }
    const known = found.get(id);
    const isNewer = !known || compareTimes(timestamp, known.timestamp) >= 0;
    if (known) others.push(`${isNewer ? known.name : name} is an older version of node ${id}`);
    if (isNewer) found.set(id, { name, timestamp });
  }
  return { files: new Map([...found].map(([id, { name }]) => [id, name])), others };
}

async function loadNodes(
  ids: readonly string[],
  files: ReadonlyMap<string, string>,
  load: Load,
  warnings: string[],
): Promise<VizNode[]> {
  const nodes: VizNode[] = [];
  for (const id of new Set(ids)) {
    const file = files.get(id);
    if (file === undefined) continue;
    try {
      nodes.push(readUpstreamNode(file, await load(file)));
    } catch (error) {
      warnings.push(`a node was left out: ${messageOf(error)}`);
    }
  }
  return nodes;
}

/** Returns a flow as its file has it; what makes no sense in it is found by who reads the JSON form. */
function readFlow(
  file: string,
  text: string,
): { readonly flow: object; readonly ids: readonly string[] } {
  const { fields, nodes, connections } = parseFlowYaml(file, text).raw;
  const { id = file, name = basename(file).replace(/\.ya?ml$/, ''), created = '' } = fields;
  const known = nodes.flatMap((node, at) =>
    isUuid(node.id ?? '') ? [{ index: node.index ?? at + 1, id: node.id ?? '' }] : [],
  );
  const byIndex = new Map(known.map((node) => [node.index, node.id]));
  const idOf = (index: number | undefined, named: string | undefined): string =>
    named ?? byIndex.get(index ?? -1) ?? `node ${index}`;
  const flow = {
    updated: created,
    ...fields,
    id: isUuid(id) ? id : uuidFromName('flow', 'vizprompt', id),
    name,
    created,
    nodes: known,
    connections: connections.map(({ from, to, fromId, toId, branch }) => ({
      from: idOf(from, fromId),
      to: idOf(to, toId),
      ...(branch === undefined ? {} : { branch }),
    })),
  };
  return { flow, ids: known.map((node) => node.id) };
}

/**
 * Reads a node of 7shi/vizprompt, of any of its forms: `<prompt>` and `<response>` as here, or
 * `<contents>` with a `<content role>` (in its specification `<text role>`) for each side.
 *
 * @param file - The name of the file, for errors.
 * @throws VizPromptError with the code `node-invalid`.
 */
function readUpstreamNode(file: string, xml: string): VizNode {
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
