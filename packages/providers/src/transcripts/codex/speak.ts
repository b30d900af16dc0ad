import { stringOf } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptPart } from '../model/entry.ts';
import { textHash } from '../model/keys.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft } from '../model/read-line.ts';
import { remember, type TranscriptState } from '../model/state.ts';

const MAX_UNMATCHED = 5000;

/** A line of a rollout. */
export interface CodexLine {
  readonly line: JsonObject;
  readonly payload: JsonObject;
  /** Begins the keys of its texts. */
  readonly key: string;
}

/** What is said in a line. */
interface Said {
  /** The agent's name of the line. */
  readonly type: string;
  readonly speech: 'assistant_message' | 'thinking' | 'user_message';
  /** What is said is logged as an item for the model and as an event for the user. */
  readonly side: 'event' | 'item';
  readonly content: string;
  readonly parts: readonly TranscriptPart[];
  /** Its place in the line. Default: 0. */
  readonly index?: number;
}

/** Returns the entry of what was said; `passing` if the log has it already on the other side. */
export function speak(
  { line, key }: CodexLine,
  state: TranscriptState,
  { type, speech, side, content, parts, index = 0 }: Said,
): EntryDraft {
  const { notes } = state;
  const isUser = speech === 'user_message';
  const role = isUser ? 'user' : 'assistant';
  const time = timeAt(line, 'timestamp');
  const entry = { kind: 'message', type, role, ...omitUndefined({ time }), raw: line } as const;
  if (content.trim() === '') return { ...entry, parts: [] };
  if (isRepeated(state, speech, content, side)) {
    const reader = side === 'item' ? 'model' : 'user';
    return { ...entry, kind: 'passing', type: `${speech} for the ${reader}`, parts: [] };
  }
  const id = `${key}#${index}`;
  const links = isUser ? {} : { model: stringOf(notes['model']), parent: stringOf(notes['last']) };
  notes['last'] = id;
  return { ...entry, id, ...omitUndefined(links), parts };
}

/** The two sides come in either order; some versions log only one of them. */
function isRepeated(
  state: TranscriptState,
  speech: Said['speech'],
  content: string,
  side: Said['side'],
): boolean {
  const hash = textHash(`${speech}:${content.trim()}`);
  const step = side === 'item' ? 1 : -1;
  const before = state.unmatched.get(hash) ?? 0;
  remember(state.unmatched, hash, before + step, MAX_UNMATCHED);
  if (before * step >= 0) return false;
  if (before + step === 0) state.unmatched.delete(hash);
  return true;
}
