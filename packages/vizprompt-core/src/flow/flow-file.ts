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

/** The text of a flow file, with the comments and unknown keys of the file it was read from. */
export function writeFlowFile({ flow, withIds, document }: Omit<FlowFile, 'warnings'>): string {
  if (!document) return writeFlowYaml(flow, { withIds });
  const fresh = document.clone();
  const fields = fieldsOf(flow);
  for (const name of FLOW_FIELDS) {
    const value = fields[name];
    if (value === undefined) fresh.delete(name);
    else if (fresh.get(name) !== value) fresh.set(name, value);
  }
  const indices = new Map(flow.nodes.map(({ id, index }) => [id, index]));
  replaceItems(
    fresh,
    'nodes',
    flow.nodes.map(({ index, id }) => ({ index, id })),
    ['index', 'id'],
  );
  replaceItems(
    fresh,
    'connections',
    flow.connections.map(({ from, to, branch }) => ({
      from: indices.get(from),
      to: indices.get(to),
      ...(branch === undefined ? {} : { branch }),
      ...(withIds ? { from_id: from, to_id: to } : {}),
    })),
    ['from', 'to'],
  );
  return fresh.toString({ lineWidth: 0 });
}

/** Makes a list hold these entries; those that stood in it already keep what was beside them. */
function replaceItems(
  document: Document,
  name: string,
  items: readonly Readonly<Record<string, unknown>>[],
  identity: readonly [string, string],
): void {
  const list = document.get(name);
  if (!isSeq(list)) {
    document.set(name, document.createNode(items));
    return;
  }
  const keyOf = (read: (key: string) => unknown): string =>
    JSON.stringify(identity.map((key) => read(key)));
  const known = new Map<string, YAMLMap>();
  for (const item of list.items) {
    if (isMap(item))
      known.set(
        keyOf((key) => item.get(key)),
        item,
      );
  }
  list.items = items.map((item) => {
    const old = known.get(keyOf((key) => item[key]));
    if (!old) return document.createNode(item);
    for (const [key, value] of Object.entries(item))
      if (old.get(key) !== value) old.set(key, value);
    return old;
  });
  list.flow = false;
}
