import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
} from '@commander-js/extra-typings';
import { type Budget, type JsonValue, messageOf } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { PriceTable } from '@vizprompt/providers/middleware';
import type { DefinitionSources, WorkflowEngineOptions } from '@vizprompt/workflow';
import type { DbosOptions } from '@vizprompt/workflow/dbos';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { consentOf } from '../../frame/consent.ts';
import { foldersUpwards, pathHere } from '../../frame/paths.ts';
import { readInput, readSource, readWord } from '../../frame/read-input.ts';
import type { VizpromptMessages } from '../messages/en.ts';

/** The common options of `run` and `resume`, as commander read them. */
interface LeadOptions {
  readonly module?: string | undefined;
  readonly model?: string | undefined;
  readonly prices?: string | undefined;
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
}

/** The same as the engine takes it. */
interface LeadParts {
  readonly parts: Omit<WorkflowEngineOptions, 'files'>;
  /** Where workers lead the run, instead of this process. */
  readonly workers: DbosOptions | undefined;
  readonly budget: Budget | undefined;
}

/** Reads what an engine needs to lead a run, and its limits. */
export async function leadParts(
  command: Command,
  cli: Cli<VizpromptMessages>,
  { module, model, prices: file, tokens, costUsd }: LeadOptions,
): Promise<LeadParts> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine looks at it
  const prices = (await jsonFile(cli, file)) as PriceTable | undefined;
  const steps = await loadModule(cli, module);
  const workers = dbosGiven(command);
  // Workers know prices of their own.
  const isPriced = prices !== undefined || workers !== undefined;
  const budget = await budgetOf(cli, { tokens, costUsd, isPriced });
  const parts = { ...steps, trust: consentOf(cli), ...defined({ defaultModel: model, prices }) };
  return { parts, workers, budget };
}

/** Limits of a run, as they were given. */
interface Limits {
  readonly tokens: number | undefined;
  readonly costUsd: number | undefined;
  /** True if it is known what calls cost. */
  readonly isPriced: boolean;
}

/**
 * Returns the budget of a run, if there is one.
 *
 * @throws CliError `usage` for a limit of cost without prices, which no call could keep.
 */
async function budgetOf(
  cli: Cli<VizpromptMessages>,
  { tokens, costUsd, isPriced }: Limits,
): Promise<Budget | undefined> {
  if (tokens === undefined && costUsd === undefined) return undefined;
  if (costUsd !== undefined && !isPriced) {
    throw new CliError('usage', cli.text.workflow.needsPrices);
  }
  const { createBudget } = await import('@vizprompt/providers/middleware');
  return createBudget(defined({ tokens, costUsd }));
}

const NAMES = ['functions', 'tools', 'retrievers', 'activities', 'models', 'middleware'] as const;

/** The services for steps besides models, as a module exports them. */
type StepModule = Pick<WorkflowEngineOptions, (typeof NAMES)[number]>;

/**
 * Loads what `--module` names; it is a program, and runs with all rights.
 *
 * @throws CliError `input-unreadable` if it is not there or throws.
 */
export async function loadModule(
  cli: Cli<VizpromptMessages>,
  file: string | undefined,
): Promise<StepModule> {
  if (file === undefined) return {};
  try {
    const url = pathToFileURL(resolve(cli.cwd, file)).href;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine looks at each
    const exported = (await import(url)) as StepModule;
    const given = NAMES.filter((name) => exported[name] !== undefined);
    return Object.fromEntries(given.map((name) => [name, exported[name]]));
  } catch (cause) {
    const message = cli.text.workflow.noModule(file, messageOf(cause));
    throw new CliError('input-unreadable', message, { cause, context: { file } });
  }
}

/** Declares where the runs of workers are. */
export function addDbosOptions(command: CommandUnknownOpts, cli: Cli<VizpromptMessages>): void {
  const { workflow } = cli.text;
  command.option('--url <url>', workflow.url).option('--namespace <name>', workflow.namespace);
}

/** Where the runs of workers are, if they are meant. */
export function dbosGiven(command: CommandUnknownOpts): DbosOptions | undefined {
  const { url, namespace }: { readonly url?: string; readonly namespace?: string } = command.opts();
  return url === undefined ? undefined : { url, ...defined({ namespace }) };
}

/** The ways to give the input of a run. */
interface GivenInput {
  /** The word after the workflow: a text. */
  readonly text: string | undefined;
  /** `--input`. */
  readonly input?: string | undefined;
  /** `--input-file`. */
  readonly inputFile?: string | undefined;
}

