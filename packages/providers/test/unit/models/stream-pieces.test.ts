import { describe, expect, it } from 'vitest';
import { EventBody, LineBody } from '../../../src/adapter-kit/stream-body.ts';
import { ModelStream } from '../../../src/adapter-kit/define-model.ts';
import { LLMError } from '../../../src/models/llm-error.ts';
import type { ChatEvent } from '../../../src/models/events.ts';

const frames = Array.from({ length: 400 }, (_, at) => `data: {"text":"猫は${at}匹🐈"}\n\n`);
const bytes = new TextEncoder().encode(frames.join(''));

/** Gives a text in pieces of a size, whatever is at their ends. */
function bodyOf(size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

/** Gives a text cut in two at a byte. */
function cutAt(text: string, at: number): ReadableStream<Uint8Array> {
  const whole = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (const piece of [whole.slice(0, at), whole.slice(at)])
        if (piece.length > 0) controller.enqueue(piece);
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

/** Errors in forms that SDKs do not know, and the error that they are. */
const errors: readonly (readonly [form: string, frame: string])[] = [
  ['a name and JSON', 'event: error\ndata: {"message":"猫"}\n\n'],
  ['a name and words', 'event: error\ndata: 猫\n\n'],
  ['a comment between', 'id:1\nevent:error\n:HTTP_STATUS/400\ndata:{"message":"猫"}\n\n'],
  ['CRLF', 'event: error\r\ndata: {"message":"猫"}\r\n\r\n'],
  ['no end', 'event: error\ndata: {"message":"猫"}'],
  ['no empty line', 'event: error\ndata: {"message":"猫"}\n'],
  ['a field of its own', 'error: {"message":"猫"}\n\n'],
  ['a field of its own and no empty line', 'error: {"message":"猫"}\n'],
  ['a field of its own with words, and no empty line', 'error: 猫\n'],
];

describe.each(errors)('an error in a stream, %s', (_, frame) => {
  it.each([
    ['after others', 'data: {"text":"犬"}\n\n'],
    ['as the first', ''],
  ])('is the same wherever it is cut, %s', async (_place, before) => {
    const text = `${before}${frame}`;
    for (let at = 0; at <= Buffer.byteLength(text); at++) {
      const said = (await piecesOf(new EventBody(cutAt(text, at), 200))).join('');
      expect(said.startsWith(before)).toBe(true);
      // Lines after the last empty line are no event.
      const data = said
        .slice(before.length)
        .split(/\r?\n\r?\n/)
        .slice(0, -1)
        .flatMap((event) => event.split(/\r?\n/))
        .filter((line) => line.startsWith('data:'));
      const values = data.map((line): unknown => JSON.parse(line.slice('data:'.length)));
      expect(values).toMatchObject([{ error: { message: '猫' } }]);
    }
  });

  it('has a name where events have names, wherever it is cut', async () => {
    const before = 'event: ping\ndata: {"type":"ping"}\n\n';
    const unnamed = frame.includes('event') ? 'data: {"type":"error","error":"猫"}\n\n' : frame;
    const text = `${before}${unnamed}`;
    for (let at = 0; at <= Buffer.byteLength(text); at++) {
      const said = (await piecesOf(new EventBody(cutAt(text, at), 200, true))).join('');
      expect(said).toMatch(
        /^event: ping\ndata: \{"type":"ping"\}\n\n(?:event: error\n)+data: .*猫.*\n\n/,
      );
    }
  });
});

it.each([
  ['null in an event', 'event: delta\ndata: {"error":null,"type":"delta"}\n\n'],
  ['a field of an event', 'event: delta\ndata: {"error":{"a":"猫"},"type":"delta"}\n\n'],
  ['an id between', 'event: delta\nid: 1\ndata: {"error":{"a":"猫"}}\n\n'],
  ['CRLF', 'event: delta\r\ndata: {"error":{"a":"猫"}}\r\n\r\n'],
])('%s is no error of a named stream, wherever it is cut', async (_, frame) => {
  const text = `event: ping\ndata: {"type":"ping"}\n\n${frame}${frame}`;
  for (let at = 0; at <= Buffer.byteLength(text); at++)
    expect((await piecesOf(new EventBody(cutAt(text, at), 200, true))).join('')).toBe(text);
});

it('null in an event without a name is no error', async () => {
  const text = 'data: {"error":null,"type":"delta"}\n\n';
  const said = await piecesOf(new EventBody(cutAt(text, 0), 200, true));
  expect(said.join('')).toBe(`event: delta\n${text}`);
});

it('an error without an end is not held for ever', async () => {
  const line = new TextEncoder().encode(`data: ${'x'.repeat(94)}\n`);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === 2000) controller.close();
        else controller.enqueue(sent++ === 0 ? new TextEncoder().encode('event: error\n') : line);
      },
    },
    { highWaterMark: 0 },
  );
  const reader = new EventBody(body, 200).getReader();
  let given = await reader.read();
  while (given.value?.length === 0) given = await reader.read();
  expect(new TextDecoder().decode(given.value)).toMatch(/^data: \{"error":\{"message":"xxx/);
  expect(sent * line.length).toBeLessThan(2 * 65_536);
  await reader.cancel();
});

it('events after a long preamble are read', async () => {
  const preamble = `${'proxy ready '.repeat(8)}\n`.repeat(40);
  const text = `${preamble}data: {"text":"猫"}\n\n`;
  for (const at of [0, 1000, preamble.length])
    expect((await piecesOf(new EventBody(cutAt(text, at), 200))).join('')).toBe(text);
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

  it('fails with the error itself where that cannot be explained', async () => {
    const stream = new ModelStream(
      {
        explain() {
          throw new TypeError('no words');
        },
        async *call() {
          yield [delta('a')];
          throw new RangeError('odd');
        },
      },
      { messages: [] },
    );
    await stream.next();
    await expect(stream.next()).rejects.toThrow('odd');
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
