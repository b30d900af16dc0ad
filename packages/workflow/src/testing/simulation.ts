import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LLMError, type LLMErrorCode } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';
import type { CallLog, TestCall } from './test-call.ts';

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
