import { readYamlScalar } from '../format/yaml.ts';
import {
  FLOW_FIELDS,
  type RawConnection,
  type RawFlow,
  type RawFlowNode,
} from './parse-flow-yaml.ts';

const FIELD = /(?!nodes:|connections:)([a-z]+): (.+)\n/y;
const LIST = /(nodes|connections):( \[\])?\n/y;
const NODE = / {2}- index: (0|[1-9]\d{0,9})\n {4}id: ([0-9a-f-]{36})\n/y;
const CONNECTION =
  / {2}- from: (0|[1-9]\d{0,9})\n {4}to: (0|[1-9]\d{0,9})\n(?: {4}branch: (.+)\n)?(?: {4}from_id: ([0-9a-f-]{36})\n {4}to_id: ([0-9a-f-]{36})\n)?/y;

/** Column of the first key of an entry. */
const COLUMN = 5;

/**
 * Reads a flow file if it has the very form that `writeFlowYaml` gives it, many times as fast as a
 * YAML parser.
 *
 * @returns `undefined` for any other form, which is then for the YAML parser.
 */
export function scanFlowYaml(file: string, text: string): RawFlow | undefined {
  const scanner = new Scanner(text);
  const fields: Record<string, string> = {};
  for (let match = scanner.take(FIELD); match; match = scanner.take(FIELD)) {
    const [, name = '', scalar = ''] = match;
    const value = readYamlScalar(scalar);
    const isKnown = FLOW_FIELDS.some((field) => field === name) && !(name in fields);
    if (!isKnown || value === undefined) return undefined;
    fields[name] = value;
  }

  if (scanner.take(LIST)?.[1] !== 'nodes') return undefined;
  const nodes: RawFlowNode[] = [];
  for (let line = scanner.line; ; line = scanner.line) {
    const match = scanner.take(NODE);
    if (!match) break;
    nodes.push({ index: Number(match[1]), id: match[2], place: { file, line, column: COLUMN } });
  }

  if (scanner.take(LIST)?.[1] !== 'connections') return undefined;
  const connections: RawConnection[] = [];
  for (let line = scanner.line; ; line = scanner.line) {
    const match = scanner.take(CONNECTION);
    if (!match) break;
    const [, from, to, scalar, fromId, toId] = match;
    const branch = scalar === undefined ? undefined : readYamlScalar(scalar);
    if (scalar !== undefined && branch === undefined) return undefined;
    const place = { file, line, column: COLUMN };
    connections.push({ from: Number(from), to: Number(to), fromId, toId, branch, place });
  }
  return scanner.isAtEnd ? { fields, nodes, connections } : undefined;
}

/** Takes one thing after the other from a text, and counts its lines. */
class Scanner {
  readonly #text: string;
  #at = 0;
  line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** What a sticky pattern finds here, if anything. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    for (let at = this.#at; at < pattern.lastIndex; at++) {
      if (this.#text.charCodeAt(at) === 10) this.line++;
    }
    this.#at = pattern.lastIndex;
    return match;
  }
}
