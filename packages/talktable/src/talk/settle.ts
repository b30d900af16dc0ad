import { isSpoken, type TalkTurn } from '../talk-turn.ts';
import { recordTurn } from './record-turn.ts';
import type { TalkContext } from './talk-context.ts';

/** Takes a finished turn, which is in the log, into the talk. */
export async function settle(talk: TalkContext, ended: TalkTurn): Promise<void> {
  talk.state.add(ended);
  if (isSpoken(ended)) talk.emit('turn:ended', { turn: ended });
  await recordTurn(talk, ended);
}
