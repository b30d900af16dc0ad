// oxlint-disable max-lines -- a turn is one state machine, from its pending row to the recorders: cut, it is harder to follow
import {
  type Budget,
  type ChatEvent,
  type FinishReason,
  type JsonObject,
  type JsonValue,
  LLMError,
  type Message,
  messageOf,
  type Passage,
  type Turn,
  type TurnRecorder,
  type Usage,
} from '@vizprompt/providers';
import { generateObject, runTools } from '@vizprompt/providers/generate';
import { budget, compose, type Middleware, retry } from '@vizprompt/providers/middleware';
import {
  ChatCollector,
  omitUndefined as defined,
  type ErrorJson,
  costOf,
  isError,
} from '@vizprompt/providers/internal';
import type { TalkPlan } from '../config/plan.ts';
import { TalkError } from '../errors.ts';
import type { TalkEvents } from '../events.ts';
import { type TalkTurn, type TalkTurnKind } from '../log/conversation.ts';
import type { TalkEnd } from '../log/log-rows.ts';
import type { TalkLog } from '../log/talk-log.ts';
import type { ConversationManagerOptions, TalkRecorder } from '../options.ts';
import {
  candidatesOf,
  CHOICE_SCHEMA,
  isSpoken,
  type TalkState,
  VERDICT_SCHEMA,
} from '../plan/moderator.ts';
import { isBlank, NamePrefixFilter, withoutNamePrefix } from '../words.ts';
import { answeredElsewhere, askPerson, personAnswer, type PersonContext } from './ask-person.ts';
import { modelNameOf, type Seat, withAudience } from './table.ts';
import {
  cueFor,
  lastInput,
  promptText,
  type ShownTalk,
  showTalk,
  turnsFor,
  type View,
} from './view.ts';

/** The parts that are needed to write a talk. */
interface TalkWriting {
  readonly conversationId: string;
  readonly state: TalkState;
  readonly log: TalkLog;
  readonly options: Pick<ConversationManagerOptions, 'recorders'>;
  emit<Name extends keyof TalkEvents>(name: Name, payload: TalkEvents[Name]): void;
  /** Settles when all writes so far have ended: numbers are given one after the other. */
  writing: Promise<unknown>;
}

/** A finished turn that the log did not take. */
export interface UnwrittenTurn {
  readonly pending: TalkTurn;
  readonly ended: TalkTurn;
}

/** The parts of a talk that a turn needs. */
export interface TurnContext extends TalkWriting, ShownTalk, PersonContext {
  readonly plan: TalkPlan;
  readonly state: TalkState;
  readonly log: TalkLog;
  /** `cut` is aborted when the call in progress is to be broken off, `wait` when nothing is to be waited for. */
  readonly control: { readonly cut: AbortSignal; readonly wait: AbortSignal };
  readonly budgets: readonly Budget[];
  readonly options: Pick<
    ConversationManagerOptions,
    'ask' | 'knowledge' | 'recorders' | 'visibleTo'
  >;
  now(): string;
  /** Set when the log could not take a finished turn; it is written when the talk resumes. */
  unwritten: UnwrittenTurn | undefined;
}

/** The seat of a turn, and its purpose. */
export interface TurnToTake {
  readonly kind: Exclude<TalkTurnKind, 'said'>;
  readonly speaker: string;
  /** The row of a turn that was not finished. */
  readonly redo?: TalkTurn;
}

/**
 * Takes one turn: writes its row, asks, and writes what came.
 *
 * @returns `true` if it was finished; `false` if it was broken off.
 * @throws TalkError with the code `turn-failed`, `log-unwritable`, `conflict` or `recorder-failed`.
 */
export async function takeTurn(talk: TurnContext, taken: TurnToTake): Promise<boolean> {
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
    const other = seat.model ? undefined : await answeredElsewhere(talk.log, pending, error);
    if (!other) throw error;
    await settle(talk, other);
    // Both are heard: `say` has resolved for these words.
    const isNew = ended.status === 'done' && ended.text !== other.text;
    if (isNew) await addVoice(talk, { speaker, text: ended.text, visibleTo: ended.visibleTo });
    return true;
  }
  await settle(talk, ended);
  return true;
}

