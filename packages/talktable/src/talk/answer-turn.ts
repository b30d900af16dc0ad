import { LLMError, type FinishReason, type Passage, defined } from '@vizprompt/providers';
import { costOf } from '@vizprompt/providers/middleware';
import { CHOICE_SCHEMA, VERDICT_SCHEMA } from '../plan/decisions.ts';
import { candidatesOf } from '../plan/speaker.ts';
import { isBlank } from '../blank.ts';
import { isSpoken, type TalkTurn } from '../talk-turn.ts';
import type { View } from '../view/build-view.ts';
import { NamePrefixFilter, withoutNamePrefix } from '../view/name-prefix.ts';
import { promptText } from '../view/prompt-text.ts';
import { askModel, isMisfit, type ModelAnswer } from './ask-model.ts';
import type { Seat } from './seat.ts';
import { showTalk } from './show-talk.ts';
import type { TalkContext } from './talk-context.ts';

/** What is left of a prompt that was too long. */
const SHORTER = 0.6;

/**
 * A turn that a model is asked for: what it has cost so far and what has come, also where it fails.
 */
export class AnswerTurn {
  /** As it would be logged now. */
  turn: TalkTurn;
  readonly #talk: TalkContext;
  readonly #seat: Seat;
  #filter: NamePrefixFilter;

  constructor(talk: TalkContext, seat: Seat, pending: TalkTurn) {
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
        // Where nothing is left to leave out, the error stands.
        if (!isTooLong || shown.report.tokens > most) throw error;
        most = Math.floor(shown.report.tokens * SHORTER);
        this.#again(error, 0);
      }
      shown = showTalk(this.#talk, { ...showing, most, isAgain: empty > 0 });
      this.turn = { ...this.turn, prompt: promptText(shown.messages) };
    }
  }

  async #askOnce({ messages, report }: View): Promise<ModelAnswer> {
    const { plan, control, budgets, state } = this.#talk;
    const { kind, speaker } = this.turn;
    const { model, name, meter } = this.#seat;
    if (!model) throw new Error(`'${name}' has no model`);
    const schema =
      kind === 'choice'
        ? CHOICE_SCHEMA(candidatesOf(plan, state))
        : kind === 'verdict'
          ? VERDICT_SCHEMA
          : undefined;
    const onText = (piece: string): void => {
      const text = this.#filter.push(piece);
      if (text !== '') this.#hear(text);
    };
    try {
      const answer = await askModel(plan, {
        seat: this.#seat,
        model,
        messages,
        signal: control.cut,
        budgets,
        onText,
        ...(schema ? { schema } : {}),
        onRetry: ({ error, waitMs }) => this.#again(error, waitMs),
      });
      const { text, usage, finishReason } = answer;
      this.turn = { ...this.turn, finishReason };
      const rest = this.#filter.end();
      if (rest !== '') this.#hear(rest);
      this.#spend(usage.inputTokens, usage.outputTokens, usage.cachedInputTokens);
      if (!usage.estimated && !schema) meter.learn(report.tokens, usage.inputTokens ?? 0);
      return isSpoken({ kind }) ? { ...answer, text: withoutNamePrefix(text, speaker) } : answer;
    } catch (error) {
      const { usage, finishReason } =
        (LLMError.isInstance(error) ? error.partial : undefined) ?? {};
      this.turn = { ...this.turn, ...defined({ finishReason: known(finishReason) }) };
      this.#spend(usage?.inputTokens, usage?.outputTokens, usage?.cachedInputTokens);
      throw error;
    }
  }

  #hear(text: string): void {
    const { conversationId } = this.#talk;
    const { number, speaker } = this.turn;
    this.turn = { ...this.turn, text: this.turn.text + text };
    if (!isSpoken(this.turn)) return;
    this.#talk.emit('turn:delta', { conversationId, number, speaker, text });
  }

  /** What has come is void, and it is asked again. */
  #again(error: unknown, waitMs: number): void {
    const { conversationId } = this.#talk;
    const { number, speaker } = this.turn;
    const attempt = this.turn.attempt + 1;
    const { finishReason: _, ...turn } = this.turn;
    this.turn = { ...turn, attempt, text: '' };
    this.#filter = new NamePrefixFilter(this.#seat.name);
    this.#talk.emit('turn:retried', { conversationId, number, speaker, attempt, waitMs, error });
  }

  #spend(input: number | undefined, output: number | undefined, cached: number | undefined): void {
    const { inputTokens, outputTokens, costUsd } = this.turn;
    const { prices } = this.#talk.plan;
    const id = this.#seat.model?.modelId ?? '';
    const price = Object.hasOwn(prices, id) ? prices[id] : undefined;
    const usage = defined({ inputTokens: input, outputTokens: output, cachedInputTokens: cached });
    const cost = price && costOf(usage, price);
    this.turn = {
      ...this.turn,
      ...defined({
        inputTokens: sum(inputTokens, input),
        outputTokens: sum(outputTokens, output),
        costUsd: sum(costUsd, cost),
      }),
    };
  }

  #skipped({ name, code, message, partial }: LLMError): TalkTurn {
    const error = { name, code, message, context: {} };
    return { ...this.turn, status: 'skipped', text: partial?.text ?? '', error };
  }
}

/** Whether a model that said nothing would say nothing again, for the same money. */
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

/** A stream that broke off has no reason of its own. */
function known(reason: FinishReason | undefined): FinishReason | undefined {
  return reason === 'unknown' ? undefined : reason;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
