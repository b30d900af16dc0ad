import type { Flow, FlowConnection } from './flow.ts';

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

const FIELDS = ['name', 'alias', 'created', 'description', 'head', 'source'] as const;

/** Compares a flow as it was with the same flow as it is. */
export function compareFlows(before: Flow, after: Flow): FlowChange {
  const idsOf = (flow: Flow): readonly string[] => flow.nodes.map(({ id }) => id);
  return {
    nodesAdded: without(idsOf(after), idsOf(before), String),
    nodesRemoved: without(idsOf(before), idsOf(after), String),
    connectionsAdded: without(after.connections, before.connections, keyOf),
    connectionsRemoved: without(before.connections, after.connections, keyOf),
    fields: FIELDS.filter((field) => before[field] !== after[field]),
  };
}

function without<T>(items: readonly T[], others: readonly T[], key: (item: T) => string): T[] {
  const known = new Set(others.map(key));
  return items.filter((item) => !known.has(key(item)));
}

function keyOf({ from, to, branch }: FlowConnection): string {
  return JSON.stringify([from, to, branch]);
}

/** How many of a kind are named; the rest is counted. */
const NAMED = 5;

/** A change as text: `nodes added: A; connections removed: A → B; fields changed: head`. */
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
