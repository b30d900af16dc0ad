import { type JsonValue, messageOf } from '@vizprompt/providers';
import {
  ARRAY,
  COUNT,
  either,
  having,
  type Kinds,
  OBJECT,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { isJsonObject } from '@vizprompt/providers/internal';
import { folded, identityOf } from '../aggregate/answer.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { Variables } from '../definition/step.ts';
import { ENGINE_KINDS, type WorkflowEngineOptions } from '../engine/engine-options.ts';
import { WorkflowEngine } from '../engine/workflow-engine.ts';
import { WorkflowError } from '../errors.ts';
import { type Case, readCases, toCases } from './cases.ts';
import { type Estimate, estimate, meanOf } from './statistics.ts';

/** Options of {@link evaluateWorkflow}; those of an engine are passed on. */
export interface EvaluationOptions extends Omit<WorkflowEngineOptions, 'runtime' | 'storage'> {
  /** The name of the workflow. Default: the only one of the files. */
  readonly workflow?: string | undefined;
  /** The cases, or their file: JSON Lines, or a list in YAML or JSON. */
  readonly dataset: string | URL | readonly (Omit<Case, 'id'> & { readonly id?: string })[];
  /** Judges by the names of their scores. */
  readonly judges: Readonly<Record<string, Judge>>;
  /** Runs of each case. Default: 1. */
  readonly repeat?: number | undefined;
  /** Runs at a time. Default: 4. */
  readonly parallel?: number | undefined;
  /** Default: `'default'`, or the only one. */
  readonly promptSet?: string | undefined;
  /** Cancels it: what runs is stopped. */
  readonly signal?: AbortSignal | undefined;
}

/** A run of a case, and its scores. */
interface CaseRun {
  readonly caseId: string;
  /** From 1. */
  readonly repetition: number;
  readonly output?: JsonValue;
  /** Why it, or one of its judges, failed: all of its scores are 0 then. */
  readonly error?: string;
  readonly scores: Readonly<Record<string, number>>;
  readonly ms: number;
  readonly tokens: number;
  readonly costUsd?: number;
}

/** The result of an evaluation. */
export interface Evaluation {
  readonly workflow: string;
  readonly runs: readonly CaseRun[];
  /** Means with their intervals, by judge. */
  readonly scores: Readonly<Record<string, Estimate>>;
  /** Runs that failed. */
  readonly failures: number;
  /** Means of a run. */
  readonly ms: number;
  readonly tokens: number;
  readonly costUsd?: number;
}

const { storage: _storage, runtime: _runtime, ...ENGINE } = ENGINE_KINDS;

const OPTIONS: Kinds<EvaluationOptions> = {
  ...ENGINE,
  workflow: optional(TEXT),
  dataset: either(either(TEXT, ARRAY), OBJECT),
  judges: OBJECT,
  repeat: optional(COUNT),
  parallel: optional(COUNT),
  promptSet: optional(TEXT),
  signal: optional(SIGNAL),
};

/**
 * Runs a workflow over the cases of a dataset, several times each, and scores each run by judges. A run that fails has the
 * score 0, and is counted.
 *
 * @throws WorkflowError with the codes of `WorkflowEngine.open`, `invalid-input` for a dataset, a judge or an option, or
 * `cancelled`.
 *
 * @example
 * ```ts
 * const evaluation = await evaluateWorkflow({
 *   files: 'flows.yaml',
 *   dataset: 'cases.jsonl',
 *   judges: { right: exactMatch },
 *   repeat: 3,
 * });
 * console.log(evaluationTable(evaluation));
 * ```
 */
export async function evaluateWorkflow(options: EvaluationOptions): Promise<Evaluation> {
  checkOptions('evaluateWorkflow', options, OPTIONS);
  const { workflow: given, dataset, judges, repeat = 1, parallel = 4, promptSet, signal } = options;
  const { workflow: _w, dataset: _d, judges: _j, repeat: _r, parallel: _p, ...rest } = options;
  const { promptSet: _s, signal: _a, ...engineOptions } = rest;
  const isFile = typeof dataset === 'string' || dataset instanceof URL;
  const cases = isFile ? await readCases(dataset) : toCases('the dataset', dataset);
  await using engine = await WorkflowEngine.open(engineOptions);
  const evaluator = new Evaluator(engine, nameOf(engine, given), judges, { promptSet, signal });
  evaluator.assertJudges();
  const open = cases.flatMap((one) =>
    Array.from({ length: repeat }, (_, at) => ({ one, repetition: at + 1 })),
  );
  const runs: CaseRun[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < open.length; at = next++) {
      const task = open[at];
      if (task) runs[at] = await evaluator.run(task.one, task.repetition);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, open.length) }, work));
  return summed(evaluator.workflow, runs, Object.keys(judges));
}

function nameOf({ workflows }: WorkflowEngine, given: string | undefined): string {
  const [only] = workflows;
  if (given !== undefined) return given;
  if (only !== undefined && workflows.length === 1) return only;
  const message = `which workflow? there are ${workflows.join(', ')}: give 'workflow'`;
  throw new WorkflowError('invalid-input', message);
}

class Evaluator {
  readonly workflow: string;
  readonly #engine: WorkflowEngine;
  readonly #judges: Readonly<Record<string, Judge>>;
  readonly #options: Pick<EvaluationOptions, 'promptSet' | 'signal'>;

  constructor(
    engine: WorkflowEngine,
    workflow: string,
    judges: Readonly<Record<string, Judge>>,
    options: Pick<EvaluationOptions, 'promptSet' | 'signal'>,
  ) {
    this.#engine = engine;
    this.workflow = workflow;
    this.#judges = judges;
    this.#options = options;
  }

