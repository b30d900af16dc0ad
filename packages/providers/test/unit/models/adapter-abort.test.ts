import { getEventListeners, setMaxListeners } from 'node:events';
import { LLMError, textMessage } from '@vizprompt/providers';
import type { Fault } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { adapters, fakeServer, listenToConsole, until } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', '長い話をして')] };

const phases: readonly (readonly [name: string, fault: Fault, hasOutput: boolean])[] = [
  ['before the headers', { type: 'stall-before-headers' }, false],
  ['before the first content', { type: 'stall', afterChunks: 0 }, false],
  ['in the middle', { type: 'stall', afterChunks: 2 }, true],
];

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

describe.each(Object.entries(adapters))('%s', (_, adapter) => {
  it.each(phases)('stops within 100 ms when aborted %s', async (_name, fault, hasOutput) => {
    const spies = listenToConsole();
    const llm = await fakeServer();
    llm.fail(fault);
    const model = adapter.model(llm.url);
    const before = timers();
    const controller = new AbortController();
    const calling = model.generate({ ...request, signal: controller.signal });
    calling.catch(() => undefined);
    await until(() => llm.requests.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const start = performance.now();
    controller.abort(new Error('told to'));
    const error: unknown = await calling.catch((thrown: unknown) => thrown);
    expect(performance.now() - start).toBeLessThan(100);
    if (!LLMError.isInstance(error)) throw error;
    expect(error).toMatchObject({ code: 'aborted', isRetryable: false, outputStarted: hasOutput });
    expect(error.cause).toMatchObject({ message: 'told to' });
    expect(error.partial?.usage).toMatchObject({
      estimated: true,
      inputTokens: expect.any(Number),
    });
    await until(() => llm.openSockets === 0 && timers() <= before);
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
    const start = performance.now();
    const calling = adapter.model(llm.url).generate({ ...request, timeout: { [limit]: 120 } });
    await expect(calling).rejects.toMatchObject({ code: 'timeout', isRetryable: true });
    await expect(calling).rejects.toThrow(`timeout.${limit}`);
    expect(performance.now() - start).toBeLessThan(1000);
    await until(() => llm.openSockets === 0);
  });

  it('does not take the time of the reader for silence of the server', async () => {
    const llm = await fakeServer({ chunkDelayMs: 5 });
    let text = '';
    for await (const event of adapter
      .model(llm.url)
      .stream({ ...request, timeout: { idleMs: 60 } })) {
      if (event.type === 'text-delta' && text === '') {
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      if (event.type === 'text-delta') text += event.text;
    }
    expect(text.length).toBeGreaterThan(0);
  });

  it('leaves nothing on a signal that many calls share, nor when the reader leaves', async () => {
    const llm = await fakeServer();
    const model = adapter.model(llm.url);
    const controller = new AbortController();
    for (let call = 0; call < 12; call++) {
      await model.generate({ ...request, signal: controller.signal });
      for await (const event of model.stream({ ...request, signal: controller.signal })) {
        if (event.type === 'text-delta') break;
      }
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
