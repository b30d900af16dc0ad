import { defined, type Budget } from '@vizprompt/providers';

/** What a run may take, if that is limited. */
export async function budgetOf(
  tokens: number | undefined,
  costUsd: number | undefined,
): Promise<Budget | undefined> {
  if (tokens === undefined && costUsd === undefined) return undefined;
  const { createBudget } = await import('@vizprompt/providers/middleware');
  return createBudget(defined({ tokens, costUsd }));
}
