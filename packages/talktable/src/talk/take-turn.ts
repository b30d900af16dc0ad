import { LLMError, messageOf, type ErrorJson, type Passage, defined } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import type { TalkEnd } from '../log/talk-log.ts';
import { isSpoken, type TalkTurn, type TalkTurnKind } from '../talk-turn.ts';
import type { View } from '../view/build-view.ts';
import { turnsFor } from '../view/visibility.ts';
import { promptsFor } from '../view/prompts.ts';
import { promptText } from '../view/prompt-text.ts';
import { AnswerTurn } from './answer-turn.ts';
import { askPerson } from './ask-person.ts';
import { personAnswer, withAudience } from './person-answer.ts';
import { recordTurn } from './record-turn.ts';
import { modelNameOf, type Seat } from './seat.ts';
import { settle } from './settle.ts';
import { cueFor, showTalk } from './show-talk.ts';
import type { TalkContext } from './talk-context.ts';
import { addTurn, type NewTurn } from './write-talk.ts';

/** Whose turn it is, and for what. */
export interface TurnToTake {
  readonly kind: Exclude<TalkTurnKind, 'said'>;
  readonly speaker: string;
  /** The row of a turn that was not finished. */
  readonly redo?: TalkTurn;
}

/**
 * Takes one turn: writes its row, asks, and writes what came.
 *
 * @returns Whether it was finished; `false` if it was broken off.
 * @throws TalkError with the code `turn-failed`, `log-unwritable`, `conflict` or `recorder-failed`.
 */
export async function takeTurn(talk: TalkContext, taken: TurnToTake): Promise<boolean> {
  const { kind, speaker, redo } = taken;
  const seat = talk.table.get(speaker);
  if (!seat) throw new TalkError('config-invalid', `'${speaker}' has no seat in the config`);
  const passages = await lookUp(talk, seat, kind);
  const { pending, view, before } = await writePending(talk, taken, { seat, passages });
  await recordTurn(talk, pending);
  if (isSpoken(pending)) talk.emit('turn:started', { turn: pending, context: view.report });

  const startedAt = performance.now();
  const answer = new AnswerTurn(talk, seat, pending);
  const timed = (turn: TalkTurn): TalkTurn => ({
    ...turn,
    latencyMs: Math.round(performance.now() - startedAt) + (redo?.latencyMs ?? 0),
  });
  let ended: TalkTurn;
  try {
    if (seat.model) ended = await answer.ask(view, { passages, before });
    else {
      const said = await askPerson(talk, { seat, turn: pending, before });
      if (typeof said !== 'string') {
        await settle(talk, said);
        return true;
      }
      ended = { ...pending, ...personAnswer(said, speaker) };
    }
  } catch (error) {
    await breakOff(talk, pending, timed(answer.turn), error);
    return false;
  }
  try {
    ended = withAudience(talk, seat, timed(ended));
  } catch (error) {
    await breakOff(talk, pending, timed(ended), error);
    return false;
  }
  try {
    await talk.log.finish(pending, ended);
  } catch (error) {
    if (TalkError.isInstance(error) && error.code === 'log-unwritable') {
      talk.unwritten = { pending, ended };
    }
    throw error;
  }
  await settle(talk, ended);
  return true;
}

/** @throws TalkError with the code `turn-failed`, unless the turn was broken off on purpose. */
async function breakOff(
  talk: TalkContext,
  pending: TalkTurn,
  turn: TalkTurn,
  cause: unknown,
): Promise<void> {
  const { control, conversationId } = talk;
  const isWanted = control.cut.aborted || (turn.model === undefined && control.wait.aborted);
  const error = errorJson(cause);
  const ended: TalkTurn = { ...turn, status: isWanted ? 'aborted' : 'failed', error };
  const { number, speaker, model } = turn;
  const who = model === undefined ? speaker : `${speaker}, ${model}`;
  const message = `turn ${number} (${who}) failed: ${messageOf(cause)}`;
  const end: TalkEnd = { status: 'failed', error: message, at: talk.now() };
  await talk.log.finish(pending, ended, isWanted ? undefined : end);
  await recordTurn(talk, ended);
  if (isWanted) return;
  const context = { conversationId, turn: number, speaker, ...defined({ model }) };
  throw new TalkError('turn-failed', message, { cause, context });
}

/** Writes the row of the turn, with what its speaker is shown. */
async function writePending(
  talk: TalkContext,
  { kind, redo }: TurnToTake,
  { seat, passages }: { seat: Seat; passages: readonly Passage[] },
): Promise<{ readonly pending: TalkTurn; readonly view: View; readonly before: number }> {
  const { conversationId, log, state } = talk;
  const startedAt = talk.now();
  const model = modelNameOf(seat);
  const shown = (before: number): { readonly view: View; readonly prompt: string } => {
    const view = showTalk(talk, { seat, kind, before, passages, most: Infinity, isAgain: false });
    return { view, prompt: seat.model ? promptText(view.messages) : personCue(talk, kind, seat) };
  };
  if (redo) {
    // What was said from outside since it was asked for the first time is heard, too.
    const before = state.nextNumber;
    const { view, prompt } = shown(before);
    const { error: _, model: _old, finishReason: _reason, ...rest } = redo;
    const pending: TalkTurn = {
      ...rest,
      prompt,
      startedAt,
      status: 'pending',
      text: '',
      attempt: redo.attempt + 1,
      ...defined({ model }),
    };
    await log.reopen(redo, pending);
    return { pending, view, before };
  }
  const isDecision = kind === 'choice' || kind === 'verdict';
  const { added, view } = await addTurn(talk, (number) => {
    const { view: seen, prompt } = shown(number);
    const turn: NewTurn = {
      conversationId,
      number,
      speaker: seat.name,
      isModerator: seat.isModerator,
      kind,
      status: 'pending',
      prompt,
      text: '',
      attempt: 1,
      startedAt,
      ...defined({ model, visibleTo: isDecision ? [] : seat.visibleTo }),
    };
    return { turn, view: seen };
  });
  return { pending: added, view, before: added.number };
}

function personCue(talk: TalkContext, kind: TalkTurnKind, seat: Seat): string {
  const { prompts } = promptsFor(seat.language ?? talk.plan.language);
  return cueFor(talk, kind, seat.name, prompts);
}

async function lookUp(
  talk: TalkContext,
  seat: Seat,
  kind: TalkTurnKind,
): Promise<readonly Passage[]> {
  const { options, plan, state, control, conversationId } = talk;
  if (!options.knowledge || kind !== 'turn' || !seat.model) return [];
  const heard = turnsFor(state.recent, seat, plan.participants, false);
  const query = heard.at(-1)?.text ?? plan.topic;
  try {
    return await options.knowledge.retrieve(query, { k: plan.passages, signal: control.cut });
  } catch (error) {
    talk.emit('knowledge:failed', { conversationId, error });
    return [];
  }
}

function errorJson(error: unknown): ErrorJson {
  const isKnown = LLMError.isInstance(error) || TalkError.isInstance(error);
  const code = isKnown ? error.code : 'unknown';
  const name = error instanceof Error ? error.name : 'Error';
  return { name, code, message: messageOf(error), context: {} };
}
