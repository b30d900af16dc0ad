import { TalkError } from '../errors.ts';
import type { TalkEnd } from '../log/talk-log.ts';
import type { TalkTurn } from '../talk-turn.ts';
import { settle } from './settle.ts';
import type { TalkContext } from './talk-context.ts';

/** A turn that has no row yet. */
export type NewTurn = Omit<TalkTurn, 'id'>;

/**
 * Writes the row of a turn under the next number. What somebody said through another process in the
 * meantime comes before it.
 *
 * @param make - Makes the turn, with whatever depends on all that was said before; it may be called again.
 * @throws TalkError with the code `conflict` if somebody else goes on with the talk, `finished` for words
 * from outside that come too late, or `log-unwritable`.
 */
export function addTurn<Made extends { readonly turn: NewTurn }>(
  talk: TalkContext,
  make: (number: number) => Made,
): Promise<Made & { readonly added: TalkTurn }> {
  const { state, log } = talk;
  return unlessHeard(talk, async () => {
    const made = make(state.nextNumber);
    const { turn } = made;
    const isSaid = turn.kind === 'said';
    const added = isSaid ? await log.addSaid(turn) : await log.add(turn);
    if (isSaid) state.add(added);
    else state.nextNumber = turn.number + 1;
    return { ...made, added };
  });
}

/**
 * Writes how the talk stands.
 *
 * @throws TalkError with the code `conflict` or `log-unwritable`.
 */
export function setEnd(talk: TalkContext, end: TalkEnd): Promise<void> {
  const { log, conversationId, state } = talk;
  return unlessHeard(talk, () => log.setEnd(conversationId, end, state.nextNumber));
}

/** Writes, one after the other; where words from outside were in the way, they are heard, and it is written again. */
function unlessHeard<T>(talk: TalkContext, write: () => Promise<T>): Promise<T> {
  const attempt = async (): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      const isConflict = TalkError.isInstance(error) && error.code === 'conflict';
      if (!isConflict || !(await hearOutside(talk))) throw error;
      return attempt();
    }
  };
  const writing = talk.writing.then(attempt);
  talk.writing = writing.catch(() => undefined);
  return writing;
}

/** @returns Whether there were words from outside, and nothing else. */
async function hearOutside(talk: TalkContext): Promise<boolean> {
  const { log, state, conversationId } = talk;
  const heard: TalkTurn[] = [];
  const options = { prompts: false, from: state.nextNumber };
  for await (const turn of log.turns(conversationId, options)) {
    if (turn.kind !== 'said') return false;
    heard.push(turn);
  }
  for (const turn of heard) await settle(talk, turn);
  return heard.length > 0;
}
