import { MemoryError } from '../errors.ts';

/** A value of a JSON text with comments, and where it stands. */
export interface JsoncNode {
  readonly kind: 'array' | 'object' | 'scalar';
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last one. */
  readonly end: number;
  /** Fields or items, in order. Of items the name is empty. */
  readonly members: readonly JsoncMember[];
  /** Of a string: its text. */
  readonly text?: string;
}

/** A field or an item. */
export interface JsoncMember {
  readonly name: string;
  /** Offset where it begins, with its name. */
  readonly start: number;
  readonly value: JsoncNode;
}

/**
 * Reads JSON with comments and trailing commas, keeping the places, so that it can be edited without
 * touching anything else.
 *
 * @throws MemoryError `invalid-input` with line and column.
 */
export function parseJsonc(source: string): JsoncNode {
  let at = source.startsWith('\uFEFF') ? 1 : 0;
  const fail = (what: string): never => {
    const before = source.slice(0, at).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
    throw new MemoryError('invalid-input', `${what} at ${place}`);
  };
  const skip = (): void => {
    GAP.lastIndex = at;
    at += GAP.exec(source)?.[0].length ?? 0;
  };
  const scalar = (): JsoncNode => {
    SCALAR.lastIndex = at;
    const found = SCALAR.exec(source)?.[0];
    if (found === undefined) return fail('a value is missing');
    const start = at;
    at += found.length;
    const shared = { kind: 'scalar', start, end: at, members: [] } as const;
    if (!found.startsWith('"')) return shared;
    try {
      return { ...shared, text: String(JSON.parse(found)) };
    } catch {
      return fail('a text is broken');
    }
  };
  const members = (close: string): JsoncMember[] => {
    const found: JsoncMember[] = [];
    for (;;) {
      skip();
      if (source[at] === close) return found;
      const start = at;
      let name = '';
      if (close === '}') {
        name = scalar().text ?? fail('a name is missing');
        skip();
        if (source[at] !== ':') fail("':' is missing");
        at += 1;
      }
      found.push({ name, start, value: value(0) });
      skip();
      if (source[at] === ',') at += 1;
      else if (source[at] !== close) fail(`',' or '${close}' is missing`);
    }
  };
  const value = (depth: number): JsoncNode => {
    skip();
    const open = source[at];
    if (open !== '{' && open !== '[') return scalar();
    if (depth > 100) fail('it is nested too deeply');
    const start = at;
    at += 1;
    const found = members(open === '{' ? '}' : ']');
    at += 1;
    const kind = open === '{' ? 'object' : 'array';
    return { kind, start, end: at, members: found };
  };
  const root = value(0);
  skip();
  if (at < source.length) fail('there is more');
  return root;
}

const GAP = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const SCALAR = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

/** A field of an object. */
export function fieldOf(node: JsoncNode | undefined, name: string): JsoncNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.name === name)?.value;
}
