import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatRequest, LLMError, type LLMErrorCode, textOf } from '@vizprompt/providers';
import { nearestName } from '@vizprompt/providers/config';
import type { Middleware } from '@vizprompt/providers/middleware';
import { type ScriptedAnswer, scriptedModel } from '@vizprompt/providers/testing';
import type { ModelCallPlace } from '../calls/ask-agent.ts';

/** A failure of calls, before any answer. */
export interface SimulatedFailure {
  /** The id of a step or an agent. Default: every one. */
  readonly at?: string | undefined;
  /** Default: `'rate_limit'`. */
  readonly code?: LLMErrorCode | undefined;
  /** The first calls of each place that fail. Default: 1, or all that are drawn where there is a `share`. */
  readonly times?: number | undefined;
  /** The share of calls that fail, from 0 to 1, drawn by the seed. Default: 1. */
  readonly share?: number | undefined;
  /** The wait that the server asks for, in milliseconds. Default: none. */
  readonly retryAfterMs?: number | undefined;
}

/** How models behave in a test. */
export interface Simulation {
  /** Milliseconds before an answer begins, or the least and the most of them. Default: 0. */
  readonly latencyMs?: number | readonly [least: number, most: number] | undefined;
  /** The first one that fits a call. */
  readonly failures?: readonly SimulatedFailure[] | undefined;
  /** The same seed gives the same latencies and failures, in whatever order parallel calls are made. Default: 1. */
  readonly seed?: number | undefined;
}

/** Returns a layer that makes calls late, and lets some fail. */
export function simulating(
  { latencyMs = 0, failures = [], seed = 1 }: Simulation,
  log: CallLog,
): (path: string) => Middleware {
  return (path) => ({
    name: 'simulation',
    async *stream(request, next, { provider, modelId }) {
      const call = log.current(path);
      const draw = (what: string): number => drawn(`${seed}/${path}/${call?.attempt ?? 0}/${what}`);
      const [least, most] = typeof latencyMs === 'number' ? [latencyMs, latencyMs] : latencyMs;
      const ms = least + draw('latency') * (most - least);
      if (ms > 0) await pause(ms, request.signal);
      const failure = failures.find(
        (one, at) => call && fits(one, call) && draw(`failure ${at}`) < (one.share ?? 1),
      );
      if (failure) throw errorOf(failure, { provider, modelId });
      yield* next(request);
    },
  });
}

function fits(
  { at, times, share }: SimulatedFailure,
  { stepId, agent, attempt }: TestCall,
): boolean {
  const most = times ?? (share === undefined ? 1 : Infinity);
  return attempt <= most && (at === undefined || at === stepId || at === agent);
}

function errorOf(
  { code = 'rate_limit', retryAfterMs }: SimulatedFailure,
  model: { readonly provider: string; readonly modelId: string },
): LLMError {
  return new LLMError(code, `${model.provider} model '${model.modelId}': simulated ${code}`, {
    ...model,
    ...(code === 'rate_limit' ? { status: 429 } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (cause) {
    throw new LLMError('aborted', 'the call was aborted', { cause });
  }
}

/** Returns a number from 0 to below 1 that depends on nothing but the text. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

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

/** The answers at one place: in the order of the calls there, always the same, or by a function. */
export type PlaceAnswers =
  | ScriptedAnswer
  | { readonly inOrder: readonly ScriptedAnswer[] }
  | ((call: TestCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

/**
 * The answers of models: by the id of a step or an agent, or by `step/agent`, the most exact one first; or one
 * function for all calls.
 */
export type Answers =
  | Readonly<Record<string, PlaceAnswers>>
  | ((call: TestCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** Returns a layer that answers instead of the model. */
export function answering(answers: Answers, log: CallLog): (path: string) => Middleware {
  const told = new Map<string, number>();
  return (path) => ({
    name: 'answers',
    stream(request, _next, { provider, modelId, capabilities }) {
      const call = log.current(path);
      const script = async (): Promise<ScriptedAnswer> => {
        if (!call) throw new Error(`there is no call at '${path}'`);
        return typeof answers === 'function' ? answers(call) : answerOf(answers, call, told);
      };
      return scriptedModel(script, { provider, modelId, capabilities }).stream(request);
    },
  });
}

async function answerOf(
  answers: Readonly<Record<string, PlaceAnswers>>,
  call: TestCall,
  told: Map<string, number>,
): Promise<ScriptedAnswer> {
  const { stepId, agent, prompt } = call;
  const keys = [`${stepId}/${agent}`, stepId, agent];
  const key = keys.find((name) => Object.hasOwn(answers, name));
  const given = key === undefined ? undefined : answers[key];
  if (key === undefined || given === undefined) {
    const short = prompt.length > 200 ? `${prompt.slice(0, 200).toWellFormed()}…` : prompt;
    const names = Object.keys(answers);
    const nearest = keys.map((name) => nearestName(name, names)).find((name) => name);
    const hint = nearest === undefined ? '' : ` (is it '${nearest}' of the answers?)`;
    throw noAnswer(
      `no answer for the step '${stepId}' or the agent '${agent}'${hint}, which was asked: ${short}`,
    );
  }
  if (typeof given === 'function') return given(call);
  if (typeof given !== 'object' || !('inOrder' in given)) return given;
  const number = told.get(key) ?? 0;
  told.set(key, number + 1);
  const answer = given.inOrder[number];
  if (answer !== undefined) return answer;
  throw noAnswer(`'${key}' has ${given.inOrder.length} answers, and was asked once more`);
}

function noAnswer(message: string): LLMError {
  return new LLMError('invalid_request', message);
}
