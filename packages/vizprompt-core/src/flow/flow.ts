import type { JsonObject } from '@vizprompt/providers';

/** A node's place in a flow. */
export interface FlowNode {
  /** The number by which connections in the file name the node; unique in the flow. */
  readonly index: number;
  readonly id: string;
}

/** A connection from a node to one that continues from it. */
export interface FlowConnection {
  /** The id of the earlier node. */
  readonly from: string;
  /** The id of the later node. */
  readonly to: string;
  /** The name of the branch that begins here. */
  readonly branch?: string;
}

/** A conversation: nodes, and how they follow each other. It has no circles. */
export interface Flow {
  readonly id: string;
  readonly name: string;
  /** A short name that the flow can be called by, such as `main`. */
  readonly alias?: string;
  /** ISO 8601 with offset. */
  readonly created: string;
  readonly updated: string;
  readonly description: string;
  /**
   * The id of the node that the conversation continues from; absent in an empty flow, and where the next node begins a
   * conversation of its own.
   */
  readonly head?: string;
  /** The id in the system it was imported from, such as `chatgpt:CONVERSATION`. */
  readonly source?: string;
  /** The person or account that it belongs to, as the application names it. */
  readonly owner?: string;
  /** Data that an application stores with it, such as `archived`. */
  readonly meta?: JsonObject;
  readonly nodes: readonly FlowNode[];
  /** A node with several connections to it is a merge, one with several from it a branching. */
  readonly connections: readonly FlowConnection[];
}

/** A flow with the file it was read from. */
export interface StoredFlow extends Flow {
  /** The key of its file, such as `flows/00/00.yaml`. */
  readonly file: string;
  /** The version of that file. */
  readonly version: string;
}

/** The flow that is used when none is named. */
export const MAIN_FLOW = 'main';

/** The differences between two versions of a flow. */
export interface FlowChange {
  /** Ids, in the order of the flow. */
  readonly nodesAdded: readonly string[];
  readonly nodesRemoved: readonly string[];
  /** Also those whose branch has another name. */
  readonly connectionsAdded: readonly FlowConnection[];
  readonly connectionsRemoved: readonly FlowConnection[];
  /** The names of the fields that differ, such as `name` or `head`; `updated` is not among them. */
  readonly fields: readonly string[];
}

const FIELDS = [
  'name',
  'alias',
  'created',
  'description',
  'head',
  'source',
  'owner',
  'meta',
] as const;

/** Compares a flow as it was with the same flow as it is. */
export function compareFlows(before: Flow, after: Flow): FlowChange {
  const idsOf = (flow: Flow): readonly string[] => flow.nodes.map(({ id }) => id);
  return {
    nodesAdded: without(idsOf(after), idsOf(before), String),
    nodesRemoved: without(idsOf(before), idsOf(after), String),
    connectionsAdded: without(after.connections, before.connections, keyOf),
    connectionsRemoved: without(before.connections, after.connections, keyOf),
    fields: FIELDS.filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    ),
  };
}

function without<T>(items: readonly T[], others: readonly T[], key: (item: T) => string): T[] {
  const known = new Set(others.map(key));
  return items.filter((item) => !known.has(key(item)));
}

function keyOf({ from, to, branch }: FlowConnection): string {
  return JSON.stringify([from, to, branch]);
}

/** The most items of a kind that are named; the rest are counted. */
const NAMED = 5;

/** Describes a change as text: `nodes added: A; connections removed: A → B; fields changed: head`. */
export function describeFlowChange(change: FlowChange): string {
  const arrow = ({ from, to }: FlowConnection): string => `${from} → ${to}`;
  const parts = [
    list('nodes added', change.nodesAdded),
    list('nodes removed', change.nodesRemoved),
    list('connections added', change.connectionsAdded.map(arrow)),
    list('connections removed', change.connectionsRemoved.map(arrow)),
    list('fields changed', change.fields),
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('; ') : 'only its form, such as comments or the order';
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const rest = items.length > NAMED ? ` and ${items.length - NAMED} more` : '';
  return `${title}: ${items.slice(0, NAMED).join(', ')}${rest}`;
}
