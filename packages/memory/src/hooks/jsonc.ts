import { MemoryError } from '../errors.ts';

/** A value of a JSON text with comments, and its place. */
export interface JsoncNode {
  readonly kind: 'array' | 'object' | 'scalar';
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last one. */
  readonly end: number;
  /** Fields or items, in order. Items have an empty name. */
  readonly members: readonly JsoncMember[];
  /** The text of a string. */
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
  const members = (close: string, depth: number): JsoncMember[] => {
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
      found.push({ name, start, value: value(depth) });
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
    const found = members(open === '{' ? '}' : ']', depth + 1);
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

/** Returns a field of an object. */
export function fieldOf(node: JsoncNode | undefined, name: string): JsoncNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.name === name)?.value;
}

/** A blank or a whole comment, which ends in one way only: of many in a row, no other ends are tried. */
const BETWEEN = String.raw`\s|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|\/\/[^\n]*\n`;
/** Comments and blanks before a comma, and the comma. */
const COMMA = new RegExp(`^((?:${BETWEEN})*),`);
/** Comments and blanks, the last of which ends with its line: a block may have two slashes in it. */
const LINE_COMMENT = new RegExp(String.raw`^(?:,|${BETWEEN})*\/\/[^\n]*$`);

/** How much a level is indented in a text, by its first indented line. */
function indentOf(source: string): string {
  return /\n([ \t][ \t]*)\S/.exec(source)?.[1] ?? '  ';
}

/** Returns the blanks before the line that a place is in. */
function lineIndent(source: string, at: number): string {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(source.slice(lineStart, at))?.[0] ?? '';
}

/**
 * Adds a member at the end of an object or list. Nothing is replaced, so that `removeMember` restores the text.
 *
 * @param name - The name of a field; `undefined` for an item.
 * @returns The new text.
 */
export function addMember(
  source: string,
  node: JsoncNode,
  name: string | undefined,
  value: unknown,
): string {
  const step = indentOf(source);
  const eol = eolOf(source);
  const outer = lineIndent(source, node.start);
  const inner = outer + step;
  const json = JSON.stringify(value, null, step).replaceAll('\n', `${eol}${inner}`);
  const text = `${eol}${inner}${name === undefined ? '' : `${JSON.stringify(name)}: `}${json}`;
  const from = node.members.at(-1)?.value.end ?? node.start + 1;
  const gap = source.slice(from, node.end - 1);
  const kept = gap.trimEnd();
  const blanks = gap.slice(kept.length);
  const after = source.slice(node.end - 1);
  if (node.members.length === 0) {
    const end = gap === '' ? `${eol}${outer}` : blanks;
    return `${source.slice(0, from)}${kept}${text}${end}${after}`;
  }
  // A trailing comma, perhaps before a comment: the last member has one, then.
  const isTrailing = COMMA.test(gap);
  const commas = isTrailing ? ['', ','] : [',', ''];
  return `${source.slice(0, from)}${commas[0]}${kept}${text}${commas[1]}${blanks}${after}`;
}

/**
 * Takes the `index`th member out, with the comma that belongs to it.
 *
 * @param blank - The text that stays between the brackets if nothing else does.
 */
export function removeMember(source: string, node: JsoncNode, index: number, blank = ''): string {
  const member = node.members[index];
  if (!member) return source;
  const before = node.members[index - 1];
  const next = node.members[index + 1];
  const { end } = member.value;
  if (next) {
    const gap = source.slice(end, next.start).replace(COMMA, '$1');
    const comments = gap.trim() === '' ? '' : gap.trimStart();
    return source.slice(0, member.start) + comments + source.slice(next.start);
  }
  if (before) {
    const gap = source.slice(before.value.end, member.start);
    const tail = source.slice(end, node.end - 1);
    // The comma after the last member was there before it.
    const isTrailing = COMMA.test(tail);
    const kept = (isTrailing ? gap : gap.replace(COMMA, '$1')).trimEnd();
    const rest = (isTrailing ? tail.replace(COMMA, '$1') : tail) + source.slice(node.end - 1);
    return `${source.slice(0, before.value.end)}${joined(kept, rest)}`;
  }
  const head = source.slice(node.start + 1, member.start).trimEnd();
  const tail = source.slice(end, node.end - 1).replace(COMMA, '$1');
  const isEmpty = head === '' && tail === `${eolOf(source)}${lineIndent(source, node.start)}`;
  const body = isEmpty
    ? blank
    : joined(head, tail + source.slice(node.end - 1, node.end)).slice(0, -1);
  return source.slice(0, node.start + 1) + body + source.slice(node.end - 1);
}

/** Joins a text and what follows it, on a line of its own after a comment that ends with its line. */
function joined(text: string, rest: string): string {
  const isComment = LINE_COMMENT.test(text) && !/^\s*\n/.test(rest);
  return `${text}${isComment ? '\n' : ''}${rest}`;
}

function eolOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}
