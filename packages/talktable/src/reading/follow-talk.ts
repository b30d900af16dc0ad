import { setTimeout as sleep } from 'node:timers/promises';
import { type Conversation, isUnfinished, type TalkTurn } from '../log/conversation.ts';
import { COUNT, optional, SIGNAL, type Kinds } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-input.ts';
import { isSpoken } from '../plan/moderator.ts';

/** An event that a listener to a talk receives, by the names of the events of a manager. */
export type FollowedTalkEvent =
  /** The turn is in the log. */
  | { readonly type: 'turn:ended'; readonly turn: TalkTurn }
  /** A person is to speak: `say(text, { conversationId, as: speaker })` answers, in any process. */
  | {
      readonly type: 'turn:awaited';
      readonly conversationId: string;
      readonly number: number;
      readonly speaker: string;
    }
  /** The talk has come to its end. */
  | { readonly type: 'talk:ended'; readonly conversation: Conversation };

/** Options of `follow`. */
export interface FollowOptions {
  /** The number of the first turn that is heard. Default: 0, the whole talk. */
  readonly from?: number | undefined;
  /** Ends the listening. */
  readonly signal?: AbortSignal | undefined;
}

const KINDS: Kinds<FollowOptions> = { from: optional(COUNT), signal: optional(SIGNAL) };

/** The methods of a log that following a talk needs. */
interface FollowNeeds {
  conversation(): Promise<Conversation>;
  turns(from: number): AsyncIterable<TalkTurn>;
}

/** Interval at which the log is read, in milliseconds. */
const LOOK_MS = 300;

/** Reads a talk that any process leads, turn by turn, until it is over. */
export async function* followTalk(
  needs: FollowNeeds,
  options: FollowOptions,
): AsyncGenerator<FollowedTalkEvent, void, undefined> {
  const { from = 0, signal } = checkOptions('follow', options, KINDS);
  const heard = new Set<number>();
  let next = from;
  let awaited: string | undefined;
  const isOver = (): boolean => signal?.aborted ?? false;
  while (!isOver()) {
    // Its end is read first: what is written before it is read after.
    const conversation = await needs.conversation();
    let first: number | undefined;
    let last = next - 1;
    for await (const turn of needs.turns(next)) {
      last = Math.max(last, turn.number);
      if (isUnfinished(turn)) {
        first ??= turn.number;
        const key = `${turn.id} ${turn.attempt}`;
        if (isAwaited(turn) && awaited !== key) {
          awaited = key;
          const { conversationId, number, speaker } = turn;
          yield { type: 'turn:awaited', conversationId, number, speaker };
        }
        continue;
      }
      if (heard.has(turn.number)) continue;
      heard.add(turn.number);
      if (isSpoken(turn)) yield { type: 'turn:ended', turn };
    }
    // A voice from outside may have spoken during a pending turn, so the turns after that one are read again.
    next = first ?? Math.max(next, last + 1);
    for (const number of heard) if (number < next) heard.delete(number);
    if (conversation.status === 'done') {
      yield { type: 'talk:ended', conversation };
      return;
    }
    await sleep(LOOK_MS, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(
      () => undefined,
    );
  }
}

/** Checks whether a turn is that of a person whose words are waited for. */
export function isAwaited({ status, model, kind }: TalkTurn): boolean {
  return status === 'pending' && model === undefined && kind === 'turn';
}
