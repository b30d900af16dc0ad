import type * as Re2 from 're2js';
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { LruMap, isError } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';

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
export async function prepareMatches(): Promise<void> {
  re2 ??= await import('re2js');
}

/**
 * Replaces `matches` by an engine that takes time in proportion to the text (RE2, as the specification of CEL demands),
 * and counts what an evaluation costs: macros over lists that a model wrote would otherwise stop the process.
 */
export function limitCost(environment: Environment): void {
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
export function useLinearMatches(
  node: ASTNode,
  nodesIn: (args: unknown) => readonly ASTNode[],
): void {
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    node.args[0] = MATCHES;
    checkPattern(node.args[2][0]);
  }
  for (const child of nodesIn(node.args)) useLinearMatches(child, nodesIn);
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