/** @throws TalkError with the code `turn-failed`, unless the turn was broken off on purpose. */
async function breakOff(
  talk: TurnContext,
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
  talk: TurnContext,
  { kind, redo }: TurnToTake,
  { seat, passages }: { seat: Seat; passages: readonly Passage[] },
): Promise<{ readonly pending: TalkTurn; readonly view: View; readonly before: number }> {
  const { conversationId, log, state } = talk;
  const startedAt = talk.now();
  const model = modelNameOf(seat);
  const shown = (before: number): { readonly view: View; readonly prompt: string } => {
    const view = showTalk(talk, { seat, kind, before, passages, most: Infinity, isAgain: false });
    return { view, prompt: seat.model ? promptText(view.messages) : cueFor(talk, kind, seat) };
  };
  if (redo) {
    // Words that came from outside since it was asked for the first time are heard, too.
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

async function lookUp(
  talk: TurnContext,
  seat: Seat,
  kind: TalkTurnKind,
): Promise<readonly Passage[]> {
  const { options, plan, state, control, conversationId } = talk;
  if (!options.knowledge || kind !== 'turn' || !seat.model) return [];
  const heard = turnsFor(state.recent, seat, plan.participants, false);
  const query = heard.at(-1)?.text ?? plan.topic;
  try {
    return await options.knowledge.retrieve(query, {
      limit: plan.passages,
      k: plan.passages,
      signal: control.cut,
    });
  } catch (error) {
    talk.emit('knowledge:failed', { conversationId, error });
    return [];
  }
}

function errorJson(error: unknown): ErrorJson {
  const isKnown = LLMError.isInstance(error) || TalkError.isInstance(error);
  const code = isKnown ? error.code : 'unknown';
  const name = isError(error) ? error.name : 'Error';
  return { name, code, message: messageOf(error), context: {} };
}

/** The share of a prompt that remains after it was too long. */
const SHORTER = 0.6;

/**
 * A turn that a model is asked for: what it has cost so far and what has come, also where it fails.
 */
class AnswerTurn {
  /** As it would be logged now. */
  turn: TalkTurn;
  readonly #talk: TurnContext;
  readonly #seat: Seat;
  readonly #calls = new Map<string, JsonValue>();
  #filter: NamePrefixFilter;

  constructor(talk: TurnContext, seat: Seat, pending: TalkTurn) {
    this.turn = pending;
    this.#talk = talk;
    this.#seat = seat;
    this.#filter = new NamePrefixFilter(seat.name);
  }

  /**
   * Asks until something has come that can be used: an empty answer is asked for again, unless it would
   * end the same way, and a prompt that is too long is made shorter.
   *
   * @throws LLMError
   */
  async ask(
    view: View,
    { passages, before }: { readonly passages: readonly Passage[]; readonly before: number },
  ): Promise<TalkTurn> {
    const { plan } = this.#talk;
    const showing = { seat: this.#seat, kind: this.turn.kind, before, passages };
    let most = Infinity;
    let empty = 0;
    let shown = view;
    for (;;) {
      try {
        const { text, ...answer } = await this.#askOnce(shown);
        if (!isBlank(text)) return { ...this.turn, status: 'done', text };
        const nothing = emptyAnswer(this.#seat, answer);
        if (isFinal(answer)) throw nothing;
        if (empty++ >= plan.retries) return this.#skipped(nothing);
        this.#again(nothing, 0);
      } catch (error) {
        if (isMisfit(error)) return this.#skipped(error);
        const isTooLong = LLMError.isInstance(error) && error.code === 'context_length';
        // Where nothing can be left out any more, the error remains.
        if (!isTooLong || shown.report.tokens > most) throw error;
        most = Math.floor(shown.report.tokens * SHORTER);
        this.#again(error, 0);
      }
      shown = showTalk(this.#talk, { ...showing, most, isAgain: empty > 0 });
      this.turn = { ...this.turn, prompt: promptText(shown.messages) };
    }
  }

  async #askOnce({ messages, report }: View): Promise<ModelAnswer> {
    const { kind, speaker } = this.turn;
    const { meter, tools } = this.#seat;
    const schema = this.#schema();
    try {
      const answer = await this.#call(messages, schema);
      const { text, usage, finishReason } = answer;
      this.turn = { ...this.turn, finishReason };
      this.#hear(this.#filter.end());
      this.#spend(usage);
      const isOneCall = !schema && !tools;
      if (!usage.estimated && isOneCall) meter.learn(report.tokens, usage.inputTokens ?? 0);
      return isSpoken({ kind }) ? { ...answer, text: withoutNamePrefix(text, speaker) } : answer;
    } catch (error) {
      const { usage, finishReason } =
        (LLMError.isInstance(error) ? error.partial : undefined) ?? {};
      this.turn = { ...this.turn, ...defined({ finishReason: knownReason(finishReason) }) };
      this.#spend(usage ?? {});
      throw error;
    }
  }

  /** The form of the answer, for decisions. */
  #schema(): JsonObject | undefined {
    const { plan, state } = this.#talk;
    if (this.turn.kind === 'choice') return CHOICE_SCHEMA(candidatesOf(plan, state));
    return this.turn.kind === 'verdict' ? VERDICT_SCHEMA : undefined;
  }

  /**
   * Asks the model for a text or, with a schema, for an object as JSON. Passing errors are repeated, as late
   * as the provider asks for; answers that do not fit the schema are shown to the model once.
   *
   * @throws LLMError
   */
  async #call(messages: readonly Message[], schema: JsonObject | undefined): Promise<ModelAnswer> {
    const { plan, control, budgets } = this.#talk;
    const { model: asked, name, tools, temperature, maxOutputTokens } = this.#seat;
    if (!asked) throw new Error(`'${name}' has no model`);
    const { retries, prices, timeout } = plan;
    const model = compose(
      asked,
      ...budgets.map((one) => budget(one, { prices })),
      retry({ retries, onRetry: ({ error, waitMs }) => this.#again(error, waitMs) }),
      heldAnswer((piece) => this.#hear(this.#filter.push(piece))),
    );
    const limits = defined({ temperature, maxOutputTokens });
    const request = { messages, signal: control.cut, timeout, ...limits };
    if (schema) {
      const { object, usage, result } = await generateObject(model, request, { schema });
      return { text: JSON.stringify(object), usage, finishReason: result.finishReason };
    }
    if (tools) {
      const onMessage = (message: Message): void => this.#called(message);
      const { text, steps, usage } = await runTools(model, request, tools, { onMessage });
      const { finishReason = 'unknown', rawFinishReason } = steps.at(-1) ?? {};
      return { text, usage, finishReason, ...defined({ rawFinishReason }) };
    }
    const { text, usage, finishReason, rawFinishReason } = await model.generate(request);
    return { text, usage, finishReason, ...defined({ rawFinishReason }) };
  }

  #hear(text: string): void {
    if (text === '') return;
    const { conversationId } = this.#talk;
    const { number, speaker } = this.turn;
    this.turn = { ...this.turn, text: this.turn.text + text };
    if (!isSpoken(this.turn)) return;
    this.#talk.emit('turn:delta', { conversationId, number, speaker, text });
  }

  /** Keeps what tools gave with the prompt; what was said before a call is no part of the answer. */
  #called(message: Message): void {
    const { conversationId } = this.#talk;
    const { number, speaker } = this.turn;
    const place = { conversationId, number, speaker };
    for (const part of message.parts) {
      if (part.type === 'tool-call') this.#calls.set(part.id, part.input);
      if (part.type !== 'tool-result') continue;
      const { id, name: tool, output, isError: hasFailed = false } = part;
      const input = this.#calls.get(id) ?? null;
      this.turn = {
        ...this.turn,
        prompt: `${this.turn.prompt}\n\n[tool]\n${JSON.stringify({ tool, input, output })}`,
        text: '',
      };
      this.#filter = new NamePrefixFilter(this.#seat.name);
      this.#talk.emit('turn:called', { ...place, tool, input, output, isError: hasFailed });
    }
  }

  /** Discards the partial answer before the speaker is asked again. */
  #again(error: unknown, waitMs: number): void {
    const { conversationId } = this.#talk;
    const { number, speaker } = this.turn;
    const attempt = this.turn.attempt + 1;
    const { finishReason: _, ...turn } = this.turn;
    this.turn = { ...turn, attempt, text: '' };
    this.#filter = new NamePrefixFilter(this.#seat.name);
    this.#talk.emit('turn:retried', { conversationId, number, speaker, attempt, waitMs, error });
  }

  #spend(usage: Usage): void {
    const { inputTokens, outputTokens, costUsd } = this.turn;
    const { prices } = this.#talk.plan;
    const id = this.#seat.model?.modelId ?? '';
    const price = Object.hasOwn(prices, id) ? prices[id] : undefined;
    const cost = price && costOf(usage, price);
    this.turn = {
      ...this.turn,
      ...defined({
        inputTokens: sum(inputTokens, usage.inputTokens),
        outputTokens: sum(outputTokens, usage.outputTokens),
        costUsd: sum(costUsd, cost),
      }),
    };
  }

  #skipped({ name, code, message, partial }: LLMError): TalkTurn {
    const error = { name, code, message, context: {} };
    return { ...this.turn, status: 'skipped', text: partial?.text ?? '', error };
  }
}

