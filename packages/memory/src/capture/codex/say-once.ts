import { defined } from '@vizprompt/providers';
import { count } from '../counts.ts';
import { textHash } from '../keys.ts';
import { remember } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import type { CodexLine } from './codex-line.ts';

const MAX_UNMATCHED = 5000;

/**
 * Adds a text, unless it stands in the log already on the other side: what is said is logged as an item
 * for the model and as an event for the user, in either order; some versions log one of them only.
 */
export function sayOnce(
  recording: Recording,
  { key, timestamp }: CodexLine,
  type: 'assistant_message' | 'thinking' | 'user_message',
  content: string,
  side: 'event' | 'item',
  part = 0,
): void {
  if (content.trim() === '') return;
  const { state } = recording;
  const hash = textHash(`${type}:${content.trim()}`);
  const step = side === 'item' ? 1 : -1;
  const before = state.unmatched.get(hash) ?? 0;
  remember(state.unmatched, hash, before + step, MAX_UNMATCHED);
  if (before * step < 0) {
    if (before + step === 0) state.unmatched.delete(hash);
    count(recording.counts.passing, `${type} for the ${side === 'item' ? 'model' : 'user'}`);
    return;
  }
  state.reasons.set('', content);
  const model = type === 'user_message' ? undefined : state.notes['model'];
  const parent = typeof state.notes['last'] === 'string' ? state.notes['last'] : undefined;
  const ownKey = `${key}#${part}`;
  recording.add({
    type,
    key: ownKey,
    data: { content },
    meta: { ...defined({ model }) },
    ...defined({ timestamp, parent: type === 'user_message' ? undefined : parent }),
  });
  state.notes['last'] = ownKey;
}
