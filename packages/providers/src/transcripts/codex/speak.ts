import { stringOf } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { TranscriptText } from '../model/entry.ts';
import { textHash } from '../model/keys.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { answerTexts } from './answer-texts.ts';

/** A line of a rollout. */
export interface CodexLine {
  readonly payload: JsonObject;
  /** Begins the keys of its texts. */
  readonly key: string;
}

/** The words of a line. */
interface Said {
  readonly speech: 'assistant_message' | 'thinking' | 'user_message';
  /** Words are logged as an item for the model and as an event for the user. */
  readonly side: 'event' | 'item';
  readonly parts: readonly TranscriptText[];
}

/**
 * Checks whether the last answer is the summary that a compaction ends with. The summary is remembered, as the model is
 * given it in the user's place.
 */
export function heardSummary({ notes, seen }: TranscriptState, summary: string): boolean {
  const [length, hash] = (stringOf(notes['answer']) ?? '').split(':');
  seen.set(summaryKey(summary), true);
  const end = summary.trim().slice(-Number(length));
  return hash !== undefined && textHash(end) === hash;
}

function summaryKey(text: string): string {
  return `summary ${textHash(text.trim())}`;
}

/**
 * Returns the entries of what was said: one, or more where a plan is a part of an answer. They are `passing` if the log has
 * them already on the other side.
 */
export function speak(
  state: TranscriptState,
  key: string,
  type: string,
  said: Said,
): readonly EntryDraft[] {
  const [first] = said.parts;
  const id = first?.key ?? `${key}#0`;
  if (said.speech !== 'assistant_message' || first === undefined) {
    return [speakOnce(state, id, type, said)];
  }
  const content = said.parts.map(({ text }) => text).join('\n\n');
  const texts = answerTexts(content);
  if (texts.length === 1 && texts[0] === content) return [speakOnce(state, id, type, said)];
  return texts.map((text, at) => {
    const own = at === 0 ? id : `${key}#plan:${at}`;
    return speakOnce(state, own, type, { ...said, parts: [{ ...first, key: own, text }] });
  });
}

function speakOnce(state: TranscriptState, id: string, type: string, said: Said): EntryDraft {
  const { speech, side, parts } = said;
  const role = speech === 'user_message' ? 'user' : 'assistant';
  const content = parts.map(({ text }) => text).join('\n\n');
  if (content.trim() === '') return { kind: 'message', type, role };
  if (isRepeated(state, speech, content, side)) {
    const reader = side === 'item' ? 'model' : 'user';
    return { kind: 'passing', type: `${speech} for the ${reader}`, role };
  }
  if (role === 'user' && state.seen.has(summaryKey(content)))
    return { kind: 'passing', type, role };
  if (speech === 'assistant_message') {
    const answer = content.trim();
    state.notes['answer'] = `${answer.length}:${textHash(answer)}`;
  }
  const links = role === 'user' ? {} : contextOf(state);
  state.notes['last'] = id;
  return { kind: 'message', type, role, id, ...links, parts };
}

/** Returns the model that speaks, and what was said last. */
export function contextOf({ notes }: TranscriptState): Pick<EntryDraft, 'model' | 'parent'> {
  return { model: stringOf(notes['model']), parent: stringOf(notes['last']) };
}

/** The two sides come in either order; some versions log only one of them. */
function isRepeated(
  { unmatched }: TranscriptState,
  speech: Said['speech'],
  content: string,
  side: Said['side'],
): boolean {
  const hash = textHash(`${speech}:${content.trim()}`);
  const step = side === 'item' ? 1 : -1;
  const before = unmatched.get(hash) ?? 0;
  if (before + step === 0) unmatched.delete(hash);
  else unmatched.set(hash, before + step);
  return before * step < 0;
}
