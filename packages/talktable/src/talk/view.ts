import { type Message, type Passage, textMessage, textOf } from '@vizprompt/providers';
import { cutMiddle, withForgedLinesQuoted } from '@vizprompt/providers/internal';
import { roundAt, type TalkPlan } from '../config/plan.ts';
import type { ContextReport } from '../events.ts';
import type { TalkTurn, TalkTurnKind } from '../log/conversation.ts';
import { candidatesOf, type TalkState } from '../plan/moderator.ts';
import type { Seat, Table } from './table.ts';

/** The window of models that do not report theirs. */
const USUAL_WINDOW = 8192;

/** Tokens that are kept free for an answer without a limit. */
const USUAL_ANSWER = 1024;

/** Estimates may be too low. */
const CARE = 0.9;

/** The parts that a view of a talk is built from. */
export interface ShownTalk {
  readonly plan: TalkPlan;
  readonly state: TalkState;
  readonly table: Table;
}

/** The purpose of a view. */
interface Showing {
  readonly seat: Seat;
  readonly kind: TalkTurnKind;
  /** Turns from this number on are not shown. */
  readonly before: number;
  readonly passages: readonly Passage[];
  /** Tokens at most, next to the usual budget. */
  readonly most: number;
  /** True if it answered with nothing before. */
  readonly isAgain: boolean;
}

/** Shows the talk from one seat, within what its model reads. */
export function showTalk(talk: ShownTalk, showing: Showing): View {
  const { plan, state, table } = talk;
  const { seat, kind, before } = showing;
  const { prompts, language } = promptsFor(seat.language ?? plan.language);
  const isDecision = kind === 'choice' || kind === 'verdict';
  const earlier = (turns: typeof state.recent): typeof state.recent =>
    turns.filter((turn) => turn.number < before);
  return buildView({
    seat,
    names: [...table.keys()],
    scene: prompts.scene({
      name: seat.name,
      persona: seat.persona,
      topic: plan.topic,
      language,
      others: roundAt(plan, state.turns).seated.filter((name) => name !== seat.name),
      moderator: plan.moderator?.name,
      isModerator: seat.isModerator,
    }),
    topic: plan.topic,
    cue: showing.isAgain ? prompts.again(seat.name) : cueFor(talk, kind, seat),
    turns: turnsFor(earlier(state.recent), seat, plan.participants, isDecision),
    summaries: turnsFor(earlier(state.summaries), seat, plan.participants, isDecision),
    passages: showing.passages,
    prompts,
    budget: budgetOf(seat, Math.min(plan.contextTokens, showing.most), table.size),
  });
}

function budgetOf(seat: Seat, most: number, seats: number): number {
  const window = seat.contextTokens ?? seat.model?.capabilities.contextWindow ?? USUAL_WINDOW;
  const answer = seat.maxOutputTokens ?? Math.min(USUAL_ANSWER, window / 4);
  // However small, the scene and the newest words must have some room.
  const least = 100 + 10 * seats;
  return Math.max(least, Math.floor(Math.min(most, (window - answer) * CARE)));
}

/** Returns the task of a speaker. */
export function cueFor(
  { plan, state }: ShownTalk,
  kind: TalkTurnKind,
  { name, language = plan.language }: Seat,
): string {
  const { prompts } = promptsFor(language);
  const own = plan.moderator?.instructions ?? {};
  switch (kind) {
    case 'opening':
      return own.opening ?? prompts.opening;
    case 'summary':
      return own.summary ?? prompts.summary(Math.max(1, state.rounds));
    case 'closing':
      return own.closing ?? prompts.closing;
    case 'choice':
      return prompts.choice(candidatesOf(plan, state));
    case 'verdict':
      return prompts.verdict;
    default:
      return prompts.turn(name);
  }
}

