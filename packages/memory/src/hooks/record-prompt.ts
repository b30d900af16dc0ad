import type { EventDraft } from '../capture/draft.ts';
import { textAt } from '../capture/fields.ts';
import { idOf, promptHash, promptKey } from '../capture/keys.ts';
import type { Recording } from '../capture/recording.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookInput } from './hook-input.ts';

/** A prompt that the transcript got so lately is the one that the hook is told of. */
const SAME_MS = 10_000;

/**
 * Adds the prompt of the user, under the key by which the transcript finds it: its words, and how often
 * they were said before.
 */
export async function recordPrompt(
  store: MemoryStore,
  recording: Recording,
  input: HookInput,
  drafts: readonly EventDraft[],
): Promise<void> {
  const content = textAt(input.fields, 'prompt') ?? '';
  if (content.trim() === '') return;
  const hash = promptHash(content);
  if (drafts.some((draft) => isSame(draft, hash))) return;
  let times = recording.state.prompts[hash] ?? 0;
  // Those that hooks have noted and the transcript has not told yet.
  const idOfTime = (): string =>
    idOf('claude-code', 'event', promptKey(input.sessionId, hash, times));
  while ((await store.knownEvents([idOfTime()])).size > 0) times += 1;
  recording.session(input.sessionId);
  recording.add({
    type: 'user_message',
    key: promptKey(input.sessionId, hash, times),
    data: { content },
    meta: { hook: input.event },
    timestamp: new Date().toISOString(),
  });
}

function isSame({ type, data, timestamp }: EventDraft, hash: string): boolean {
  if (type !== 'user_message' || timestamp === undefined) return false;
  return Date.now() - Date.parse(timestamp) < SAME_MS && promptHash(data.content) === hash;
}
