import { yamlScalar } from '../project/yaml-scalar.ts';
import type { Flow } from './flow.ts';
import { FLOW_FIELDS } from './raw-flow.ts';

/** How a flow file is written. */
export interface WriteFlowOptions {
  /** Whether connections also name their nodes by id; see `docs/formats/flow-yaml.md`. */
  readonly withIds: boolean;
}

/** The text of a flow file; the format is `docs/formats/flow-yaml.md`. */
export function writeFlowYaml(flow: Flow, { withIds }: WriteFlowOptions): string {
  const fields = fieldsOf(flow);
  const lines: string[] = [];
  for (const name of FLOW_FIELDS) {
    const value = fields[name];
    if (value !== undefined) lines.push(`${name}: ${yamlScalar(value)}`);
  }
  lines.push(flow.nodes.length > 0 ? 'nodes:' : 'nodes: []');
  const indices = new Map<string, number>();
  for (const { index, id } of flow.nodes) {
    indices.set(id, index);
    lines.push(`  - index: ${index}\n    id: ${id}`);
  }
  lines.push(flow.connections.length > 0 ? 'connections:' : 'connections: []');
  for (const { from, to, branch } of flow.connections) {
    lines.push(`  - from: ${indices.get(from)}\n    to: ${indices.get(to)}`);
    if (branch !== undefined) lines.push(`    branch: ${yamlScalar(branch)}`);
    if (withIds) lines.push(`    from_id: ${from}\n    to_id: ${to}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The texts at the top of the file. The head is left out where it is the last node of the list, as
 * it is in every conversation that goes straight on.
 */
export function fieldsOf(flow: Flow): Readonly<Record<string, string | undefined>> {
  const { id, name, created, updated, description, alias, head, source } = flow;
  const isImplied = head === flow.nodes.at(-1)?.id;
  return {
    id,
    name,
    created,
    updated,
    description,
    alias,
    head: isImplied ? undefined : head,
    source,
  };
}
