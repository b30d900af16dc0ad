import {
  LLMError,
  type Budget,
  type ChatModel,
  type FinishReason,
  type JsonObject,
  type Message,
  type Usage,
  defined,
} from '@vizprompt/providers';
import { generateObject } from '@vizprompt/providers/generate';
import { budget, compose, retry } from '@vizprompt/providers/middleware';
import type { TalkPlan } from '../config/plan.ts';
import { heldAnswer } from './held-answer.ts';
import type { Seat } from './seat.ts';

/** What a seat is asked. */
export interface Question {
  readonly seat: Seat;
  readonly model: ChatModel;
  readonly messages: readonly Message[];
  /** The form of the answer, for decisions. */
  readonly schema?: JsonObject;
  readonly signal: AbortSignal;
  readonly budgets: readonly Budget[];
  onText(text: string): void;
  onRetry(notice: { readonly error: unknown; readonly waitMs: number }): void;
}

/** What came. */
export interface ModelAnswer {
  readonly text: string;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  /** The provider's own word for it. */
  readonly rawFinishReason?: string;
}

/**
 * Asks a model for a text or, with a schema, for an object as JSON. Passing errors are repeated, as late
 * as the provider asks for; answers that do not fit the schema are shown to the model once.
 *
 * @throws LLMError
 */
export async function askModel(plan: TalkPlan, question: Question): Promise<ModelAnswer> {
  const { seat, messages, schema, signal } = question;
  const { retries, prices, timeout } = plan;
  const model = compose(
    question.model,
    ...question.budgets.map((one) => budget(one, { prices })),
    retry({ retries, onRetry: (notice) => question.onRetry(notice) }),
    heldAnswer((text) => question.onText(text)),
  );
  const { temperature, maxOutputTokens } = seat;
  const request = { messages, signal, timeout, ...defined({ temperature, maxOutputTokens }) };
  if (!schema) {
    const { text, usage, finishReason, rawFinishReason } = await model.generate(request);
    return { text, usage, finishReason, ...defined({ rawFinishReason }) };
  }
  const { object, usage, result } = await generateObject(model, request, { schema });
  return { text: JSON.stringify(object), usage, finishReason: result.finishReason };
}

/** Why nothing came that can be used, if it is such an error: what came is in its `partial`. */
export function isMisfit(error: unknown): error is LLMError {
  return LLMError.isInstance(error) && error.code === 'output_parse';
}
