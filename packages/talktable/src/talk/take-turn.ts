import { LLMError, messageOf, type ErrorJson, type Passage } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import type { TalkEnd } from '../log/talk-log.ts';
import { isBlank } from '../blank.ts';
import { defined } from '../defined.ts';
import { isSpoken, type TalkTurn, type TalkTurnKind } from '../talk-turn.ts';
import type { View } from '../view/build-view.ts';
import { turnsFor } from '../view/visibility.ts';
import { promptsFor } from '../view/prompts.ts';
import { promptText } from '../view/prompt-text.ts';
import { AnswerTurn } from './answer-turn.ts';
import { askPerson } from './ask-person.ts';
import { recordTurn } from './record-turn.ts';
import { modelNameOf, type Seat } from './seat.ts';
import { cueFor, showTalk } from './show-talk.ts';
import type { TalkContext } from './talk-context.ts';

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
  const number = redo?.number ?? talk.state.takeNumber();
  const passages = await lookUp(talk, seat, kind);
  const view = viewOf(talk, seat, kind, number, passages);
  const pending = await writePending(talk, taken, { number, seat, view });
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
    ended = seat.model
      ? await answer.ask(view, passages)
      : { ...pending, ...spoken(await askPerson(talk, seat, pending), speaker) };
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

/** Takes a finished turn, which is in the log, into the talk. */
export async function settle(talk: TalkContext, ended: TalkTurn): Promise<void> {
  talk.state.add(ended);
  if (isSpoken(ended)) talk.emit('turn:ended', { turn: ended });
  await recordTurn(talk, ended);
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

async function writePending(
  talk: TalkContext,
  { kind, redo }: TurnToTake,
  { number, seat, view }: { number: number; seat: Seat; view: View },
): Promise<TalkTurn> {
  const { conversationId, log } = talk;
  const prompt = seat.model ? promptText(view.messages) : personCue(talk, kind, seat);
  const startedAt = talk.now();
  const model = modelNameOf(seat);
  if (redo) {
    const { error: _, model: _old, ...rest } = redo;
    const again: TalkTurn = {
      ...rest,
      prompt,
      startedAt,
      status: 'pending',
      text: '',
      attempt: redo.attempt + 1,
      ...defined({ model }),
    };
    await log.reopen(redo, again);
    return again;
  }
  const isDecision = kind === 'choice' || kind === 'verdict';
  return log.add({
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
    ...defined({
      model,
      visibleTo: isDecision ? [] : seat.visibleTo,
    }),
  });
}

function personCue(talk: TalkContext, kind: TalkTurnKind, seat: Seat): string {
  const { prompts } = promptsFor(seat.language ?? talk.plan.language);
  return cueFor(talk, kind, seat.name, prompts);
}

function viewOf(
  talk: TalkContext,
  seat: Seat,
  kind: TalkTurnKind,
  number: number,
  passages: readonly Passage[],
): View {
  return showTalk(talk, { seat, kind, number, passages, most: Infinity, isAgain: false });
}

/**
 * Who hears it may depend on what was said. A name that is not at the table would hide the turn from
 * whoever was meant.
 *
 * @throws TalkError with the code `invalid-input`, and what the option `visibleTo` throws.
 */
function withAudience({ options, table }: TalkContext, seat: Seat, turn: TalkTurn): TalkTurn {
  if (seat.isModerator) return turn;
  const visibleTo: unknown = options.visibleTo?.(turn);
  if (visibleTo === undefined) return turn;
  if (!Array.isArray(visibleTo)) {
    throw new TalkError('invalid-input', 'the option visibleTo must give a list of names');
  }
  const names = visibleTo.map(String);
  const unknown = names.find((name) => !table.has(name));
  if (unknown === undefined) return { ...turn, visibleTo: names };
  const message = `the option visibleTo named '${unknown}', who is not at the table`;
  throw new TalkError('invalid-input', message, { context: { name: unknown } });
}

function spoken(text: string, speaker: string): Pick<TalkTurn, 'status' | 'text' | 'error'> {
  if (!isBlank(text)) return { status: 'done', text };
  const message = `'${speaker}' said nothing`;
  return {
    status: 'skipped',
    text: '',
    error: { name: 'TalkError', code: 'empty', message, context: {} },
  };
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
