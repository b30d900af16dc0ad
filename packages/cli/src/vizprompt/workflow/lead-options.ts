import type { Command } from '@commander-js/extra-typings';
import type { Budget } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { PriceTable } from '@vizprompt/providers/middleware';
import type { WorkflowEngineOptions } from '@vizprompt/workflow';
import type { DbosOptions } from '@vizprompt/workflow/dbos';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { consentOf } from '../../frame/consent.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { dbosGiven } from './dbos-options.ts';
import { loadModule } from './load-module.ts';
import { jsonFile } from './read-json.ts';

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
