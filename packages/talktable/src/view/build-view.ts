import {
  createTokenEstimator,
  type Message,
  type Passage,
  textMessage,
  textOf,
  type TokenCount,
  type TokenCounter,
} from '@vizprompt/providers';
import { cutMiddle, withForgedLinesQuoted } from '@vizprompt/providers/internal';
import type { TalkTurn } from '../log/conversation.ts';
import type { Prompts } from './prompts.ts';

/** The parts of a speaker's view. */
interface ViewSource {
  readonly speaker: string;
  /** All participants: no words may look like another speaker's. */
  readonly names: readonly string[];
  readonly scene: string;
  readonly topic: string;
  /** The speaker's task, where it is more than to answer. */
  readonly cue: string | undefined;
  /** The turns that it may draw on, by number. */
  readonly turns: readonly TalkTurn[];
  /** Summaries that it may draw on, by number; those among the turns are left out. */
  readonly summaries: readonly TalkTurn[];
  readonly passages: readonly Passage[];
  readonly prompts: Prompts;
  readonly meter: TokenMeter;
  /** Tokens that the prompt may have. */
  readonly budget: number;
}

/** The parts of a talk that a speaker was shown. Tokens are estimates. */
export interface ContextReport {
  readonly tokens: number;
  readonly budget: number;
  /** Turns that are in it as they were said, summaries among them. */
  readonly turns: number;
  /** Summaries that replace turns that are not in it. */
  readonly summaries: number;
  /** Turns that were at hand and found no room. */
  readonly leftOut: number;
  /** Turns that were cut in their middle. */
  readonly cut: number;
  readonly passages: number;
}

/** A talk as one speaker sees it. */
export interface View {
  readonly messages: readonly Message[];
  readonly report: ContextReport;
}

/** Tokens that a message costs next to its text. */
const PER_MESSAGE = 4;

/** The share of the budget that knowledge may have. */
const KNOWLEDGE_SHARE = 0.25;

/**
 * Shows a talk from one speaker's side: its own turns are the assistant's, all others the user's, with
 * names. The newest turn is always in it, cut if need be; then the newest summary, then older turns and
 * older summaries, as long as there is room.
 */
export function buildView(source: ViewSource): View {
  const { scene, topic, cue, prompts, meter, budget, turns } = source;
  const count = (text: string): number => meter.count(text).tokens + PER_MESSAGE;
  const opening = prompts.topic(topic);
  let left = budget - count(scene) - count(opening) - (cue === undefined ? 0 : count(cue));

  const passages: string[] = [];
  let knowledge = Math.min(left, budget * KNOWLEDGE_SHARE);
  for (const [at, { text, title, source: from }] of source.passages.entries()) {
    const passage = `[${at + 1}] ${title ?? from.uri}\n${text.toWellFormed()}`;
    knowledge -= count(passage);
    if (knowledge < 0) break;
    left -= count(passage);
    passages.push(passage);
  }

  const shown = new Map<number, string>();
  let cut = 0;
  const show = (turn: TalkTurn | undefined): boolean => {
    if (!turn || shown.has(turn.number)) return turn !== undefined;
    const cost = meter.countTurn(turn) + PER_MESSAGE;
    if (cost > left) return false;
    left -= cost;
    shown.set(turn.number, lineOf(turn, source));
    return true;
  };
  const newest = turns.at(-1);
  if (newest && !show(newest)) {
    const room = Math.max(PER_MESSAGE, left - PER_MESSAGE);
    const line = cutMiddle(
      lineOf(newest, source),
      (text) => meter.count(text).tokens <= room,
      () => prompts.cut,
    );
    shown.set(newest.number, line);
    left -= count(line);
    cut++;
  }
  show(source.summaries.at(-1));
  for (const turn of turns.toReversed()) if (!show(turn)) break;
  for (const summary of source.summaries.toReversed()) if (!show(summary)) break;

  const all = [
    ...new Map([...source.summaries, ...turns].map((turn) => [turn.number, turn])).values(),
  ]
    .filter(({ number }) => shown.has(number))
    .toSorted((a, b) => a.number - b.number);
  const lines = all.map((turn) => ({
    isOwn: turn.speaker === source.speaker,
    text: shown.get(turn.number) ?? '',
  }));
  const reference = passages.length > 0 ? [prompts.knowledge(passages)] : [];
  const messages = joined([
    ...[...reference, opening].map((text) => ({ isOwn: false, text })),
    ...lines,
    ...(cue === undefined ? [] : [{ isOwn: false, text: cue }]),
  ]);
  const inTurns = turns.filter(({ number }) => shown.has(number)).length;
  return {
    messages: [textMessage('system', scene), ...messages],
    report: {
      tokens: budget - left,
      budget,
      turns: inTurns,
      summaries: shown.size - inTurns,
      leftOut: turns.length - inTurns,
      cut,
      passages: passages.length,
    },
  };
}

