import { listAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { closedElements } from '../../strings/closed-elements.ts';
import type { TranscriptText } from '../model/entry.ts';
import { parseShallowJson } from '../model/read-fields.ts';
import type { EntryDraft } from '../model/read-line.ts';
import { textHash, type TranscriptState } from '../model/state.ts';

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

const PLAN = 'proposed_plan';

/**
 * Returns what the user sees of an answer, then each plan in it: events for the user have both apart, and no citations.
 */
function answerTexts(answer: string): readonly string[] {
  const text = withoutCitations(answer);
  if (!text.includes(`<${PLAN}>`)) return [text];
  const seen: string[] = [];
  const plans: string[] = [];
  const lines = text.split('\n');
  const lastEnd = lines.findLastIndex((line) => line.trim() === `</${PLAN}>`);
  let plan: string[] | undefined;
  for (const [at, line] of lines.entries()) {
    const tag = line.trim();
    if (plan === undefined && tag === `<${PLAN}>` && at < lastEnd) plan = [];
    else if (plan === undefined) seen.push(line);
    else if (tag === `</${PLAN}>`) {
      plans.push(plan.map((one) => `${one}\n`).join(''));
      plan = undefined;
    } else plan.push(line);
  }
  return [seen.join('\n'), ...plans].filter((one) => one.trim() !== '');
}

function withoutCitations(text: string): string {
  if (!text.includes('<oai-mem-citation>')) return text;
  let end = 0;
  let rest = '';
  for (const element of closedElements(text, (name) => name === 'oai-mem-citation')) {
    rest += text.slice(end, element.start);
    ({ end } = element);
  }
  return rest + text.slice(end);
}

/** Reads words that were said aloud: they are in no other line. The work that they ask for is in lines of its own. */
export function readSpeech(
  { payload, key }: CodexLine,
  type: string,
  state: TranscriptState,
): EntryDraft {
  const said = 'data' in payload ? objectAt(payload, 'data') : payload;
  const role = textAt(said, 'role');
  const text = textAt(said, 'text') ?? '';
  if (payload['type'] !== 'transcript_segment' || (role !== 'user' && role !== 'assistant')) {
    return { kind: 'note', type };
  }
  const id = `${key}#0`;
  const links = role === 'user' ? {} : contextOf(state);
  state.notes['last'] = id;
  const part = { type: 'text', key: id, text, raw: payload } as const;
  return { kind: 'message', type, role, id, ...links, parts: [part] };
}

/** Reads a message from one agent to another, such as a task. */
export function readAgentMessage({ payload, key }: CodexLine, type: string): EntryDraft {
  const id = `${key}#0`;
  const { content } = payload;
  const texts = (
    typeof content === 'string'
      ? [content]
      : listAt(payload, 'content')
          .filter(isJsonObject)
          .map((raw) => textAt(raw, 'text', 'encrypted_content') ?? '')
  )
    .map(withoutEnvelope)
    // An encrypted text cannot be read.
    .filter((text) => text !== '' && !/^gAAAA[\w=-][\w=-]*$/.test(text));
  const text = texts.join('\n\n');
  if (text.trim() === '') return { kind: 'note', type };
  const part = { type: 'text', key: id, text, raw: payload } as const;
  return { kind: 'message', type, id, name: textAt(payload, 'author'), parts: [part] };
}

/** The head of a message is the program's. A final answer repeats what the other agent said in its own session. */
function withoutEnvelope(text: string): string {
  const [, type] = /^Message Type:[ \t]*(\w*)/.exec(text) ?? [];
  if (type === undefined) return text;
  if (type === 'FINAL_ANSWER') return '';
  const payload = /\nPayload:[ \t]*\n?/.exec(text);
  return payload === null ? '' : text.slice(payload.index + payload[0].length);
}

/** Returns a message to an agent that versions until spring 2026 logged as JSON in the name of the model. */
export function messageInText(text: string): JsonObject | undefined {
  if (!/^\s*\{\s*"author"/.test(text)) return undefined;
  const message = objectOf(parseShallowJson(text));
  const isWhole =
    textAt(message, 'content') !== undefined &&
    textAt(message, 'recipient') !== undefined &&
    typeof message['trigger_turn'] === 'boolean';
  return isWhole ? message : undefined;
}