/** Checks whether a model that said nothing would say nothing again, for the same money. */
function isFinal({ finishReason }: FinishOf): boolean {
  return finishReason === 'content-filter' || finishReason === 'length';
}

type FinishOf = Pick<ModelAnswer, 'finishReason' | 'rawFinishReason'>;

function emptyAnswer({ name, maxOutputTokens }: Seat, finish: FinishOf): LLMError {
  const { finishReason, rawFinishReason = finishReason } = finish;
  const details = { context: { finishReason, rawFinishReason } };
  if (finishReason === 'content-filter') {
    const message = `'${name}' was held back by the content filter (${rawFinishReason})`;
    return new LLMError('content_filter', message, details);
  }
  if (finishReason === 'length') {
    const limit = maxOutputTokens === undefined ? 'of tokens' : `of ${maxOutputTokens} tokens`;
    const message = `'${name}' reached the limit ${limit} before it said anything: raise maxOutputTokens`;
    return new LLMError('bad_response', message, details);
  }
  const why = finishReason === 'stop' ? '' : ` (${rawFinishReason})`;
  return new LLMError('bad_response', `'${name}' answered with nothing${why}`, details);
}

/** Returns a stream that broke off has no reason of its own. */
function knownReason(reason: FinishReason | undefined): FinishReason | undefined {
  return reason === 'unknown' ? undefined : reason;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}

