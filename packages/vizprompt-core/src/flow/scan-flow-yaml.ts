import type { Document } from 'yaml';
import type { FilePlace } from '../errors.ts';
import { isUuid } from '../format/ids-and-times.ts';
import { readYamlJson, readYamlScalar } from '../format/yaml.ts';

/** A node entry as it is in a file. */
interface RawFlowNode {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly place: FilePlace;
}

/** A connection entry as it is in a file. */
export interface RawConnection {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly fromId: string | undefined;
  readonly toId: string | undefined;
  readonly branch: string | undefined;
  readonly place: FilePlace;
}

/** The content of a flow file before it is known to make sense. */
export interface RawFlow {
  /** The texts at the top: `id`, `name`, `created` and so on; `meta` as JSON. */
  readonly fields: Readonly<Record<string, string>>;
  readonly nodes: readonly RawFlowNode[];
  readonly connections: readonly RawConnection[];
}

/** The keys at the top, in the order in which they are written. All are texts, but `meta`, which is an object of JSON. */
export const FLOW_FIELDS = [
  'id',
  'name',
  'created',
  'updated',
  'description',
  'alias',
  'head',
  'source',
  'owner',
  'meta',
] as const;

/** The content of a flow file, valid or not. */
export interface RawFlowFile {
  readonly raw: RawFlow;
  /** Connections name their nodes by id too. */
  readonly withIds: boolean;
  /** The document of a file that was written by hand, with its comments and unknown keys. */
  readonly document?: Document.Parsed;
}

/**
 * Reads what a flow file says if it has the very form that `writeFlowYaml` gives it.
 *
 * @param file - The key of the file, for errors.
 * @returns `undefined` for any other form, which is then for the YAML parser.
 */
export function scanRawFlow(file: string, text: string): RawFlowFile | undefined {
  const scanned = scanFlowYaml(file, text);
  return scanned && rawFlowFile(scanned);
}

/** Returns the content of a flow file, with ids in the case in which they are compared. */
export function rawFlowFile(raw: RawFlow): RawFlowFile {
  return { raw: inLowerCase(raw), withIds: usesIds(raw) };
}

/** Ids as they are written; RFC 9562 has them read in any case. */
function inLowerCase(raw: RawFlow): RawFlow {
  const plain = (id: string | undefined): string | undefined =>
    id !== undefined && /[A-F]/.test(id) && isUuid(id) ? id.toLowerCase() : id;
  const names = ['id', 'head'].flatMap((name) => {
    const id = plain(raw.fields[name]);
    return id === undefined ? [] : [[name, id] as const];
  });
  return {
    fields: { ...raw.fields, ...Object.fromEntries(names) },
    nodes: raw.nodes.map((node) => {
      const id = plain(node.id);
      return id === node.id ? node : { ...node, id };
    }),
    connections: raw.connections.map((each) => {
      const [fromId, toId] = [plain(each.fromId), plain(each.toId)];
      return fromId === each.fromId && toId === each.toId ? each : { ...each, fromId, toId };
    }),
  };
}

function usesIds({ connections }: RawFlow): boolean {
  return connections.some(({ fromId, toId }) => fromId !== undefined || toId !== undefined);
}

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
    const value = name === 'meta' ? readYamlJson(scalar) : readYamlScalar(scalar);
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

  /** Consumes what a sticky pattern matches here, if anything. */
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