/** The parts of a speaker's view. */
interface ViewSource {
  readonly seat: Seat;
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
  /** Tokens that the prompt may have. */
  readonly budget: number;
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
function buildView(source: ViewSource): View {
  const { seat, scene, topic, cue, prompts, budget, turns } = source;
  const { meter } = seat;
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
    isOwn: turn.speaker === seat.name,
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

function lineOf({ speaker, text }: TalkTurn, { seat, names }: ViewSource): string {
  const plain = text.toWellFormed();
  return speaker === seat.name ? plain : `${speaker}: ${withForgedLinesQuoted(plain, names)}`;
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

/** The parts of the system message about a talk and its speaker. */
interface Scene {
  readonly name: string;
  readonly persona: string;
  readonly topic: string;
  readonly others: readonly string[];
  readonly moderator: string | undefined;
  readonly isModerator: boolean;
  /** Named where it is not that of the prompts. */
  readonly language: string | undefined;
}

/** The sentences around a talk, in one language. */
interface Prompts {
  scene(scene: Scene): string;
  topic(topic: string): string;
  knowledge(passages: readonly string[]): string;
  readonly opening: string;
  summary(round: number): string;
  readonly closing: string;
  turn(name: string): string;
  again(name: string): string;
  choice(candidates: readonly string[]): string;
  readonly verdict: string;
  /** Replaces the middle of a text that is too long. */
  readonly cut: string;
}

/** Returns the prompts for a language, and the name of the language where the prompts are in another one. */
function promptsFor(language: string): {
  readonly prompts: Prompts;
  readonly language: string | undefined;
} {
  if (/^(?:ja\b|japanese|日本語)/i.test(language))
    return { prompts: PROMPTS_JA, language: undefined };
  const isEnglish = /^(?:en\b|english|英語)/i.test(language);
  return { prompts: PROMPTS_EN, language: isEnglish ? undefined : language };
}

/** The sentences in English, also for talks in languages that have none of their own. */
const PROMPTS_EN: Prompts = {
  scene({ name, persona, topic, others, moderator, isModerator, language }) {
    const role = isModerator
      ? `You are ${name}, the moderator. The participants are ${others.join(', ')}.`
      : `You are ${name}. With you are ${others.join(', ')}${moderator ? `, and the moderator ${moderator}` : ''}.`;
    return [
      role,
      persona,
      `The topic: "${topic}"`,
      ...(language === undefined ? [] : [`Speak in this language: ${language}.`]),
      'Say only what you yourself say: do not begin with a name, and do not write the lines of others.',
    ]
      .filter((line) => line !== '')
      .join('\n');
  },
  topic: (topic) => `The topic is "${topic}".`,
  knowledge: (passages) => `For reference (use what helps):\n${passages.join('\n\n')}`,
  opening: 'Introduce topic and participants in a few words, and open the talk.',
  summary: (round) =>
    `Sum up the talk so far (up to round ${round}): keep the points of earlier summaries, and say in a few words what is agreed, what is disputed, and what to speak about next.`,
  closing: 'Close the talk: say in a few words what came out, and which questions remain.',
  turn: (name) => `${name}, please continue.`,
  again: (name) => `${name}, your answer was empty. Please speak.`,
  choice: (candidates) =>
    `Choose who speaks next. Answer with JSON of the form {"next": "NAME"} and nothing else. One of: ${candidates.join(', ')}`,
  verdict:
    'Has the talk come to a conclusion, or does nothing new come up? Answer with JSON of the form {"finished": true or false, "reason": "WHY"} and nothing else.',
  cut: '... (cut) ...',
};

/** 日本語の指示文。 */
const PROMPTS_JA: Prompts = {
  scene({ name, persona, topic, others, moderator, isModerator }) {
    const role = isModerator
      ? `あなたは司会の「${name}」です。参加者は${others.join('、')}です。`
      : `あなたは「${name}」です。同席者は${others.join('、')}${moderator ? `、司会は${moderator}` : ''}です。`;
    return [
      role,
      persona,
      `話題:「${topic}」`,
      '日本語で話してください。自分の発言だけを述べ、先頭に名前を付けず、他の人の発言を代わりに書かないでください。',
    ]
      .filter((line) => line !== '')
      .join('\n');
  },
  topic: (topic) => `話題は「${topic}」です。`,
  knowledge: (passages) => `参考資料（必要なところだけ使ってください）:\n${passages.join('\n\n')}`,
  opening: '話題と参加者を短く紹介し、会話を始めてください。',
  summary: (round) =>
    `ここまで（第${round}ラウンドまで）を要約してください。これまでの要約の要点も残し、一致した点、対立する点、次に話すべき点を短くまとめてください。`,
  closing: '会話を締めくくってください。結論と残った問いを短くまとめてください。',
  turn: (name) => `${name}さん、続けて発言してください。`,
  again: (name) => `${name}さんの返答は空でした。発言してください。`,
  choice: (candidates) =>
    `次に話す人を一人選び、{"next": "名前"} の形のJSONだけで答えてください。選べるのは: ${candidates.join('、')}`,
  verdict:
    '会話は結論に達したか、もう新しいことが出てこない状態ですか。{"finished": true または false, "reason": "理由"} の形のJSONだけで答えてください。',
  cut: '……（中略）……',
};
