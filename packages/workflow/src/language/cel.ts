import type * as Cel from '@marcbachmann/cel-js';
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { type JsonValue, messageOf } from '@vizprompt/providers';
import { isError, LruMap } from '@vizprompt/providers/internal';
import type * as Re2 from 're2js';
import { WorkflowError } from '../errors.ts';

/** A parsed expression. */
export type CelProgram = ReturnType<Environment['parse']>;

let loaded: typeof Cel | undefined;
let shared: Environment | undefined;

/** Loads CEL; conditions can be evaluated from then on. */
export async function prepareConditions(): Promise<void> {
  const [cel] = await Promise.all([import('@marcbachmann/cel-js'), prepareMatches()]);
  loaded ??= cel;
}

/** Returns the environment of conditions, in which variables have the types of their values. */
export function celEnvironment(): Environment {
  shared ??= newCelEnvironment(true);
  return shared;
}

/**
 * Makes an environment.
 *
 * @param isOpen - True if variables need not be declared.
 */
export function newCelEnvironment(isOpen: boolean): Environment {
  if (!loaded) throw new Error('CEL is not loaded: call prepareConditions() first');
  const environment = new loaded.Environment({
    unlistedVariablesAreDyn: isOpen,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  for (const [sign, compute] of Object.entries(ARITHMETIC)) {
    environment.registerOperator(`double ${sign} int`, (left: number, right: bigint) =>
      compute(left, Number(right)),
    );
    environment.registerOperator(`int ${sign} double`, (left: bigint, right: number) =>
      compute(Number(left), right),
    );
  }
  environment.registerOperator('double % double', ARITHMETIC['%']);
  limitCost(environment);
  return environment;
}

/** CEL keeps whole numbers and others apart, and all numbers of JSON are of the other kind. */
const ARITHMETIC = {
  '+': (left: number, right: number): number => left + right,
  '-': (left: number, right: number): number => left - right,
  '*': (left: number, right: number): number => left * right,
  '/': (left: number, right: number): number => left / right,
  '%': (left: number, right: number): number => left % right,
};

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
  const program = parseNames(environment, source);
  useLinearMatches(program.ast);
  return program;
}

function parseNames(environment: Environment, source: string): CelProgram {
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

/** Returns a name of this many letters that is not taken. */
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

/** Calls whose first arguments are names of their own. */
const BINDING: Readonly<Record<string, number>> = {
  all: 2,
  bind: 1,
  exists: 2,
  exists_one: 2,
  filter: 1,
  map: 1,
};

/** Returns the names that a call such as `list.all(x, x > 1)` makes, for what is within its brackets. */
export function boundNames(node: ASTNode): readonly string[] {
  if (node.op !== 'rcall') return [];
  const [name, , given] = node.args;
  const most = Object.hasOwn(BINDING, name) ? (BINDING[name] ?? 0) : 0;
  return given
    .slice(0, Math.min(most, given.length - 1))
    .flatMap((one) => (one.op === 'id' ? [one.args] : []));
}

/** Returns the nodes right below, in whatever form a node has them. */
export function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only nodes have an operator
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}

/** Returns a value of CEL as JSON: whole numbers become numbers, and times ISO 8601. */
export function celToJson(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
      if (Number.isSafeInteger(Number(value))) return Number(value);
      break;
    case 'object':
      return objectToJson(value);
  }
  throw new Error(`it gives ${String(value)}, which JSON cannot hold`);
}

function objectToJson(value: object | null): JsonValue {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(celToJson);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, one]) => [String(key), celToJson(one)]));
  }
  // An unsigned number.
  if ('value' in value && typeof value.value === 'bigint') return celToJson(value.value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, celToJson(one)]));
  }
  throw new Error(
    `it gives a ${value.constructor.name}, which JSON cannot hold: use string(...) or int(...)`,
  );
}

/** The error of CEL for an expression, and the place in it. */
interface CelComplaint {
  readonly code: string;
  readonly problem: string;
  /** In UTF-16 code units from 0. */
  readonly offset: number;
}

/** Reads an error of CEL. */
export function readCelError(error: unknown): CelComplaint {
  const { code, summary, range } = Object(error);
  return {
    code: typeof code === 'string' ? code : 'unknown',
    problem: (typeof summary === 'string' ? summary : messageOf(error)).replaceAll(
      '_matches(',
      'matches(',
    ),
    offset: typeof range?.start === 'number' ? range.start : 0,
  };
}

/** Returns the error of a condition that cannot be read or evaluated. */
export function celFailure(source: string, error: unknown): WorkflowError {
  if (WorkflowError.isInstance(error)) return error;
  const { code, problem, offset } = readCelError(error);
  return new WorkflowError(
    'condition-failed',
    `the condition '${source}' failed at character ${offset + 1}: ${problem}`,
    { cause: error, context: { condition: source, offset, reason: code } },
  );
}

