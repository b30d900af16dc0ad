import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { HeldInput, type RpcTransport } from '@vizprompt/providers/serving';
import { describe, expect, it } from 'vitest';

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** Creates a server that records its requests, and answers on demand. It gave small answers before: four requests are open. */
async function server(output?: PassThrough) {
  const made = newServer(output);
  for (let id = -4; id < 0; id++) await made.answer(id);
  return made;
}

/** Creates a server that records its requests, and answers on demand. */
function newServer(output?: PassThrough) {
  const input = new PassThrough();
  const held = new HeldInput(input, { output, patienceMs: 60_000 });
  const asked: Message[] = [];
  const transport: RpcTransport<Message> = {
    onmessage: (message) => asked.push(message),
    send: async () => {},
  };
  held.follow(transport);
  let rest = '';
  held.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) transport.onmessage?.(JSON.parse(line));
  });
  return { input, held, asked, answer: (id: number) => transport.send({ id }) };
}

const requests = (count: number): string =>
  Array.from({ length: count }, (_, id) => `${JSON.stringify({ id, method: 'read' })}\n`).join('');

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

describe('the input of a server on standard input', () => {
  it('takes one request at a time at first, and more with each answer but the first', async () => {
    const { input, held, asked, answer } = newServer();
    input.write(requests(100));
    const open: number[] = [];
    for (let id = 0; id < 20; id++) {
      await settle();
      open.push(asked.length - id);
      await answer(id);
    }
    expect(open).toEqual([1, 1, ...Array.from({ length: 15 }, (_, at) => at + 2), 16, 16, 16]);
    held.destroy();
  });

  it('takes few requests at a time, and the next when one is answered', async () => {
    const { input, held, asked, answer } = await server();
    input.write(requests(100));
    await settle();
    expect(asked.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    await answer(3);
    await settle();
    expect(asked).toHaveLength(6);
    for (let id = 0; id < 20; id++) {
      await answer(id);
      await settle();
    }
    expect(asked).toHaveLength(20 + 16);
    for (let id = 0; id < 100; id++) {
      await answer(id);
      await settle();
    }
    expect(asked.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    held.destroy();
  });

  it('takes notifications, answers and pings while requests wait, in any pieces', async () => {
    const { input, held, asked, answer } = await server();
    input.write(requests(6));
    await settle();
    const text =
      '{"id":7,"result":{}}\n{"method":"notifications/x","params":{}}\n{"id":8,"method":"ping"}\n';
    for (let at = 0; at < text.length; at += 9) {
      input.write(text.slice(at, at + 9));
      await settle();
    }
    expect(asked.map(({ id }) => id)).toEqual([0, 1, 2, 3, 7, undefined, 8]);
    for (const id of [8, 0, 1]) await answer(id);
    await settle();
    expect(asked.slice(7).map(({ id }) => id)).toEqual([4, 5]);
    held.destroy();
  });

  it('lets a cancellation make room, and drops a request that waits for it', async () => {
    const { input, held, asked } = await server();
    input.write(requests(7));
    for (const requestId of [5, 1])
      input.write(`{"method":"notifications/cancelled","params":{"requestId":${requestId}}}\n`);
    await settle();
    expect(asked.map(({ id }) => id)).toEqual([0, 1, 2, 3, undefined, undefined, 4]);
    input.write('{"method":"notifications/cancelled","params":{"requestId":2}}\n');
    await settle();
    expect(asked.slice(7).map(({ id }) => id)).toEqual([undefined, 6]);
    held.destroy();
  });

  it('reads no more than some that wait, and passes long lines on whole', async () => {
    const { input, held, asked, answer } = await server();
    const long = JSON.stringify({ id: 4, method: 'read', params: 'x'.repeat(3 << 20) });
    input.write(requests(4));
    for (let at = 0; at < long.length; at += 1 << 16) input.write(long.slice(at, at + (1 << 16)));
    input.write('\n{"id":5,"result":{}}\n');
    await settle();
    expect(asked).toHaveLength(4);
    const unread = input.writableLength + input.readableLength + held.writableLength;
    expect(unread).toBeGreaterThan(1 << 20);
    await answer(0);
    await settle();
    expect(asked.slice(4)).toEqual([JSON.parse(long), { id: 5, result: {} }]);
    held.destroy();
  });

  it('takes what passes again once few enough wait', async () => {
    const { input, held, asked, answer } = await server();
    input.write(requests(70));
    input.write('{"id":100,"result":{}}\n');
    await settle();
    expect(asked).toHaveLength(4);
    await answer(0);
    await settle();
    expect(asked.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 100]);
    held.destroy();
  });

  it('takes no ping while its client does not read', async () => {
    const output = new PassThrough({ highWaterMark: 1000 });
    const { input, held, asked } = await server(output);
    output.write('x'.repeat(3 << 20));
    output.write('x'.repeat(3 << 20));
    input.write('{"id":0,"method":"ping"}\n');
    await settle();
    expect(asked).toEqual([]);
    output.resume();
    await settle();
    expect(asked).toHaveLength(1);
    held.destroy();
  });

  it.each([
    [2 << 20, 1, 2],
    [300_000, 3, 5],
    [100_000, 5, 7],
  ])('takes as many at a time as fit, after an answer of %i bytes', async (size, open, next) => {
    const output = new PassThrough({ highWaterMark: 1000 });
    const { input, held, asked, answer } = await server(output);
    output.write('x');
    output.write('x'.repeat(size - output.writableLength));
    await answer(-1);
    output.resume();
    await settle();
    input.write(requests(20));
    await settle();
    expect(asked).toHaveLength(open);
    await answer(0);
    await settle();
    expect(asked).toHaveLength(next);
    held.destroy();
  });

  it('lets go of an answer when it is written', async () => {
    const output = new PassThrough();
    const held = new HeldInput(new PassThrough(), { output });
    const texts: string[] = [];
    const sent: object[] = [];
    const transport: RpcTransport<{ id: number; result: object }> = {
      send: async (message) => {
        texts.push(JSON.stringify(message));
        sent.push(message.result);
      },
    };
    held.follow(transport);
    const result = { text: '長い' };
    await transport.send({ id: 1, result });
    expect(texts).toEqual(['{"id":1,"result":{"text":"長い"}}']);
    expect(JSON.stringify(sent)).toBe('[null]');
    held.destroy();
  });

  it('takes none while its client does not read', async () => {
    const output = new PassThrough({ highWaterMark: 1000 });
    const { input, held, asked } = await server(output);
    output.write('x'.repeat(3 << 20));
    output.write('x'.repeat(3 << 20));
    input.write(requests(3));
    await settle();
    expect(asked).toEqual([]);
    output.resume();
    await settle();
    expect(asked).toHaveLength(3);
    held.destroy();
  });

  it('gives all lines that came before its end, in any pieces, and ends', async () => {
    const { input, held, asked, answer } = await server();
    const text = `${requests(40)}{"id":40,"method":"read"}`;
    for (let at = 0; at < text.length; at += 7) input.write(text.slice(at, at + 7));
    input.end();
    const ended = once(held, 'end');
    for (let id = 0; id <= 40; id++) {
      await settle();
      await answer(id);
    }
    await ended;
    expect(asked.map(({ id }) => id)).toEqual(Array.from({ length: 41 }, (_, id) => id));
  });
});
