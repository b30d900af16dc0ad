import type { JsoncNode } from './jsonc.ts';

/** Comments and blanks before a comma, and the comma. */
const COMMA = /^((?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*),/;

/** How much a level is indented in a text, by its first indented line. */
function indentOf(source: string): string {
  return /\n([ \t]+)\S/.exec(source)?.[1] ?? '  ';
}

/** The blanks before the line that a place is in. */
function lineIndent(source: string, at: number): string {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(source.slice(lineStart, at))?.[0] ?? '';
}

/**
 * Adds a member at the end of an object or list.
 *
 * @param name - Of a field; `undefined` for an item.
 * @returns The new text.
 */
export function addMember(
  source: string,
  node: JsoncNode,
  name: string | undefined,
  value: unknown,
): string {
  const step = indentOf(source);
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const outer = lineIndent(source, node.start);
  const inner = outer + step;
  const json = JSON.stringify(value, null, step).replaceAll('\n', `${eol}${inner}`);
  const text = `${name === undefined ? '' : `${JSON.stringify(name)}: `}${json}`;
  const last = node.members.at(-1);
  if (!last) {
    const body = source.slice(node.start + 1, node.end - 1);
    const kept = body.trim() === '' ? '' : body.trimEnd();
    const made = `${kept}${eol}${inner}${text}${eol}${outer}`;
    return source.slice(0, node.start + 1) + made + source.slice(node.end - 1);
  }
  const end = last.value.end;
  const tail = source.slice(end, node.end - 1);
  // A trailing comma stands already, perhaps behind a comment.
  const hasComma = COMMA.test(tail);
  const kept = `${hasComma ? '' : ','}${tail.trimEnd()}`;
  return `${source.slice(0, end)}${kept}${eol}${inner}${text}${eol}${outer}${source.slice(node.end - 1)}`;
}

/** Takes the `index`th member out, with the comma that belongs to it. */
export function removeMember(source: string, node: JsoncNode, index: number): string {
  const member = node.members[index];
  if (!member) return source;
  const before = node.members[index - 1];
  const next = node.members[index + 1];
  if (before) {
    const gap = source.slice(before.value.end, member.start).replace(COMMA, '$1').trimEnd();
    const rest = source.slice(member.value.end);
    const isComment = /\/\/[^\n]*$/.test(gap) && !/^\s*\n/.test(rest);
    return `${source.slice(0, before.value.end)}${gap}${isComment ? '\n' : ''}${rest}`;
  }
  if (next) {
    const gap = source.slice(member.value.end, next.start).replace(COMMA, '$1');
    const comments = gap.trim() === '' ? '' : gap.trimStart();
    return source.slice(0, member.start) + comments + source.slice(next.start);
  }
  const rest = source.slice(member.value.end, node.end - 1).replace(/^\s*,/, '');
  const head = source.slice(node.start + 1, member.start);
  const left = `${head.trimEnd()}${rest.trimEnd()}`;
  const body = left.trim() === '' ? '' : `${left}\n${lineIndent(source, node.start)}`;
  return source.slice(0, node.start + 1) + body + source.slice(node.end - 1);
}
