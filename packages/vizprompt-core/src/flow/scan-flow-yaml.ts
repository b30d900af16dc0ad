import type { FilePlace } from '../errors.ts';
import { readYamlScalar } from '../project/yaml-scalar.ts';
import { FLOW_FIELDS, type RawConnection, type RawFlow, type RawFlowNode } from './raw-flow.ts';

const FIELD = /^([a-z_]+): (.+)$/;
const ITEM = /^ {2}(?:- | {2})([a-z_]+): (.+)$/;
const NODE_KEYS = new Set(['index', 'id']);
const CONNECTION_KEYS = new Set(['from', 'to', 'branch', 'from_id', 'to_id']);
const NUMBERS = new Set(['index', 'from', 'to']);

type Item = Readonly<Record<string, string | number>>;

/**
 * Reads a flow file line by line, if it has the very form that `writeFlowYaml` gives it: twenty
 * times as fast as a YAML parser.
 *
 * @returns `undefined` for any other form, which is then for the YAML parser.
 */
export function scanFlowYaml(file: string, text: string): RawFlow | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '') return undefined;
  const fields: Record<string, string> = {};
  const lists: Record<string, { item: Item; place: FilePlace }[]> = {};
  let list: { item: Item; place: FilePlace }[] | undefined;
  let keys = NODE_KEYS;

  for (const [index, line] of lines.entries()) {
    const isEmptyList = line === 'nodes: []' || line === 'connections: []';
    if (line === 'nodes:' || line === 'connections:' || isEmptyList) {
      const name = line.slice(0, line.indexOf(':'));
      if (lists[name]) return undefined;
      list = lists[name] = [];
      keys = name === 'nodes' ? NODE_KEYS : CONNECTION_KEYS;
      continue;
    }
    const [, key = '', scalar = ''] = (list ? ITEM : FIELD).exec(line) ?? [];
    const value = NUMBERS.has(key) ? readNumber(scalar) : readYamlScalar(scalar);
    if (value === undefined) return undefined;
    if (!list) {
      if (!isField(key) || key in fields || typeof value !== 'string') return undefined;
      fields[key] = value;
      continue;
    }
    if (!keys.has(key)) return undefined;
    if (line.startsWith('  - ')) {
      list.push({ item: { [key]: value }, place: { file, line: index + 1, column: 5 } });
      continue;
    }
    const last = list.at(-1);
    if (!last || key in last.item) return undefined;
    last.item = { ...last.item, [key]: value };
  }
  return {
    fields,
    nodes: (lists['nodes'] ?? []).map(toNode),
    connections: (lists['connections'] ?? []).map(toConnection),
  };
}

function isField(key: string): boolean {
  return FLOW_FIELDS.some((field) => field === key);
}

function readNumber(scalar: string): number | undefined {
  return /^(?:0|[1-9]\d{0,9})$/.test(scalar) ? Number(scalar) : undefined;
}

function numberOf(value: string | number | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textOf(value: string | number | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function toNode({ item, place }: { item: Item; place: FilePlace }): RawFlowNode {
  return { index: numberOf(item['index']), id: textOf(item['id']), place };
}

function toConnection({ item, place }: { item: Item; place: FilePlace }): RawConnection {
  return {
    from: numberOf(item['from']),
    to: numberOf(item['to']),
    fromId: textOf(item['from_id']),
    toId: textOf(item['to_id']),
    branch: textOf(item['branch']),
    place,
  };
}