/** The answer of a model. */
interface ModelAnswer {
  readonly text: string;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  /** The provider's own word for it. */
  readonly rawFinishReason?: string;
}

/** Why nothing came that can be used, if it is such an error: what came is in its `partial`. */
function isMisfit(error: unknown): error is LLMError {
  return LLMError.isInstance(error) && error.code === 'output_parse';
}

/**
 * Holds an answer back until it is whole, and emits its text as it comes. So a call that breaks off in
 * the middle can be repeated by the layer above: no part was used, and readers that showed it are
 * notified that it is void.
 */
function heldAnswer(onText: (text: string) => void): Middleware {
  return {
    name: 'heldAnswer',
    async *stream(request, next) {
      const events: ChatEvent[] = [];
      const collector = new ChatCollector();
      try {
        for await (const event of next(request)) {
          collector.add(event);
          if (event.type === 'text-delta') onText(event.text);
          else if (event.type !== 'reasoning-delta' && event.type !== 'tool-call-delta') {
            events.push(event);
          }
        }
      } catch (error) {
        throw LLMError.isInstance(error) ? asUnheard(error) : error;
      }
      yield* events;
    },
  };
}

/** Returns the same error, of an answer that was not heard. */
function asUnheard(error: LLMError): LLMError {
  const { provider, modelId, status, requestId, retryAfterMs, partial, isRetryable } = error;
  const facts = { provider, modelId, status, requestId, retryAfterMs, partial };
  const known = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  );
  return new LLMError(error.code, error.message, {
    ...known,
    isRetryable,
    outputStarted: false,
    context: error.context,
    cause: error.cause,
  });
}

/** A turn that has no row yet. */
type NewTurn = Omit<TalkTurn, 'id'>;

