import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import type { TalkResult } from '../events.ts';
import type { TalkTurn } from '../log/conversation.ts';
import type { ConversationManagerOptions } from '../options.ts';
import { chooseSpeaker, verdictReason } from '../plan/moderator.ts';
import { roundAt } from '../plan/rounds.ts';
import { nextStep, type Step } from '../plan/talk-state.ts';
import type { RunControl } from './talk-run.ts';
import { recordTurn, setEnd, settle, takeTurn, type TurnContext, type TurnToTake } from './turn.ts';

/** The parts that are needed to lead a talk. */
export interface LeadContext extends TurnContext {
  readonly control: RunControl;
  readonly options: TurnContext['options'] & Pick<ConversationManagerOptions, 'nextSpeaker'>;
}

/** Where a talk continues. */
interface LeadOptions {
  /** The row of a turn that was not finished. */
  readonly redo?: TalkTurn;
  /** The last finished turn of a talk that continues: the recorders may not have it. */
  readonly last?: TalkTurn;
  /** Waits until what happened so far was read. */
  ready(signal: AbortSignal): Promise<void>;
}

/**
 * Leads a talk, turn by turn, until it ends or the run is ended.
 *
 * @throws TalkError
 */
export async function leadTalk(talk: LeadContext, options: LeadOptions): Promise<TalkResult> {
  try {
    const result = await lead(talk, options);
    talk.emit('talk:ended', result);
    return result;
  } catch (error) {
    await noteFailure(talk, error);
    talk.emit('talk:failed', { conversationId: talk.conversationId, error });
    throw error;
  }
}

async function lead(talk: LeadContext, { redo, last, ready }: LeadOptions): Promise<TalkResult> {
  const { state, plan, control } = talk;
  const startedAt = performance.now();
  const before = state.latencyMs;
  if (last) await recordTurn(talk, last);
  let open = redo;
  for (;;) {
    await ready(control.wait);
    if (control.ending) return rest(talk, control.ending, control.why);
    if (control.isClosing) state.reason ??= 'stop() was called';
    const step: Step = nextStep(plan, state, (before + performance.now() - startedAt) / 1000);
    if (open === undefined && step.type === 'end') return end(talk, step.reason);
    const taken = open ? again(open) : await whoComes(talk, step);
    open = undefined;
    if (state.nextNumber > 0 && plan.intervalMs > 0) {
      await sleep(plan.intervalMs, undefined, { signal: control.wait }).catch(() => undefined);
      if (control.ending) return rest(talk, control.ending, control.why);
    }
    const isFinished = await takeTurn(talk, taken);
    if (!isFinished) return rest(talk, control.ending ?? 'paused', control.why);
    tellVerdict(talk, taken);
    if (taken.kind === 'turn') assertSomebodySpeaks(talk);
  }
}

function again(redo: TalkTurn): TurnToTake {
  const { kind, speaker } = redo;
  return { kind: kind === 'said' ? 'turn' : kind, speaker, redo };
}

async function whoComes(talk: LeadContext, step: Step): Promise<TurnToTake> {
  const { plan, state, options, conversationId } = talk;
  const moderator = plan.moderator?.name ?? '';
  if (step.type !== 'speak') {
    // The reason must not change when the closing words are asked for again.
    if (state.reason === undefined || talk.control.isClosing) {
      const closing = { status: 'running', reason: step.reason } as const;
      await setEnd(talk, closing);
    }
    state.reason = step.reason;
    return { kind: 'closing', speaker: moderator };
  }
  if (step.kind !== 'turn') return { kind: step.kind, speaker: moderator };
  const { speaker, fellBack } = await chooseSpeaker(plan, state, options.nextSpeaker);
  if (fellBack !== undefined) {
    talk.emit('order:fell-back', { conversationId, speaker, reason: fellBack });
  }
  return { kind: 'turn', speaker };
}

function tellVerdict({ state, emit, conversationId }: LeadContext, { kind }: TurnToTake): void {
  if (kind !== 'verdict') return;
  const reason = verdictReason(state.verdictText);
  emit('verdict:given', { conversationId, finished: state.verdict, reason });
}

/** @throws TalkError with the code `turn-failed` if all participants, one after the other, said nothing. */
function assertSomebodySpeaks({ state, plan, conversationId }: LeadContext): void {
  if (state.silences < roundAt(plan, state.turns).seated.length) return;
  const message = `no one says anything: the last ${state.silences} answers were empty`;
  throw new TalkError('turn-failed', message, { context: { conversationId } });
}

async function rest(
  talk: LeadContext,
  status: 'paused' | 'stopped',
  reason: string,
): Promise<TalkResult> {
  await setEnd(talk, { status, at: talk.now() });
  return { ...totals(talk), status, reason };
}

async function end(talk: LeadContext, reason: string): Promise<TalkResult> {
  const done = { status: 'done', reason, at: talk.now() } as const;
  await setEnd(talk, done);
  return { ...totals(talk), status: 'done', reason };
}

function totals({
  conversationId,
  state,
}: LeadContext): Pick<TalkResult, 'conversationId' | 'turns' | 'tokens' | 'costUsd'> {
  const { turns, tokens, costUsd } = state;
  return { conversationId, turns, tokens, costUsd };
}

/** Says in the log that the talk failed, as far as the log can be written. */
async function noteFailure(talk: LeadContext, error: unknown): Promise<void> {
  const code = TalkError.isInstance(error) ? error.code : undefined;
  // A conflict means that the talk continues elsewhere.
  if (code === 'conflict') return;
  const status = code === 'log-unwritable' ? 'paused' : 'failed';
  const failure = { status, error: messageOf(error), at: talk.now() } as const;
  await setEnd(talk, failure).catch(() => undefined);
}

/** Writes a finished turn that the log did not take before. */
export async function writeHeld(talk: LeadContext, held: LeadContext['unwritten']): Promise<void> {
  if (!held) return;
  talk.unwritten = held;
  await talk.log.finish(held.pending, held.ended);
  talk.unwritten = undefined;
  await settle(talk, held.ended);
}
