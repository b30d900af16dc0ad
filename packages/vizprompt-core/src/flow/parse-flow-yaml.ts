import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { type FilePlace, invalidFile } from '../errors.ts';
import { isUuid } from '../format/ids-and-times.ts';
import { refuseMergeConflict } from '../format/merge-conflict.ts';
import { parseYaml, readYamlJson, readYamlScalar, yamlJson } from '../format/yaml.ts';

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
 * Reads what a flow file says.
 *
 * @param file - The key of the file, for errors.
 * @param isLenient - True if invalid numbers count as missing.
 * @throws VizPromptError with the code `flow-invalid` if it is not YAML of that form.
 */
export function readRawFlow(file: string, text: string, isLenient = false): RawFlowFile {
  const scanned = scanFlowYaml(file, text);
  if (scanned) return { raw: inLowerCase(scanned), withIds: usesIds(scanned) };
  const { raw, document } = parseFlowYaml(file, text, isLenient);
  return { raw: inLowerCase(raw), withIds: usesIds(raw), document };
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

/** A flow file as the YAML parser sees it. */
export interface ParsedFlowYaml {
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
