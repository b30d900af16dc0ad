import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { type FilePlace, invalidFile } from '../errors.ts';
import { refuseMergeConflict } from '../format/merge-conflict.ts';
import { parseYaml } from '../format/parse-yaml.ts';
import { yamlJson } from '../format/yaml.ts';
import { checkedFlowFile, fieldsOf, type FlowFile, writeFlowYaml } from './flow-file.ts';
import {
  FLOW_FIELDS,
  type RawFlow,
  rawFlowFile,
  type RawFlowFile,
  scanRawFlow,
} from './scan-flow-yaml.ts';

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

/**
 * Reads what a flow file says.
 *
 * @param file - The key of the file, for errors.
 * @param isLenient - True if invalid numbers count as missing.
 * @throws VizPromptError with the code `flow-invalid` if it is not YAML of that form.
 */
export function readRawFlow(file: string, text: string, isLenient = false): RawFlowFile {
  const scanned = scanRawFlow(file, text);
  if (scanned) return scanned;
  const { raw, document } = parseFlowYaml(file, text, isLenient);
  return { ...rawFlowFile(raw), document };
}

/** A flow file as the YAML parser sees it. */
interface ParsedFlowYaml {
  readonly raw: RawFlow;
  /** The document, by which comments and unknown keys survive when the flow changes. */
  readonly document: Document.Parsed;
}

/**
 * Reads a flow file of any form that YAML allows.
 *
 * @param isLenient - True if invalid numbers count as missing, instead of hiding all the rest.
 * @throws VizPromptError with the code `flow-invalid` and the line and column of the problem.
 */
export function parseFlowYaml(file: string, text: string, isLenient = false): ParsedFlowYaml {
  const { lineCounter, document, problem: found } = parseYaml(text);
  const placeAt = (offset: number): FilePlace => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { file, line, column };
  };
  const placeOf = (node: unknown): FilePlace => {
    const range = (isMap(node) || isScalar(node) || isSeq(node)) && node.range;
    return range ? placeAt(range[0]) : { file };
  };
  const fail = (node: unknown, problem: string): never => {
    throw invalidFile('flow-invalid', placeOf(node), problem);
  };

  if (found) {
    refuseMergeConflict('flow-invalid', file, text);
    throw invalidFile('flow-invalid', placeAt(found.offset), found.message, found.cause);
  }
  const root = document.contents;
  if (!isMap(root)) return fail(root, 'a flow is a map with id, name, nodes and connections');

  const itemsOf = (name: string): YAMLMap[] => {
    const list = root.get(name, true) as Node | undefined;
    if (list === undefined || (isScalar(list) && list.value === null)) return [];
    if (!isSeq(list)) return fail(list, `'${name}' is no list`);
    return list.items.map((item) =>
      isMap(item) ? item : fail(item, `an entry of '${name}' is no map`),
    );
  };
  const numberIn = (map: YAMLMap, key: string): number | undefined => {
    const value = map.get(key, true);
    if (value === undefined || !isScalar(value)) return undefined;
    const number = Number(value.value);
    if (Number.isSafeInteger(number) && number >= 0 && value.value !== '') return number;
    return isLenient ? undefined : fail(value, `'${key}' is no number from 0 on`);
  };
  const textIn = (map: YAMLMap, key: string): string | undefined => {
    const value = map.get(key, true);
    if (value === undefined || !isScalar(value) || value.value === null) return undefined;
    // A time or a number that is not quoted is meant as it is written.
    return typeof value.value === 'string' ? value.value : value.source;
  };

  const objectIn = (map: YAMLMap, key: string): string | undefined => {
    const value = map.get(key, true);
    if (value === undefined || (isScalar(value) && value.value === null)) return undefined;
    return isMap(value) ? yamlJson(value.toJS(document)) : fail(value, `'${key}' is no map`);
  };

  const fields: Record<string, string> = {};
  for (const name of FLOW_FIELDS) {
    const value = name === 'meta' ? objectIn(root, name) : textIn(root, name);
    if (value !== undefined) fields[name] = value;
  }
  const raw: RawFlow = {
    fields,
    nodes: itemsOf('nodes').map((map) => ({
      index: numberIn(map, 'index'),
      id: textIn(map, 'id'),
      place: placeOf(map),
    })),
    connections: itemsOf('connections').map((map) => ({
      from: numberIn(map, 'from'),
      to: numberIn(map, 'to'),
      fromId: textIn(map, 'from_id'),
      toId: textIn(map, 'to_id'),
      branch: textIn(map, 'branch'),
      place: placeOf(map),
    })),
  };
  return { raw, document };
}