function lineOf({ speaker, text }: TalkTurn, { speaker: reader, names }: ViewSource): string {
  const plain = text.toWellFormed();
  return speaker === reader ? plain : `${speaker}: ${withForgedLinesQuoted(plain, names)}`;
}

/** Joins messages that follow each other from one side: some servers take nothing else. */
function joined(lines: readonly { readonly isOwn: boolean; readonly text: string }[]): Message[] {
  const messages: Message[] = [];
  for (const { isOwn, text } of lines) {
    const role = isOwn ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === role)
      messages.push(textMessage(role, `${textOf(messages.pop() ?? last)}\n\n${text}`));
    else messages.push(textMessage(role, text));
  }
  return messages;
}

/** Checks whether a participant hears a turn. */
function isHeardBy(
  { visibleTo, speaker }: Pick<TalkTurn, 'visibleTo' | 'speaker'>,
  name: string,
): boolean {
  return visibleTo === undefined || speaker === name || visibleTo.includes(name);
}

/**
 * Returns the turns that a speaker may draw on. A participant has what it hears. The words of the moderator are
 * heard by all, so it has what all of them hear; only its own decisions (`isPrivate`) may use the rest.
 */
export function turnsFor(
  turns: readonly TalkTurn[],
  reader: { readonly name: string; readonly isModerator: boolean },
  audience: readonly string[],
  isPrivate: boolean,
): readonly TalkTurn[] {
  if (!reader.isModerator) return turns.filter((turn) => isHeardBy(turn, reader.name));
  if (isPrivate) return turns;
  return turns.filter((turn) => audience.every((name) => isHeardBy(turn, name)));
}

/** Returns the prompt, as the log stores it: each message under its role. */
export function promptText(messages: readonly Message[]): string {
  return messages.map((message) => `[${message.role}]\n${textOf(message)}`).join('\n\n');
}

/** Returns the last message of a prompt that the log kept: what the speaker answered to. */
export function lastInput(prompt: string): string {
  const mark = '\n\n[user]\n';
  const at = prompt.lastIndexOf(mark);
  return at < 0 ? prompt : prompt.slice(at + mark.length);
}

/** How much one answer moves the factor. */
const LEARNING_RATE = 0.2;

/** Texts other than turns whose weight is kept: scene, topic and cue are the same in every view. */
const KEPT_TEXTS = 8;

/** Longer ones are not: they are passages, or turns that are cut. */
const MAX_KEPT_CHARACTERS = 4000;

/** The estimated tokens of turns, the same for all who are shown them. */
const weights = new WeakMap<TalkTurn, number>();

/**
 * Counts the tokens of one speaker's model by estimate, learns from what the model itself counts, and
 * weighs each turn, and the text around the turns, only once: a talk is shown again and again.
 */
export class TokenMeter implements TokenCounter {
  readonly #base = createTokenEstimator();
  readonly #texts = new Map<string, number>();
  #factor = 1;

  count(text: string): TokenCount {
    return { tokens: Math.ceil(this.#weigh(text) * this.#factor), exact: false };
  }

  /** Returns a turn with the name of its speaker. */
  countTurn(turn: TalkTurn): number {
    const known = weights.get(turn);
    const tokens = known ?? this.#base.count(`${turn.speaker}: ${turn.text}`).tokens;
    if (known === undefined) weights.set(turn, tokens);
    return Math.ceil(tokens * this.#factor);
  }

  /**
   * @param estimated - The estimate of this meter for a prompt.
   * @param counted - The model's own count of it.
   */
  learn(estimated: number, counted: number): void {
    if (!(estimated > 0) || !(counted > 0)) return;
    const wanted = (counted / estimated) * this.#factor;
    this.#factor += LEARNING_RATE * (wanted - this.#factor);
  }

  #weigh(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const { tokens } = this.#base.count(text);
    if (text.length > MAX_KEPT_CHARACTERS) return tokens;
    if (this.#texts.size >= KEPT_TEXTS) {
      const [oldest = ''] = this.#texts.keys();
      this.#texts.delete(oldest);
    }
    this.#texts.set(text, tokens);
    return tokens;
  }
}
