import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type TypedEvents } from '@vizprompt/providers';
import type { Unsubscribe } from '@vizprompt/providers/internal';
import { roundAt } from '../config/plan.ts';
import { TalkError } from '../errors.ts';
import type { TalkEvent, TalkEvents, TalkResult } from '../events.ts';
import type { TalkTurn } from '../log/conversation.ts';
import type { ConversationManagerOptions } from '../options.ts';
import { chooseSpeaker, nextStep, type Step, verdictReason } from '../plan/moderator.ts';
import { recordTurn, setEnd, settle, takeTurn, type TurnContext, type TurnToTake } from './turn.ts';

/** Leads a run: it is called once, with the first look at the run. */
export type LeadRun = (
  tell: (event: TalkEvent) => void,
  ready: (signal: AbortSignal) => Promise<void>,
) => Promise<TalkResult>;

/**
 * A talk in progress. It begins with the first look at it: iterating, or `result()`. Iterated, it continues
 * only as far as it is read: the next turn waits until the reader has dealt with the last. Leaving the loop breaks
 * off the call and pauses the talk.
 *
 * @example
 * ```ts
 * for await (const event of manager.start()) {
 *   if (event.type === 'turn:delta') process.stdout.write(event.text);
 * }
 * ```
 */
export class TalkRun implements AsyncIterable<TalkEvent> {
  readonly conversationId: string;
  readonly #lead: LeadRun;
  readonly #leave: () => void;
  #result: Promise<TalkResult> | undefined;
  #queue: TalkEvent[] | undefined;
  #wake: (() => void) | undefined;
  #drained: (() => void) | undefined;
  /** True if the reader has dealt with all that it was given, and waits for more. */
  #isAsking = false;

  /** @internal */
  constructor(conversationId: string, lead: LeadRun, leave: () => void) {
    this.conversationId = conversationId;
    this.#lead = lead;
    this.#leave = leave;
  }

  /**
   * Leads the talk to where it ends or pauses. It must be awaited before the manager is closed, which stops
   * the talk: where `await using` holds the manager, `return await run.result()`.
   *
   * @throws TalkError with the code `turn-failed`, `log-unwritable`, `conflict` or `recorder-failed`;
   * the log is whole, and the talk can be resumed.
   */
  result(): Promise<TalkResult> {
    this.#result ??= this.#lead(
      (event) => this.#tell(event),
      (signal) => this.#ready(signal),
    );
    return this.#result;
  }

  /** @throws as {@link TalkRun.result}, after all that happened before. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TalkEvent, void, undefined> {
    if (this.#queue) {
      throw new TalkError('invalid-input', 'this run is iterated already: it has one reader');
    }
    const queue: TalkEvent[] = [];
    this.#queue = queue;
    let isOver = false;
    const result = this.result().finally(() => {
      isOver = true;
      this.#wake?.();
    });
    result.catch(() => undefined);
    let hasLeft = true;
    try {
      for (;;) {
        const event = queue.shift();
        if (event) {
          this.#isAsking = false;
          yield event;
        } else if (isOver) break;
        else {
          this.#isAsking = true;
          this.#drained?.();
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
      }
      hasLeft = false;
      await result;
    } finally {
      this.#queue = undefined;
      this.#drained?.();
      if (hasLeft) {
        this.#leave();
        await result.catch(() => undefined);
      }
    }
  }

  #tell(event: TalkEvent): void {
    this.#queue?.push(event);
    this.#wake?.();
  }

  /** Resolves when the reader, if there is one, has handled all reported events. */
  async #ready(signal: AbortSignal): Promise<void> {
    if (!this.#queue || (this.#isAsking && this.#queue.length === 0) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.#drained = undefined;
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#drained = go;
      signal.addEventListener('abort', go, { once: true });
    });
  }
}

