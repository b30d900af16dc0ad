import type { TranscriptAgent } from '../draft.ts';
import type { TranscriptStore } from '../import/import-options.ts';
import { followHook } from './follow-hook.ts';
import type { HookInput } from './hook-input.ts';
import { recordHook } from './record-hook.ts';
import type { RecordSettings } from './record-settings.ts';

/** Records a call of a hook, as the hooks of its agent want it. */
export async function recordCall(
  store: TranscriptStore,
  agent: TranscriptAgent,
  input: HookInput,
  options: RecordSettings,
): Promise<void> {
  await (agent === 'claude-code'
    ? recordHook(store, input, options)
    : followHook(store, agent, input, options));
}