/** Expressions that one evaluation may evaluate, counted as in {@link costOf}: one to two seconds. */
const MAX_COST = 10_000_000;

/** Instructions of a compiled regular expression, with its repetitions written out. */
const MAX_PROGRAM = 5000;

/** Compiled regular expressions that are cached. */
const CACHED = 256;

/** The name under which `matches` is evaluated; the library's own is a backtracking `RegExp`. */
const MATCHES = '_matches';

/** Evaluator of the parts of an expression; the library passes it to functions as `this`. */
interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
}

let re2: typeof Re2 | undefined;
const compiled = new LruMap<string, Re2.RE2JS>(CACHED);
let cost = 0;
let maxCost = MAX_COST;

/** Loads the engine of regular expressions. */
async function prepareMatches(): Promise<void> {
  re2 ??= await import('re2js');
}

/**
 * Replaces `matches` by an engine that takes time in proportion to the text (RE2, as the specification of CEL demands),
 * and counts what an evaluation costs: macros over lists that a model wrote would otherwise stop the process.
 */
function limitCost(environment: Environment): void {
  environment.registerFunction(`string.${MATCHES}(string): bool`, matches);
  environment.registerFunction('_meter(): bool', meter);
  environment.parse('_meter()')({});
}

const metered = new WeakSet<Evaluator>();

/** Counts all that an evaluator evaluates. */
function meter(this: Evaluator): boolean {
  if (metered.has(this)) return true;
  metered.add(this);
  const run = this.run.bind(this);
  this.run = (node, context) => {
    spend(1);
    const value = run(node, context);
    spend(costOf(value));
    return value;
  };
  return true;
}

/**
 * Lets `matches` of a parsed expression be the linear one.
 *
 * @throws An error in the form of the library for a pattern in quotes that cannot be compiled.
 */
function useLinearMatches(node: ASTNode): void {
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    node.args[0] = MATCHES;
    checkPattern(node.args[2][0]);
  }
  for (const child of nodesIn(node.args)) useLinearMatches(child);
}

/**
 * Evaluates within the limit of cost. The library takes an error within `all`, `exists`, `&&` and `||` for an unknown
 * value and continues, so a limit that was met is also reported after the evaluation.
 *
 * @param limit - How much it may cost.
 * @throws WorkflowError with the code `condition-failed`
 */
export function withinCost<T>(source: string, evaluate: () => T, limit: number = MAX_COST): T {
  cost = 0;
  maxCost = limit;
  let failure: unknown;
  try {
    const value = evaluate();
    if (cost <= limit) return value;
  } catch (error) {
    failure = error;
    if (cost <= limit) throw error;
  }
  throw new WorkflowError(
    'condition-failed',
    `the condition '${source}' was stopped: it evaluates more than ${limit.toLocaleString('en-US')} expressions. ` +
      'Nest fewer macros such as all() and filter(), or make the lists shorter',
    { cause: failure, context: { condition: source, offset: 0, reason: 'cost', limit } },
  );
}

/** Compiles a regular expression of `matches`, once. */
function compileMatches(pattern: string): Re2.RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (!re2) throw new Error('CEL is not loaded: call prepareConditions() first');
  const { RE2JS } = re2;
  const made = RE2JS.compile(pattern);
  if (made.programSize() > MAX_PROGRAM) {
    throw new Error(`it is too large with its repetitions written out: repeat less`);
  }
  compiled.set(pattern, made);
  return made;
}

function matches(text: string, pattern: string): boolean {
  let regex: Re2.RE2JS;
  try {
    regex = compileMatches(pattern);
  } catch (error) {
    throw new Error(invalidPattern(pattern, error), { cause: error });
  }
  spend(Math.ceil(text.length / 4) + regex.programSize());
  return regex.test(text);
}

function checkPattern(node: ASTNode | undefined): void {
  if (node?.op !== 'value' || typeof node.args !== 'string') return;
  try {
    compileMatches(node.args);
  } catch (error) {
    const summary = invalidPattern(node.args, error);
    const range = { start: node.start, end: node.end };
    throw Object.assign(new Error(summary), { code: 'invalid_regular_expression', summary, range });
  }
}

/** Says why a regular expression of `matches` cannot be used. */
function invalidPattern(pattern: string, error: unknown): string {
  const reason = (isError(error) ? error.message : String(error)).replace(
    /^error parsing regexp: /u,
    '',
  );
  return `Invalid regular expression '${pattern}': ${reason} (matches() uses RE2, without lookaround and backreferences)`;
}

function spend(amount: number): void {
  cost += amount;
  if (cost > maxCost) throw new Error('the limit of cost is used up');
}

/** Returns a part of what handling a value costs: comparing and copying take time in proportion to its length. */
function costOf(value: unknown): number {
  if (typeof value === 'string') return value.length >>> 6;
  return Array.isArray(value) ? value.length >>> 3 : 0;
}
