import { turnsFor } from '../view/visibility.ts';
import type { TalkTurn } from '../talk-turn.ts';
import type { Seat } from './seat.ts';
import type { TalkContext } from './talk-context.ts';

/**
 * Lets a person speak: through the option `ask`, or through `say(text, { as })`, whichever comes first.
 *
 * @throws what `ask` throws; the reason of the signal when the person is not waited for any more.
 */
export async function askPerson(talk: TalkContext, seat: Seat, turn: TalkTurn): Promise<string> {
  const { state, plan, options, control, conversationId } = talk;
  const place = { conversationId, number: turn.number, speaker: seat.name };
  const over = new AbortController();
  const signal = AbortSignal.any([control.wait, over.signal]);
  signal.throwIfAborted();
  const answers: Promise<string>[] = [
    new Promise((resolve) => (talk.awaited = { speaker: seat.name, answer: resolve })),
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ];
  talk.emit('turn:awaited', place);
  if (options.ask) {
    const heard = turnsFor(state.recent, seat, plan.participants, false);
    const recent = heard.filter(({ number }) => number < turn.number);
    answers.push(options.ask({ ...place, recent, signal }));
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
