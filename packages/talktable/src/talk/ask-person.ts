import { setTimeout as sleep } from 'node:timers/promises';
import { turnsFor } from '../view/visibility.ts';
import type { TalkTurn } from '../talk-turn.ts';
import { TalkError } from '../errors.ts';
import type { AskPerson } from '../options.ts';
import type { Seat } from './seat.ts';
import type { TalkContext } from './talk-context.ts';

/** How often the log is looked at for what a person says through another process. */
const LOOK_MS = 300;

/** Who is asked, for which row, and the number before which turns are shown. */
interface PersonToAsk {
  readonly seat: Seat;
  readonly turn: TalkTurn;
  readonly before: number;
}

/**
 * Lets a person speak: through the option `ask`, or through `say(text, { as })` here or in another
 * process, whichever comes first.
 *
 * @returns What was said; the turn, where another process has finished it.
 * @throws what `ask` throws; TalkError with the code `invalid-input` where it gives no string; the reason of the signal when the person is not waited for any more.
 */
export async function askPerson(
  talk: TalkContext,
  { seat, turn, before }: PersonToAsk,
): Promise<string | TalkTurn> {
  const { state, plan, options, control, conversationId } = talk;
  const place = { conversationId, number: turn.number, speaker: seat.name };
  const over = new AbortController();
  const signal = AbortSignal.any([control.wait, over.signal]);
  signal.throwIfAborted();
  const answers: Promise<string | TalkTurn>[] = [
    finishedElsewhere(talk, turn, signal),
    new Promise((resolve) => (talk.awaited = { speaker: seat.name, answer: resolve })),
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
    // What comes too late, or is not waited for, is nobody's error.
    for (const answer of answers) answer.catch(() => undefined);
  }
}

async function finishedElsewhere(
  { log }: TalkContext,
  { id }: TalkTurn,
  signal: AbortSignal,
): Promise<TalkTurn> {
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal });
    // A log that cannot be read now may be read later: somebody may still answer here.
    const turn = await log.turn(id).catch(() => undefined);
    if (turn?.status === 'done' || turn?.status === 'skipped') return turn;
  }
}

async function asked(ask: AskPerson, place: Parameters<AskPerson>[0]): Promise<string> {
  const text: unknown = await ask(place);
  if (typeof text === 'string') return text;
  const given = text === null ? 'null' : typeof text;
  const message = `the option ask gave ${given} for '${place.speaker}': it must give a string`;
  throw new TalkError('invalid-input', message, { context: { speaker: place.speaker } });
}