/**
 * Returns the input of a run; `null` if none is given.
 *
 * @throws CliError `usage` if it is given twice, `input-unreadable` if it is not JSON.
 */
export async function inputOf(
  cli: Cli<VizpromptMessages>,
  { text, input, inputFile }: GivenInput,
): Promise<JsonValue> {
  if (text !== undefined) {
    if (input === undefined && inputFile === undefined) return readWord(cli, text);
    throw new CliError('usage', cli.frame.onlyOne('[text], --input, --input-file'));
  }
  const json = await readSource(cli, {
    option: '--input',
    text: input,
    fileOption: '--input-file',
    file: inputFile,
  });
  return json === undefined ? null : parse(cli, json, inputFile ?? '--input');
}

/** Returns the JSON of a file, or `undefined` where none is named. */
export async function jsonFile(
  cli: Cli<VizpromptMessages>,
  file: string | undefined,
): Promise<JsonValue | undefined> {
  return file === undefined ? undefined : parse(cli, await readInput(cli, file), file);
}

function parse(cli: Cli<VizpromptMessages>, text: string, where: string): JsonValue {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what JSON is
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const message = cli.text.workflow.notJson(where, messageOf(cause));
    throw new CliError('input-unreadable', message, { cause, context: { where } });
  }
}

/** Reads an option that may be given again: `--file a --file b`. */
export function several(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Reads an option `NAME=VALUE` that may be given again. */
export function pairs(
  cli: Cli<VizpromptMessages>,
  what: string,
): (
  value: string,
  before: readonly (readonly [string, string])[] | undefined,
) => readonly (readonly [string, string])[] {
  return (value, before) => {
    const at = value.indexOf('=');
    if (at < 1) throw new InvalidArgumentError(cli.text.workflow.notPair(value, what));
    return [...(before ?? []), [value.slice(0, at), value.slice(at + 1)]];
  };
}

/** Reads an option that is a number above 0. */
export function amount(cli: Cli<VizpromptMessages>): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && Number.isFinite(number) && number > 0) return number;
    throw new InvalidArgumentError(cli.text.workflow.notAmount);
  };
}

/** Where files lie that are not named, in each of the formats. */
const WORKFLOWS = formats('config/workflow_config');
const PROMPTS = formats('prompts/default_prompts');

/** Declares where workflows and prompt sets come from. */
export function addSources(command: CommandUnknownOpts, cli: Cli<VizpromptMessages>): void {
  const { workflow } = cli.text;
  command
    .option('--file <path>', workflow.file, several)
    .option('--prompts <name=file>', workflow.prompts, pairs(cli, 'NAME=FILE'));
}

/**
 * Returns the files that were named, or those of the nearest folder upwards that has some.
 *
 * @param named - Files that were named in another way than by `--file`.
 * @throws CliError `usage` if there are none.
 */
export function sourcesOf(
  command: CommandUnknownOpts,
  cli: Cli<VizpromptMessages>,
  named: readonly string[] = [],
): DefinitionSources {
  const options: {
    readonly file?: readonly string[];
    readonly prompts?: readonly (readonly [string, string])[];
  } = command.opts();
  const { file = [], prompts = [] } = options;
  const given = [...named, ...file];
  const files = given.length > 0 ? given.map((path) => pathHere(cli, path)) : usualFiles(cli);
  if (files.length === 0) throw new CliError('usage', cli.text.workflow.noFiles);
  return { files, promptSets: promptSetsOf(cli, prompts) };
}

function promptSetsOf(
  cli: Cli<VizpromptMessages>,
  prompts: readonly (readonly [name: string, file: string])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(prompts.map(([name, file]) => [name, pathHere(cli, file)]));
}

function usualFiles({ cwd }: Cli<VizpromptMessages>): readonly string[] {
  for (const folder of foldersUpwards(cwd)) {
    const find = (names: readonly string[]): string | undefined =>
      names.map((name) => join(folder, name)).find((path) => existsSync(path));
    const workflows = find(WORKFLOWS);
    if (workflows === undefined) continue;
    const prompts = find(PROMPTS);
    return prompts === undefined ? [workflows] : [workflows, prompts];
  }
  return [];
}

function formats(path: string): readonly string[] {
  return ['.json', '.yaml', '.yml'].map((end) => path + end);
}
