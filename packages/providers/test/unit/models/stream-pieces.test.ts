import { describe, expect, it } from 'vitest';
import { EventBody, LineBody } from '../../../src/adapter-kit/stream-body.ts';
import { ModelStream } from '../../../src/adapter-kit/model-stream.ts';
import { LLMError } from '../../../src/models/llm-error.ts';
import type { ChatEvent } from '../../../src/models/events.ts';

const frames = Array.from({ length: 400 }, (_, at) => `data: {"text":"猫は${at}匹🐈"}\n\n`);
const bytes = new TextEncoder().encode(frames.join(''));

/** Gives a text in pieces of a size, whatever stands at their ends. */
function bodyOf(size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

async function piecesOf(body: LineBody): Promise<string[]> {
  const reader = body.getReader();
  const pieces: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    pieces.push(new TextDecoder('utf-8', { fatal: true }).decode(value));
  }
}

describe.each([
  ['lines', (body: ReadableStream<Uint8Array>) => new LineBody(body)],
  ['events', (body: ReadableStream<Uint8Array>) => new EventBody(body, 200)],
])('a body of %s', (_, bodyAs) => {
  it.each([7, 1000, 65_536])(
    'gives whole lines in small parts, of pieces of %i bytes',
    async (size) => {
      const pieces = await piecesOf(bodyAs(bodyOf(size)));
      expect(pieces.join('')).toBe(frames.join(''));
      for (const piece of pieces) expect(piece).toMatch(/\n$/);
      const longest = Math.max(...pieces.map((piece) => Buffer.byteLength(piece)));
      expect(longest).toBeLessThan(2048 + 64);
    },
  );
});

describe('a stream of events', () => {
  const explain = (error: unknown): LLMError =>
    error instanceof LLMError ? error : new LLMError('bad_response', 'no', { cause: error });
  const delta = (text: string): ChatEvent => ({ type: 'text-delta', index: 0, text });
  const finish: ChatEvent = { type: 'finish', reason: 'stop', usage: {} };

  it('answers readers that ask for several events at once, in order', async () => {
    const stream = new ModelStream(
      {
        explain,
        async *call() {
          yield [delta('a')];
          yield [];
          yield [delta('b'), delta('c')];
          yield [finish];
        },
      },
      { messages: [] },
    );
    const steps = await Promise.all(Array.from({ length: 6 }, () => stream.next()));
    const values = steps.map(({ value }) => value);
    expect(values).toEqual([delta('a'), delta('b'), delta('c'), finish, undefined, undefined]);
  });

  it('fails once where it was aborted before it began, and sends nothing', async () => {
    let calls = 0;
    const stream = new ModelStream(
      {
        explain,
        async *call() {
          calls++;
          yield [finish];
        },
      },
      { messages: [], signal: AbortSignal.abort() },
    );
    const [first, second] = await Promise.allSettled([stream.next(), stream.next()]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } });
    expect(second).toEqual({ status: 'fulfilled', value: { done: true, value: undefined } });
    expect(calls).toBe(0);
  });

  it('fails once where a call throws at once', async () => {
    const stream = new ModelStream(
      {
        explain,
        call() {
          throw new Error('no such model');
        },
      },
      { messages: [] },
    );
    const [first, second] = await Promise.allSettled([stream.next(), stream.next()]);
    expect(first).toMatchObject({ status: 'rejected' });
    expect(second).toEqual({ status: 'fulfilled', value: { done: true, value: undefined } });
  });
});
