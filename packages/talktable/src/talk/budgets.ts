import { defined, type Budget } from '@vizprompt/providers';
import { createBudget } from '@vizprompt/providers/middleware';
import type { TalkConfig } from '../config/talk-config.ts';
import type { ConversationManagerOptions } from '../options.ts';
import type { TalkState } from '../plan/talk-state.ts';
import type { TalkTurn } from '../talk-turn.ts';

/** What the calls of a talk are paid from: the config's budget without what was spent, and a shared one. */
export function budgetsOf(
  { budget }: TalkConfig,
  { budget: shared }: ConversationManagerOptions,
  { tokens, costUsd }: TalkState,
  redo: TalkTurn | undefined,
): readonly Budget[] {
  const more = shared ? [shared] : [];
  if (!budget) return more;
  const { inputTokens = 0, outputTokens = 0, costUsd: cost = 0 } = redo ?? {};
  const left = (limit: number | undefined, spent: number): number | undefined =>
    limit === undefined ? undefined : Math.max(0, limit - spent);
  const own = {
    tokens: left(budget.tokens, tokens + inputTokens + outputTokens),
    costUsd: left(budget.costUsd, costUsd + cost),
  };
  return [createBudget(defined(own)), ...more];
}
