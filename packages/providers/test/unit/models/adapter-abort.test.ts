import { createHook } from 'node:async_hooks';
import { getEventListeners, setMaxListeners } from 'node:events';
import { LLMError, textMessage } from '@vizprompt/providers';
import type { Fault } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  adapters,
  fakeServer,
  letTimePass,
  listenToConsole,
  stopTime,
  until,
} from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', '長い話をして')] };

const phases: readonly (readonly [name: string, fault: Fault, hasOutput: boolean])[] = [
  ['before the headers', { type: 'stall-before-headers' }, false],
  ['before the first content', { type: 'stall', afterChunks: 0 }, false],
  ['in the middle', { type: 'stall', afterChunks: 2 }, true],
];

/** Collects the timers that are set until `end` is called; `left` are those that still keep the process alive. */
function watchTimers(): { end(): void; left(): number } {
  const timers = new Map<number, NodeJS.Timeout>();
  let isCollecting = true;
  const hook = createHook({
    init(id, type, _trigger, resource) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's name of this type
      if (isCollecting && type === 'Timeout') timers.set(id, resource as NodeJS.Timeout);
    },
    destroy: (id) => void timers.delete(id),
  }).enable();
  onTestFinished(() => void hook.disable());
  return {
    end: () => void (isCollecting = false),
    left: () => [...timers.values()].filter((timer) => timer.hasRef()).length,
  };
}

describe.each(Object.entries(adapters))('%s', (_, adapter) => {
  it.each(phases)('stops when aborted %s', async (_name, fault, hasOutput) => {
    const spies = listenToConsole();
    const llm = await fakeServer();
    llm.fail(fault);
    const model = adapter.model(llm.url);
    const timers = watchTimers();
    const controller = new AbortController();
    let hasContent = false;
    const failing = (async () => {
      for await (const { type } of model.stream({ ...request, signal: controller.signal })) {
        hasContent ||= type === 'text-delta';
      }
      return undefined;
    })().catch((thrown: unknown) => thrown);
    await until(() => llm.requests.length === 1 && hasContent === hasOutput);
    controller.abort(new Error('told to'));
    const error = await failing;
    timers.end();
    if (!LLMError.isInstance(error)) throw error;
    expect(error).toMatchObject({ code: 'aborted', isRetryable: false, outputStarted: hasOutput });
    expect(error.cause).toMatchObject({ message: 'told to' });
    expect(error.partial?.usage).toMatchObject({
      estimated: true,
      inputTokens: expect.any(Number),
    });
    await until(() => llm.openSockets === 0 && timers.left() === 0);
    expect(llm.requests[0]?.isClosedEarly).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it.each([
    ['totalMs', { type: 'stall-before-headers' }],
    ['firstByteMs', { type: 'stall-before-headers' }],
    ['idleMs', { type: 'stall', afterChunks: 1 }],
    ['totalMs', { type: 'stall', afterChunks: 1 }],
  ] as const)('keeps the limit %s (%o)', async (limit, fault) => {
    const llm = await fakeServer();
    llm.fail(fault);
    stopTime();
    const calling = adapter.model(llm.url).generate({ ...request, timeout: { [limit]: 10_000 } });
    await until(() => llm.requests.length === 1);
    await letTimePass(calling);
    await expect(calling).rejects.toMatchObject({ code: 'timeout', isRetryable: true });
    await expect(calling).rejects.toThrow(`timeout.${limit}`);
    await until(() => llm.openSockets === 0);
  });

  it('does not take the time of the reader for silence of the server', async () => {
    const llm = await fakeServer({ chunkDelayMs: 5 });
    stopTime();
    let text = '';
    for await (const event of adapter
      .model(llm.url)
      .stream({ ...request, timeout: { idleMs: 60 } })) {
      if (event.type === 'text-delta' && text === '') vi.advanceTimersByTime(150);
      if (event.type === 'text-delta') text += event.text;
    }
    expect(text.length).toBeGreaterThan(0);
  });

  it('leaves nothing on a signal that many calls share, nor when the reader leaves', async () => {
    const llm = await fakeServer();
    const model = adapter.model(llm.url);
    const controller = new AbortController();
    await model.generate({ ...request, signal: controller.signal });
    for await (const event of model.stream({ ...request, signal: controller.signal })) {
      if (event.type === 'text-delta') break;
    }
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await until(() => llm.openSockets === 0);
  });

  it('takes a signal that may have any number of listeners', async () => {
    const llm = await fakeServer({ answer: 'はい' });
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    const { text } = await adapter.model(llm.url).generate({ ...request, signal });
    expect(text).toBe('はい');
  });
});
