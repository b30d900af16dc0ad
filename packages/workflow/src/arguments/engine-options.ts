import type { Price, PriceTable } from '@vizprompt/providers/middleware';
import {
  AMOUNT,
  ANYTHING,
  AT_A_TIME,
  COUNT,
  either,
  FUNCTION,
  having,
  type Kind,
  type Kinds,
  listOf,
  OBJECT,
  optional,
  TEXT,
} from '@vizprompt/providers/config';
import { toMs } from '../definition/duration.ts';
import { WorkflowError } from '../errors.ts';
import type { DefinitionSources } from '../load/collect.ts';
import type { Concurrency, Retention, WorkflowEngineOptions } from '../options.ts';
import { checkArgument, checkOptions, checkValues } from './check.ts';

const MODEL = having('a ChatModel, such as ollama({ model })', 'stream', 'generate');
const MIDDLEWARE = having('a layer', 'name', 'stream');
const RECORDER = either(having('a TurnRecorder', 'record'), having('{ recorder }', 'recorder'));
/** What is in a file is checked by the format, with its place. */
const SOURCE: Kind = {
  expected: 'a path, a URL or an object as a file holds it',
  accepts: (value) => typeof value === 'string' || OBJECT.accepts(value),
};
const SOURCES: Kind = {
  expected: `${SOURCE.expected}, or a list of them`,
  accepts: (value) =>
    SOURCE.accepts(value) || (Array.isArray(value) && value.every((one) => SOURCE.accepts(one))),
};

/** Where definitions come from, as `dryRun` takes them too. */
export const SOURCE_KINDS: Kinds<DefinitionSources> = {
  files: SOURCES,
  promptSets: optional(OBJECT),
};

/** What an engine takes, and `testWorkflow` passes on. */
export const ENGINE_KINDS: Kinds<WorkflowEngineOptions> = {
  ...SOURCE_KINDS,
  models: optional({
    expected: 'a registry, such as createModelRegistry(), or models by their names',
    accepts: (value) => OBJECT.accepts(value) && !MODEL.accepts(value),
  }),
  defaultModel: optional(TEXT),
  storage: optional(having('a Storage: await openStorage(folder)', 'database', 'files')),
  runtime: optional(having('a runtime, such as dbos({ url })', 'name', 'open')),
  functions: optional(OBJECT),
  tools: optional(listOf('tools, such as defineTool() makes', having('', 'name', 'run'))),
  retrievers: optional(OBJECT),
  activities: optional(listOf('activities', having('', 'name', 'run'))),
  recorders: optional(listOf('recorders', RECORDER)),
  prices: optional(OBJECT),
  middleware: optional(either(listOf('layers', MIDDLEWARE), FUNCTION)),
  concurrency: optional(OBJECT),
  retention: optional(OBJECT),
  logger: optional(having('a Logger, such as createLogger()', 'warn', 'error')),
  clock: optional(FUNCTION),
  createId: optional(FUNCTION),
};

const PRICE: Kinds<Price> = {
  inputPerMillion: AMOUNT,
  outputPerMillion: AMOUNT,
  cachedInputPerMillion: optional(AMOUNT),
};
const CONCURRENCY: Kinds<Concurrency> = {
  total: optional(AT_A_TIME),
  providers: optional(OBJECT),
};
const RETENTION: Kinds<Retention> = { keepLast: optional(COUNT), maxAge: optional(ANYTHING) };

/** @throws WorkflowError with the code `invalid-input`. */
export function checkEngineOptions(options: WorkflowEngineOptions): void {
  const what = 'WorkflowEngine.open';
  checkOptions(what, options, ENGINE_KINDS);
  checkValues('promptSets', options.promptSets, SOURCE);
  const { concurrency } = options;
  if (options.storage && options.runtime) {
    const message = `${what} was given a storage and a runtime: '${options.runtime.name}' keeps its runs itself`;
    throw new WorkflowError('invalid-input', message);
  }
  if (concurrency) checkOptions(`'concurrency' of ${what}`, concurrency, CONCURRENCY);
  checkCommonOptions(what, options);
}

/**
 * What engines and workers have in common, where the options themselves are those that there are.
 *
 * @throws WorkflowError with the code `invalid-input`.
 */
export function checkCommonOptions(
  what: string,
  options: Omit<WorkflowEngineOptions, 'files' | 'concurrency'> & {
    readonly concurrency?: Concurrency;
  },
): void {
  const { concurrency, retention } = options;
  checkModels(options.models);
  checkValues('functions', options.functions, FUNCTION);
  checkValues('retrievers', options.retrievers, having('a Retriever', 'retrieve'));
  checkPrices(options.prices);
  checkValues('concurrency.providers', concurrency?.providers, AT_A_TIME);
  if (!retention) return;
  checkOptions(`'retention' of ${what}`, retention, RETENTION);
  if (retention.maxAge !== undefined) toMs(retention.maxAge);
}

/** A price that is no number would be a limit that never holds. */
export function checkPrices(prices: PriceTable | undefined): void {
  for (const [model, price] of Object.entries(prices ?? {})) {
    checkArgument(`'${model}' of prices`, price, OBJECT);
    checkOptions(`'${model}' of prices`, price, PRICE);
  }
}

/** Models by their names; a registry has none of its own. */
export function checkModels(models: WorkflowEngineOptions['models']): void {
  if (models === undefined) return;
  checkArgument("the option 'models'", models, ENGINE_KINDS.models);
  if (typeof Reflect.get(models, 'model') === 'function') return;
  checkValues('models', models, MODEL);
}
