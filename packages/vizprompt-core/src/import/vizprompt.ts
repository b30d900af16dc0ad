import { isJsonObject, type JsonObject } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { checkNode } from '../node/edit-node.ts';
import { BrokenEntry, type ReadyFlow } from './conversation.ts';
import { listAt, textAt } from './fields.ts';
import { type JsonNode, parseFlow, parseNode } from './flow-json-schema.ts';
import { soundConnections } from './sound-connections.ts';

/**
 * Reads the JSON form of a flow, as `exportFlow` writes it. All ids are kept.
 *
 * @throws BrokenEntry if it holds no flow, or is of a later version.
 */
export function readVizPrompt(entry: JsonObject): ReadyFlow {
  if (entry['version'] !== 1) {
    throw new BrokenEntry(`its version is ${JSON.stringify(entry['version'])}, and 1 is known`);
  }
  const parsed = parseFlow(entry['flow']);
  if ('problem' in parsed) throw new BrokenEntry(`its flow: ${parsed.problem}`);
  const warnings: string[] = [];
  const flow = soundFlow(parsed.value, warnings);
  const members = new Set(flow.nodes.map(({ id }) => id));
  const nodes = new Map<string, JsonNode>();
  for (const [at, value] of listAt(entry, 'nodes').entries()) {
    const node = readNode(value, at, warnings);
    if (!node) continue;
    if (nodes.has(node.id)) warnings.push(`node ${node.id} comes twice: the first counts`);
    else if (members.has(node.id)) nodes.set(node.id, node);
    else warnings.push(`node ${node.id} is not in the flow: it was left out`);
  }
  const missing = flow.nodes.filter(({ id }) => !nodes.has(id)).length;
  if (missing > 0) warnings.push(`${missing} nodes of the flow are missing`);
  return {
    format: 'vizprompt',
    flow,
    nodes: [...nodes.values()].map(({ keywords: _, ...node }) => node),
    keywords: new Map(
      [...nodes].flatMap(([id, { keywords }]) => (keywords.length > 0 ? [[id, keywords]] : [])),
    ),
    attachments: readAttachments(entry, warnings),
    warnings,
  };
}

/** The files that an entry contains. */
function readAttachments(entry: JsonObject, warnings: string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const [at, value] of listAt(entry, 'attachments').entries()) {
    const path = isJsonObject(value) ? textAt(value, 'path') : undefined;
    const data = isJsonObject(value) ? textAt(value, 'data') : undefined;
    if (path !== undefined && data !== undefined) found.set(path, Buffer.from(data, 'base64'));
    else warnings.push(`attachment ${at + 1} was left out: it has no 'path' or no 'data'`);
  }
  return found;
}

function readNode(value: unknown, at: number, warnings: string[]): JsonNode | undefined {
  const name = (isJsonObject(value) && textAt(value, 'id')) || at + 1;
  const leaveOut = (problem: string): undefined => {
    warnings.push(`node ${name} was left out: ${problem}`);
  };
  const parsed = parseNode(value);
  if ('problem' in parsed) return leaveOut(parsed.problem);
  try {
    checkNode(parsed.value);
  } catch (error) {
    if (!VizPromptError.isInstance(error)) throw error;
    return leaveOut(error.message);
  }
  return parsed.value;
}

/** The flow without what makes no sense: nodes that come twice, connections to nowhere, circles. */
function soundFlow(flow: Flow, warnings: string[]): Flow {
  const indices = new Set<number>();
  const ids = new Set<string>();
  const nodes = flow.nodes.filter(({ index, id }) => {
    const isNew = !ids.has(id) && !indices.has(index);
    if (!isNew) warnings.push(`node ${index} (${id}) stands twice in the flow: the first counts`);
    ids.add(id);
    indices.add(index);
    return isNew;
  });
  const members = new Set(nodes.map(({ id }) => id));
  const { head, ...rest } = flow;
  const realHead = head !== undefined && members.has(head) ? head : nodes.at(-1)?.id;
  return {
    ...rest,
    ...(realHead === undefined ? {} : { head: realHead }),
    nodes,
    connections: soundConnections({ nodes, connections: flow.connections }, warnings),
  };
}
