import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { boundNames, nodesIn } from './cel-nodes.ts';
import type { CelProgram } from './cel-environment.ts';

/** Texts and comments, which stay as they are, and words. */
const PIECES =
  /[rRbB]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*|[\p{ID_Start}_][\p{ID_Continue}]*/gu;
const WORD = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;
const SIGNS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_';

/**
 * Parses an expression, in which names may be of any script, as in `評価.点数 >= 8`: CEL knows ASCII only. Other
 * names are parsed under ASCII ones of the same length, so that all places stay right.
 */
export function parseCel(environment: Environment, source: string): CelProgram {
  if (ASCII.test(source)) return environment.parse(source);
  const names = new Map<string, string>();
  const words = new Set(source.match(/[A-Za-z_]\w*/g));
  const ascii = source.replaceAll(PIECES, (piece) => {
    if (ASCII.test(piece) || !WORD.test(piece)) return piece;
    const known = [...names].find(([, name]) => name === piece);
    const name = known?.[0] ?? freeName(piece.length, words);
    if (name === undefined) return piece;
    words.add(name);
    names.set(name, piece);
    return name;
  });
  const program = environment.parse(ascii);
  rename(program.ast, names);
  return program;
}

/** A name of so many letters that is not taken. */
function freeName(length: number, taken: ReadonlySet<string>): string | undefined {
  const start = 'x'.repeat(length - 1);
  return Array.from(SIGNS, (sign) => start + sign).find((name) => !taken.has(name));
}

/** Gives names back, but for those that the expression itself makes. */
function rename(node: ASTNode, names: ReadonlyMap<string, string>): void {
  const { op, args } = node;
  if (op === 'id') {
    Object.assign(node, { args: names.get(args) ?? args });
    return;
  }
  if (op === '.' || op === '.?') args[1] = names.get(args[1]) ?? args[1];
  const own = boundNames(node);
  if (op !== 'rcall' || own.length === 0) {
    for (const child of nodesIn(args)) rename(child, names);
    return;
  }
  rename(args[1], names);
  const others = new Map([...names].filter(([name]) => !own.includes(name)));
  for (const child of args[2]) rename(child, others);
}