/**
 * Writes the row of a turn under the next number. Words that came through another process in the
 * meantime comes before it.
 *
 * @param make - Makes the turn, depending on all that was said before; it may be called again.
 * @throws TalkError with the code `conflict` if another process continues with the talk, `finished` for words
 * from outside that come too late, or `log-unwritable`.
 */
function addTurn<Made extends { readonly turn: NewTurn }>(
  talk: TalkWriting,
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
 * Writes words that are no turn of the order, and reports them.
 *
 * @throws TalkError with the code `conflict`, `log-unwritable` or `recorder-failed`.
 */
export async function addVoice(
  talk: TurnContext,
  {
    speaker,
    text,
    visibleTo,
  }: Pick<TalkTurn, 'speaker' | 'text'> & { readonly visibleTo: readonly string[] | undefined },
): Promise<void> {
  const { conversationId } = talk;
  const { added } = await addTurn(talk, (number) => ({
    turn: {
      conversationId,
      number,
      isModerator: false,
      kind: 'said',
      speaker,
      status: 'done',
      prompt: '',
      text,
      attempt: 1,
      startedAt: talk.now(),
      ...(visibleTo === undefined ? {} : { visibleTo }),
    },
  }));
  talk.emit('turn:ended', { turn: added });
  await recordTurn(talk, added);
}

/**
 * Writes the state of the talk.
 *
 * @throws TalkError with the code `conflict` or `log-unwritable`.
 */
export function setEnd(talk: TalkWriting, end: TalkEnd): Promise<void> {
  const { log, conversationId, state } = talk;
  return unlessHeard(talk, () => log.setEnd(conversationId, end, state.nextNumber));
}

/** Writes, one after the other; where words from outside were in the way, they are heard, and it is written again. */
function unlessHeard<T>(talk: TalkWriting, write: () => Promise<T>): Promise<T> {
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

/** @returns `true` if there were words from outside, and nothing else. */
async function hearOutside(talk: TalkWriting): Promise<boolean> {
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

/** Takes a finished turn, which is in the log, into the talk. */
export async function settle(talk: TalkWriting, ended: TalkTurn): Promise<void> {
  talk.state.add(ended);
  if (isSpoken(ended)) talk.emit('turn:ended', { turn: ended });
  await recordTurn(talk, ended);
}

/**
 * Gives a turn to the recorders.
 *
 * @throws TalkError with the code `recorder-failed` if one fails that is required.
 */
export async function recordTurn(talk: TalkWriting, turn: TalkTurn): Promise<void> {
  const { options, conversationId } = talk;
  if (!isSpoken(turn)) return;
  for (const given of options.recorders ?? []) {
    const { recorder, required = false } = isRecorder(given) ? { recorder: given } : given;
    try {
      await recorder.record(recorded(talk, turn));
    } catch (error) {
      talk.emit('recorder:failed', { conversationId, error });
      if (!required) continue;
      const message = `turn ${turn.number} could not be recorded: ${messageOf(error)}`;
      throw new TalkError('recorder-failed', message, { cause: error });
    }
  }
}

function isRecorder(given: TurnRecorder | TalkRecorder): given is TurnRecorder {
  return 'record' in given;
}

function recorded({ state }: TalkWriting, turn: TalkTurn): Turn {
  const { conversationId, number, speaker, kind, status, text, startedAt, latencyMs } = turn;
  const before = state.recent.findLast((other) => other.number < number);
  const input = turn.prompt === '' ? '' : lastInput(turn.prompt);
  const usage = defined({ inputTokens: turn.inputTokens, outputTokens: turn.outputTokens });
  const endedAt =
    latencyMs === undefined ? undefined : new Date(Date.parse(startedAt) + latencyMs).toISOString();
  return {
    id: String(number),
    conversationId,
    follows: before ? [String(before.number)] : [],
    kind: kind === 'summary' ? 'summary' : 'turn',
    status: status === 'skipped' ? 'failed' : status,
    speaker,
    input: input === '' ? [] : [{ type: 'text', text: input }],
    output: text === '' ? [] : [{ type: 'text', text }],
    startedAt,
    ...defined({ model: turn.model, error: turn.error, endedAt }),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
  };
}
