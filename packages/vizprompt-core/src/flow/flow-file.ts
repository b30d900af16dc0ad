import { isMap, isSeq, type Document, type YAMLMap } from 'yaml';
import { checkFlow, type FlowWarning } from './check-flow.ts';
import type { Flow } from './flow.ts';
import { FLOW_FIELDS } from './raw-flow.ts';
import { readRawFlow } from './read-raw-flow.ts';
import { fieldsOf, writeFlowYaml } from './write-flow-yaml.ts';

/** A flow together with what must survive when its file is written again. */
export interface FlowFile {
  readonly flow: Flow;
  readonly warnings: readonly FlowWarning[];
  /** Connections name their nodes by id too. */
  readonly withIds: boolean;
  /** The document of a file that was written by hand, with its comments and unknown keys. */
  readonly document?: Document.Parsed;
}

/**
 * Reads the text of a flow file.
 *
 * @param file - The key of the file, for errors.
 * @throws VizPromptError with the code `flow-invalid`.
 */
export function readFlowFile(file: string, text: string): FlowFile {
  const { raw, ...rest } = readRawFlow(file, text);
  return { ...checkFlow(file, raw), ...rest };
}

/**
 * The text of a flow file, with the comments and unknown keys of the file it was read from.
 *
 * @param other - Another version of that file: nodes and connections that only it has bring along what
 * stands beside them there.
 */
export function writeFlowFile(
  { flow, withIds, document }: Omit<FlowFile, 'warnings'>,
  other?: Document,
): string {
  if (!document) return writeFlowYaml(flow, { withIds });
  const fresh = document.clone();
  const fields = fieldsOf(flow);
  for (const name of FLOW_FIELDS) {
    const value = fields[name];
    if (value === undefined) fresh.delete(name);
    else if (fresh.get(name) !== value) fresh.set(name, value);
  }
  const indices = new Map(flow.nodes.map(({ id, index }) => [id, index]));
  const documents = other ? [other, fresh] : [fresh];
  // Before the nodes of the document are others: entries are known by ids, and stand there by indices.
  const known = documents.map(entriesOf);
  setItems(
    fresh,
    'nodes',
    flow.nodes.map(({ index, id }) => [id, { index, id }]),
    known.map(({ nodes }) => nodes),
  );
  setItems(
    fresh,
    'connections',
    flow.connections.map(({ from, to, branch }) => [
      `${from} ${to}`,
      {
        from: indices.get(from),
        to: indices.get(to),
        ...(branch === undefined ? {} : { branch }),
        ...(withIds ? { from_id: from, to_id: to } : {}),
      },
    ]),
    known.map(({ connections }) => connections),
  );
  return fresh.toString({ lineWidth: 0 });
}

type Entries = ReadonlyMap<string, YAMLMap>;

/** The nodes of a document by their ids, and its connections by the ids at their ends. */
function entriesOf(document: Document): { nodes: Entries; connections: Entries } {
  const idOf = new Map<unknown, unknown>();
  const nodes = new Map<string, YAMLMap>();
  for (const node of mapsIn(document, 'nodes')) {
    idOf.set(node.get('index'), node.get('id'));
    nodes.set(String(node.get('id')), node);
  }
  const connections = new Map<string, YAMLMap>();
  for (const connection of mapsIn(document, 'connections')) {
    const [from, to] = ['from', 'to'].map((end) => {
      return connection.get(`${end}_id`) ?? idOf.get(connection.get(end));
    });
    connections.set(`${String(from)} ${String(to)}`, connection);
  }
  return { nodes, connections };
}

function mapsIn(document: Document, name: string): YAMLMap[] {
  const list = document.get(name);
  return isSeq(list) ? list.items.filter((item) => isMap(item)) : [];
}

/** Makes a list hold these entries; those that are known keep what was beside them. */
function setItems(
  document: Document,
  name: string,
  items: readonly (readonly [key: string, item: Readonly<Record<string, unknown>>])[],
  known: readonly Entries[],
): void {
  const list = document.get(name);
  if (!isSeq(list)) {
    document.set(name, document.createNode(items.map(([, item]) => item)));
    return;
  }
  list.items = items.map(([id, item]) => {
    const old = known.findLast((entries) => entries.has(id))?.get(id);
    if (!old) return document.createNode(item);
    for (const [key, value] of Object.entries(item))
      if (old.get(key) !== value) old.set(key, value);
    return old;
  });
  list.flow = false;
}
