import { type Budget } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

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
export async function budgetOf(
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
