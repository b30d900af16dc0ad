import { type ChatRequest, textOf } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';
import type { ModelCallPlace } from '../calls/ask-agent.ts';

/** A call of a model in a tested run, retries and repairs included. */
export interface TestCall extends ModelCallPlace {
  /** `provider:model`. */
  readonly model: string;
  /** The system prompt. */
  readonly system: string;
  /** The text of the last message: the prompt, or what was wrong with the answer before. */
  readonly prompt: string;
  readonly request: ChatRequest;
  /** Which call of this place it is, from 1. */
  readonly attempt: number;
  /** As far as it came. */
  readonly answer: string;
  /** The error of the call. */
  readonly error?: unknown;
}

type Open = { -readonly [Key in keyof TestCall]: TestCall[Key] };

/** Keeps calls, in the order in which they began. */
export class CallLog {
  readonly #calls: Open[] = [];
  readonly #byPath = new Map<string, Open[]>();

  get calls(): readonly TestCall[] {
    return this.#calls;
  }

  /** The call that is made at a place now. */
  current(path: string): TestCall | undefined {
    return this.#byPath.get(path)?.at(-1);
  }

  /** Returns a layer that keeps what passes. */
  layer(place: ModelCallPlace): Middleware {
    const calls = this.#calls;
    const here = this.#byPath.get(place.path) ?? [];
    this.#byPath.set(place.path, here);
    return {
      name: 'call-log',
      async *stream(request, next, { provider, modelId }) {
        const { messages } = request;
        const system = messages.filter(({ role }) => role === 'system');
        const last = messages.at(-1);
        const call: Open = {
          ...place,
          model: `${provider}:${modelId}`,
          system: system.map((message) => textOf(message)).join('\n'),
          prompt: last ? textOf(last) : '',
          request,
          attempt: here.length + 1,
          answer: '',
        };
        calls.push(call);
        here.push(call);
        try {
          for await (const event of next(request)) {
            if (event.type === 'text-delta') call.answer += event.text;
            yield event;
          }
        } catch (error) {
          call.error = error;
          throw error;
        }
      },
    };
  }
}
