import { type Document, isMap, isSeq, type YAMLMap } from 'yaml';
import { yamlJson } from '../format/yaml.ts';
import { checkedFlowFile, fieldsOf, type FlowFile, writeFlowYaml } from './flow-file.ts';
import { readRawFlow } from './parse-flow-yaml.ts';
import { FLOW_FIELDS } from './scan-flow-yaml.ts';

/**
 * Reads the text of a flow file.
 *
 * @param file - The key of the file, for errors.
 * @throws VizPromptError with the code `flow-invalid`.
 */
export function readFlowFile(file: string, text: string): FlowFile {
  return checkedFlowFile(file, readRawFlow(file, text));
}

/**
 * Returns the text of a flow file, with the comments and unknown keys of the file it was read from.
 *
 * @param other - Another version of that file: nodes and connections that only it has bring along what
 * is next to them there.
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
    else if (name === 'meta') setMeta(fresh, value);
    else if (fresh.get(name) !== value) fresh.set(name, value);
  }
  const indices = new Map(flow.nodes.map(({ id, index }) => [id, index]));
  const documents = other ? [other, fresh] : [fresh];
  // Before the nodes of the document are others: entries are known by ids, and are there by indices.
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

/** A map that says the same stays as it was written. */
function setMeta(document: Document, json: string): void {
  const old = document.get('meta');
  if (isMap(old) && yamlJson(old.toJS(document)) === json) return;
  document.set('meta', document.createNode(JSON.parse(json), { flow: true }));
}

type Entries = ReadonlyMap<string, YAMLMap>;

/** Returns the nodes of a document by their ids, and its connections by the ids at their ends. */
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

/** Makes a list hold these entries; those that are known keep what was next to them. */
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