/** Reports the events of one talk to the readers of its run. */
export function forwardEvents(
  events: TypedEvents<TalkEvents>,
  conversationId: string,
  tell: (event: TalkEvent) => void,
): Unsubscribe {
  const isOurs = (id: string): boolean => id === conversationId;
  const unlisten = [
    events.on('turn:started', (payload) => {
      if (isOurs(payload.turn.conversationId)) tell({ type: 'turn:started', ...payload });
    }),
    events.on('turn:delta', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:delta', ...payload });
    }),
    events.on('turn:retried', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:retried', ...payload });
    }),
    events.on('turn:called', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:called', ...payload });
    }),
    events.on('turn:awaited', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:awaited', ...payload });
    }),
    events.on('turn:ended', (payload) => {
      if (isOurs(payload.turn.conversationId)) tell({ type: 'turn:ended', ...payload });
    }),
    events.on('talk:ended', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'talk:ended', ...payload });
    }),
  ];
  return () => {
    for (const stop of unlisten) stop();
  };
}

/** The ways to end a run before its time. */
type Ending = 'paused' | 'stopped';

/**
 * The requests from outside to a run: to end after the turn in progress, at once, or with the moderator's
 * closing words.
 */
export class RunControl {
  readonly #cut = new AbortController();
  readonly #wait = new AbortController();
  /** The way the run ends; `undefined` while it was not asked to. */
  ending: Ending | undefined;
  why = '';
  /** True if the moderator is to close after the turn in progress. */
  isClosing = false;

  /** Aborted when the call in progress is to be broken off. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Aborted when nothing is to be waited for any more: a pause between turns, a person. */
  get wait(): AbortSignal {
    return this.#wait.signal;
  }

  /** Ends the run after the turn in progress or, with `now`, by breaking it off. */
  end(ending: Ending, why: string, now: boolean): void {
    // A stop overrides a pause.
    if (this.ending !== 'stopped') {
      this.ending = ending;
      this.why = why;
    }
    this.#wait.abort();
    if (now) this.#cut.abort();
  }

  /** Ends the run when the signal is aborted. */
  follow(signal: AbortSignal | undefined): void {
    const end = (): void => this.end('stopped', 'the signal was aborted', true);
    if (signal?.aborted) end();
    // It is heard no longer than the run continues.
    else signal?.addEventListener('abort', end, { once: true, signal: this.#over.signal });
  }

  readonly #over = new AbortController();

  /** Lets go of what was followed. */
  close(): void {
    this.#over.abort();
  }
}

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
    const result = await takeTurns(talk, options);
    talk.emit('talk:ended', result);
    return result;
  } catch (error) {
    await noteFailure(talk, error);
    talk.emit('talk:failed', { conversationId: talk.conversationId, error });
    throw error;
  }
}

async function takeTurns(
  talk: LeadContext,
  { redo, last, ready }: LeadOptions,
): Promise<TalkResult> {
  const { state, plan, control } = talk;
  const startedAt = performance.now();
  const before = state.latencyMs;
  if (last) await recordTurn(talk, last);
  let open = redo;
  for (;;) {
    await ready(control.wait);
    if (control.ending) return breakOffTalk(talk, control.ending, control.why);
    if (control.isClosing) state.reason ??= 'stop() was called';
    const step: Step = nextStep(plan, state, (before + performance.now() - startedAt) / 1000);
    if (open === undefined && step.type === 'end') return endTalk(talk, step.reason);
    const taken = open ? again(open) : await whoComes(talk, step);
    open = undefined;
    if (state.nextNumber > 0 && plan.intervalMs > 0) {
      await sleep(plan.intervalMs, undefined, { signal: control.wait }).catch(() => undefined);
      if (control.ending) return breakOffTalk(talk, control.ending, control.why);
    }
    const isFinished = await takeTurn(talk, taken);
    if (!isFinished) return breakOffTalk(talk, control.ending ?? 'paused', control.why);
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

async function breakOffTalk(
  talk: LeadContext,
  status: 'paused' | 'stopped',
  reason: string,
): Promise<TalkResult> {
  await setEnd(talk, { status, at: talk.now() });
  return { ...totals(talk), status, reason };
}

async function endTalk(talk: LeadContext, reason: string): Promise<TalkResult> {
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
