import { setTimeout as sleep } from 'node:timers/promises';
import type { TalkPlan } from '../config/plan.ts';
import { TalkError } from '../errors.ts';
import type { TalkEvents } from '../events.ts';
import type { TalkTurn } from '../log/conversation.ts';
import type { TalkLog } from '../log/talk-log.ts';
import type { AskPerson, ConversationManagerOptions } from '../options.ts';
import type { TalkState } from '../plan/moderator.ts';
import { turnsFor } from './view.ts';
import { isBlank } from '../words.ts';
import type { Seat } from './table.ts';

/** How often the log is looked at for what a person says through another process. */
const LOOK_MS = 300;

/** A person whose turn it is. */
interface AwaitedPerson {
  readonly speaker: string;
  answer(text: string): void;
}

/** The parts of a talk that are needed to ask a person. */
export interface PersonContext {
  readonly conversationId: string;
  readonly plan: Pick<TalkPlan, 'participants'>;
  readonly state: Pick<TalkState, 'recent'>;
  readonly log: Pick<TalkLog, 'turn'>;
  readonly control: { readonly wait: AbortSignal };
  readonly options: Pick<ConversationManagerOptions, 'ask'>;
  emit<Name extends keyof TalkEvents>(name: Name, payload: TalkEvents[Name]): void;
  /** Set while a person is waited for. */
  awaited: AwaitedPerson | undefined;
}

/** The person, the row, and the number before which turns are shown. */
interface PersonToAsk {
  readonly seat: Seat;
  readonly turn: TalkTurn;
  readonly before: number;
}

/**
 * Lets a person speak: through the option `ask`, or through `say(text, { as })` here or in another
 * process, whichever comes first.
 *
 * @returns The person's words; the turn, where another process has finished it.
 * @throws what `ask` throws; TalkError with the code `invalid-input` where it gives no string; the reason of the signal when the person is not waited for any more.
 */
export async function askPerson(
  talk: PersonContext,
  { seat, turn, before }: PersonToAsk,
): Promise<string | TalkTurn> {
  const { state, plan, options, control, conversationId } = talk;
  const place = { conversationId, number: turn.number, speaker: seat.name };
  const over = new AbortController();
  const signal = AbortSignal.any([control.wait, over.signal]);
  signal.throwIfAborted();
  const answers: Promise<string | TalkTurn>[] = [
    finishedElsewhere(talk, turn, signal),
    new Promise((resolve) => {
      const answer = (text: string): void => {
        // The next words of the person are not the answer any more.
        talk.awaited = undefined;
        resolve(text);
      };
      talk.awaited = { speaker: seat.name, answer };
    }),
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ];
  talk.emit('turn:awaited', place);
  if (options.ask) {
    const heard = turnsFor(state.recent, seat, plan.participants, false);
    const recent = heard.filter(({ number }) => number < before);
    answers.push(asked(options.ask, { ...place, recent, signal }));
  }
  try {
    return await Promise.race(answers);
  } finally {
    talk.awaited = undefined;
    over.abort();
    // An answer that comes too late, or is not waited for, is not an error.
    for (const answer of answers) answer.catch(() => undefined);
  }
}

async function finishedElsewhere(
  { log }: PersonContext,
  { id }: TalkTurn,
  signal: AbortSignal,
): Promise<TalkTurn> {
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal });
    // A log that cannot be read now may be read later: an answer may still come here.
    const turn = await log.turn(id).catch(() => undefined);
    if (turn?.status === 'done' || turn?.status === 'skipped') return turn;
  }
}

/** Returns the turn of a person that could not be written, if another process has finished it with an answer. */
export async function answeredElsewhere(
  log: Pick<TalkLog, 'turn'>,
  { id }: TalkTurn,
  error: unknown,
): Promise<TalkTurn | undefined> {
  if (!TalkError.isInstance(error) || error.code !== 'conflict') return undefined;
  const turn = await log.turn(id).catch(() => undefined);
  return turn?.status === 'done' || turn?.status === 'skipped' ? turn : undefined;
}

async function asked(ask: AskPerson, place: Parameters<AskPerson>[0]): Promise<string> {
  const text: unknown = await ask(place);
  if (typeof text === 'string') return text;
  const given = text === null ? 'null' : typeof text;
  const message = `the option ask gave ${given} for '${place.speaker}': it must give a string`;
  throw new TalkError('invalid-input', message, { context: { speaker: place.speaker } });
}

/** Returns the turn after the person's words: an empty answer is a pass. */
export function personAnswer(
  text: string,
  speaker: string,
): Pick<TalkTurn, 'status' | 'text' | 'error'> {
  if (!isBlank(text)) return { status: 'done', text };
  const message = `'${speaker}' said nothing`;
  return {
    status: 'skipped',
    text: '',
    error: { name: 'TalkError', code: 'empty', message, context: {} },
  };
}
