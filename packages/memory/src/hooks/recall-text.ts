import { textAt } from '../capture/fields.ts';
import type { MemoryStore } from '../memory-store.ts';
import { FRAME_TOKENS, framedText } from '../recall/frame.ts';
import type { HookInput } from './hook-input.ts';
import type { HookOptions, HookRecallRequest } from './hook-options.ts';

/** The context that a session begins with. */
export async function recallText(
  store: MemoryStore,
  input: HookInput,
  { recall = ownRecall, budgetTokens = 2000 }: HookOptions,
): Promise<string> {
  if (input.cwd === undefined) return '';
  const source = textAt(input.fields, 'source') ?? 'startup';
  return recall(store, { workspace: input.cwd, budgetTokens, source });
}

async function ownRecall(store: MemoryStore, request: HookRecallRequest): Promise<string> {
  if (!hasRecall(store)) return '';
  const { workspace, budgetTokens } = request;
  const { text } = await store.recall({
    workspace,
    budgetTokens: Math.max(0, budgetTokens - FRAME_TOKENS),
  });
  return text === '' ? '' : framedText(text, { workspace });
}

/** The part of the store that recalls. */
interface Recalling {
  recall(request: {
    readonly workspace: string;
    readonly budgetTokens: number;
  }): Promise<{ readonly text: string }>;
}

function hasRecall(store: object): store is Recalling {
  return 'recall' in store && typeof store.recall === 'function';
}