  /** @throws WorkflowError with the code `invalid-input`. */
  assertJudges(): void {
    for (const [name, judge] of Object.entries(this.#judges)) {
      if (typeof judge === 'function') continue;
      const flow = flowOf(judge);
      if (flow !== undefined && this.#engine.workflows.includes(flow)) continue;
      const message = `the judge '${name}' must be a function, or flow:NAME with a workflow of the files`;
      throw new WorkflowError('invalid-input', message, { context: { judge: name } });
    }
  }

  async run({ id, input, expected }: Case, repetition: number): Promise<CaseRun> {
    const { signal } = this.#options;
    const startedAt = performance.now();
    let spent: Pick<CaseRun, 'tokens' | 'costUsd'> = { tokens: 0 };
    let ms = 0;
    try {
      const run = await this.#engine.start(this.workflow, input, this.#options);
      const { output, variables, usage, costUsd } = await run.result;
      ms = performance.now() - startedAt;
      const { inputTokens = 0, outputTokens = 0 } = usage;
      spent = { tokens: inputTokens + outputTokens, ...(costUsd === undefined ? {} : { costUsd }) };
      const context = { input, output, variables, ...(expected === undefined ? {} : { expected }) };
      const scores = await this.#scores(context);
      return { caseId: id, repetition, output, scores, ms, ...spent };
    } catch (error) {
      if (signal?.aborted) {
        throw new WorkflowError('cancelled', 'the evaluation was cancelled', { cause: error });
      }
      const scores = Object.fromEntries(Object.keys(this.#judges).map((name) => [name, 0]));
      if (ms === 0) ms = performance.now() - startedAt;
      return { caseId: id, repetition, error: messageOf(error), scores, ms, ...spent };
    }
  }

  async #scores(context: JudgeContext): Promise<Readonly<Record<string, number>>> {
    const scores: (readonly [string, number])[] = [];
    for (const [name, judge] of Object.entries(this.#judges)) {
      const given =
        typeof judge === 'function' ? await judge(context) : await this.#ask(judge, context);
      const score = isJsonObject(given) ? given['score'] : given;
      if (typeof score !== 'number' && typeof score !== 'boolean') {
        throw new TypeError(`the judge '${name}' gave ${JSON.stringify(given)}, and no score`);
      }
      scores.push([name, Number(score)]);
    }
    return Object.fromEntries(scores);
  }

  async #ask(judge: string, { input, output, expected }: JudgeContext): Promise<JsonValue> {
    const given = { input, output, ...(expected === undefined ? {} : { expected }) };
    const run = await this.#engine.start(flowOf(judge) ?? '', given, this.#options);
    const { output: score } = await run.result;
    return typeof score === 'string' && score.trim() !== '' && Number.isFinite(Number(score))
      ? Number(score)
      : score;
  }
}

function flowOf(judge: unknown): string | undefined {
  return typeof judge === 'string' ? /^flow:(.+)$/s.exec(judge)?.[1] : undefined;
}

function summed(workflow: string, runs: readonly CaseRun[], names: readonly string[]): Evaluation {
  const scores = names.map((name) => {
    const isBinary = runs.every((run) => run.scores[name] === 0 || run.scores[name] === 1);
    return [name, estimate([...caseMeans(runs, name).values()], isBinary)] as const;
  });
  const costs = runs.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const costUsd = meanOf(costs);
  return {
    workflow,
    runs,
    scores: Object.fromEntries(scores),
    failures: runs.filter(({ error }) => error !== undefined).length,
    ms: meanOf(runs.map(({ ms }) => ms)) ?? 0,
    tokens: meanOf(runs.map(({ tokens }) => tokens)) ?? 0,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** Returns the mean score of each case over its runs. */
export function caseMeans(runs: readonly CaseRun[], judge: string): ReadonlyMap<string, number> {
  const all = new Map<string, number[]>();
  for (const { caseId, scores } of runs) {
    const own = all.get(caseId) ?? [];
    all.set(caseId, own);
    own.push(scores[judge] ?? 0);
  }
  return new Map([...all].map(([id, own]) => [id, meanOf(own) ?? 0]));
}

/** The data of a run that a judge receives. */
export interface JudgeContext {
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly expected?: JsonValue;
  /** As they were at the end of the run. */
  readonly variables: Variables;
}

/**
 * Scores a run: a number, the higher the better, or whether it is right. A name such as `flow:grade` is a workflow of the
 * files: it is given `{ input, output, expected }`, and gives the score, or an object with `score`.
 */
export type Judge =
  | ((context: JudgeContext) => number | boolean | Promise<number | boolean>)
  | `flow:${string}`;

const CONTEXT = having('what a judge receives', 'output');

/** Judges whether the output is what was expected; strings without case, width, and the marks and space around them. */
export function exactMatch(context: JudgeContext): boolean {
  checkArgument('the argument of exactMatch', context, CONTEXT);
  const { output, expected = null } = context;
  return identityOf(output) === identityOf(expected);
}

/** Judges whether the output holds the expected text, or each of a list of them, in whatever case and width. */
export function contains(context: JudgeContext): boolean {
  checkArgument('the argument of contains', context, CONTEXT);
  const { output, expected = '' } = context;
  const text = folded(typeof output === 'string' ? output : JSON.stringify(output));
  const wanted = Array.isArray(expected) ? expected : [expected];
  return wanted.every((one) => text.includes(folded(String(one))));
}
