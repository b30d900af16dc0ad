import { getEventListeners } from 'node:events';
import {
  LLMError,
  textMessage,
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  collectChat,
} from '@vizprompt/providers';
import { onTestFinished, vi } from 'vitest';

export function ask(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [textMessage('user', text)], ...more };
}

export const request: ChatRequest = ask('猫ですか');

export async function eventsOf(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Returns the error that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<LLMError> {
  const error: unknown = await call.then(
    () => new Error('expected the call to fail'),
    (thrown: unknown) => thrown,
  );
  if (LLMError.isInstance(error)) return error;
  throw error;
}

/** How long something takes in virtual time, in milliseconds. */
export async function timeOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work.catch(() => undefined);
  return performance.now() - start;
}

/**
 * Lets time pass only while everything waits for a timer, and then at once, until the test ends: what
 * the clock says does not depend on the machine.
 */
export function useVirtualTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
  onTestFinished(() => void vi.useRealTimers());
}

export const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

export const listenersOf = (signal: AbortSignal): number =>
  getEventListeners(signal, 'abort').length;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Returns a model that streams the given events and notes when its reader leaves. */
export function streaming(
  stream: (request: ChatRequest) => AsyncIterable<ChatEvent>,
  identity: { provider?: string; modelId?: string } = {},
): ChatModel & { readonly calls: ChatRequest[]; open: number; closed: number } {
  const model = {
    specVersion: 1 as const,
    provider: identity.provider ?? 'stub',
    modelId: identity.modelId ?? 'stub-1',
    capabilities: { tools: true },
    calls: [] as ChatRequest[],
    open: 0,
    closed: 0,
    async *stream(asked: ChatRequest): AsyncGenerator<ChatEvent> {
      model.calls.push(asked);
      model.open++;
      try {
        yield* stream(asked);
      } finally {
        model.open--;
        model.closed++;
      }
    },
    generate: (asked: ChatRequest) => collectChat(model.stream(asked)),
  };
  return model;
}

export async function* words(...texts: readonly string[]): AsyncGenerator<ChatEvent> {
  yield { type: 'start', model: 'stub-1', warnings: [] };
  for (const text of texts) yield { type: 'text-delta', index: 0, text };
  yield { type: 'part', index: 0, part: { type: 'text', text: texts.join('') } };
  yield { type: 'finish', reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } };
}
