import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { HeldInput, type RpcTransport } from '@vizprompt/providers/serving';
import { describe, expect, it, onTestFinished } from 'vitest';

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** Creates a server that records its requests, and answers on demand. */
function server(output?: PassThrough) {
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
  const answer = (id: number): Promise<void> => transport.send({ id });
  return { input, held, asked, answer, transport };
}

const requests = (count: number): string =>
  Array.from({ length: count }, (_, id) => `${JSON.stringify({ id, method: 'read' })}\n`).join('');

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

describe('the input of a server on standard input', () => {
  it('takes few requests at a time, and the next when one is answered', async () => {
    const { input, held, asked, answer } = server();
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
    const { input, held, asked, answer } = server();
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
    const { input, held, asked } = server();
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
    const { input, held, asked, answer } = server();
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
    const { input, held, asked, answer } = server();
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
    const { input, held, asked } = server(output);
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

  it('takes few at a time after an answer that is large, until answers are small again', async () => {
    const output = new PassThrough({ highWaterMark: 1000 });
    const { input, held, asked, answer } = server(output);
    input.write(requests(20));
    await settle();
    expect(asked).toHaveLength(4);
    output.write('x'.repeat(100_000));
    for (let id = 0; id < 4; id++) await answer(id);
    output.resume();
    await settle();
    expect(asked).toHaveLength(8);
    await answer(4);
    await settle();
    expect(asked).toHaveLength(10);
    held.destroy();
  });

  it.each([2000, 100_000, 2 << 20])(
    'takes one at a time while %i bytes of answers are unread, and as many as before after that',
    async (size) => {
      const output = new PassThrough({ highWaterMark: 1000 });
      const { input, held, asked, answer } = server(output);
      output.write('x'.repeat(1001));
      output.write('x'.repeat(size));
      const most = size > 1 << 20 ? 0 : 1;
      input.write(requests(20));
      await settle();
      expect(asked).toHaveLength(most);
      for (let id = 0; id < most; id++) await answer(id);
      await settle();
      expect(asked).toHaveLength(most * 2);
      output.resume();
      await settle();
      // An answer with little unread data allows one more.
      expect(asked).toHaveLength(most + (size > 1 << 16 ? 4 : 5));
      held.destroy();
    },
  );

  it('counts answers alone as answers', async () => {
    const { input, held, asked, transport } = server();
    for (let at = 0; at < 20; at++) await transport.send({ method: 'notifications/progress' });
    input.write(requests(20));
    await settle();
    expect(asked).toHaveLength(4);
    held.destroy();
  });

  describe('while the server waits for an answer of its client', () => {
    /** The message that ends it, and its sender. */
    it.each([
      ['an answer', 'client', { id: 50, result: {} }],
      ['an error', 'client', { id: 50, error: {} }],
      [
        'a cancellation',
        'server',
        { method: 'notifications/cancelled', params: { requestId: 50 } },
      ],
    ])('takes one request more, until %s comes', async (_, by, end) => {
      const { input, held, asked, answer, transport } = server();
      const reads = (): number => asked.filter(({ method }) => method === 'read').length;
      input.write(requests(20));
      await settle();
      expect(reads()).toBe(4);
      await transport.send({ id: 50, method: 'sampling/createMessage' });
      await settle();
      expect(reads()).toBe(5);
      if (by === 'client') input.write(`${JSON.stringify(end)}\n`);
      else await transport.send(end);
      await settle();
      // Each answer allows one more.
      for (let id = 0; id < 2; id++) await answer(id);
      await settle();
      expect(reads()).toBe(2 + 6);
      held.destroy();
    });

    it('takes what the client needs, after a large answer and with another unread', async () => {
      const output = new PassThrough({ highWaterMark: 1000 });
      const { input, held, asked, answer, transport } = server(output);
      output.write('x'.repeat(2000));
      output.write('x'.repeat(100_000));
      await answer(-1);
      input.write(requests(3));
      await settle();
      expect(asked).toHaveLength(1);
      await transport.send({ id: 0, method: 'sampling/createMessage' });
      await settle();
      expect(asked).toHaveLength(2);
      await transport.send({ id: 1, method: 'elicitation/create' });
      await settle();
      expect(asked).toHaveLength(3);
      held.destroy();
    });

    it('takes no more than 32 requests', async () => {
      const { input, held, asked, transport } = server();
      for (let id = 100; id < 200; id++) await transport.send({ id, method: 'roots/list' });
      input.write(requests(60));
      await settle();
      expect(asked).toHaveLength(32);
      held.destroy();
    });

    it('takes as many as before once all requests are answered', async () => {
      const { input, held, asked, answer, transport } = server();
      input.write(requests(1));
      await settle();
      for (let id = 100; id < 103; id++) await transport.send({ id, method: 'roots/list' });
      await answer(0);
      input.write(requests(20));
      await settle();
      expect(asked).toHaveLength(1 + 5);
      held.destroy();
    });
  });

  describe('of a transport that writes JSON', () => {
    interface Answer {
      readonly id: number;
      readonly result: unknown;
    }

    /** Follows a transport that writes to an output with unread data, and never comes to the end of it. */
    function writer(send: (message: Answer) => Promise<void>) {
      const output = new PassThrough();
      output.write('x'.repeat(100_000));
      output.write('x');
      const held = new HeldInput(new PassThrough(), { output });
      const errors: Error[] = [];
      const transport: RpcTransport<Answer> = { send, onerror: (error) => errors.push(error) };
      held.follow(transport);
      onTestFinished(() => void held.destroy());
      return { transport, errors };
    }

    it('lets go of an answer when it is written', async () => {
      const texts: string[] = [];
      const sent: unknown[] = [];
      const { transport } = writer(async (message) => {
        texts.push(JSON.stringify(message));
        sent.push(message.result);
      });
      await transport.send({ id: 1, result: { text: '長い' } });
      expect(texts).toEqual(['{"id":1,"result":{"text":"長い"}}']);
      expect(JSON.stringify(sent)).toBe('[null]');
    });

    it.each([
      ['an object', { toJSON: (key: string) => ({ key }) }, { key: 'result' }],
      ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
      ['an inner object', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
      ['data', { toJSON: 'no function' }, { toJSON: 'no function' }],
      ['nothing', null, null],
      ['a text', 'text', 'text'],
    ])('writes %s as JSON.stringify does', async (_, result, expected) => {
      const texts: string[] = [];
      const { transport } = writer(async (message) => {
        texts.push(JSON.stringify(message));
      });
      await transport.send({ id: 1, result });
      expect(texts.map((text) => JSON.parse(text))).toEqual([{ id: 1, result: expected }]);
    });

    it('throws what cannot be written at once, while other data is unread', async () => {
      const { transport, errors } = writer(
        (message) => new Promise((resolve) => JSON.stringify(message) && resolve()),
      );
      await expect(transport.send({ id: 1, result: { large: 1n } })).rejects.toThrow('BigInt');
      await settle();
      expect(errors).toEqual([]);
    });

    it('reports what cannot be written later, and does not wait for it', async () => {
      const { transport, errors } = writer(async () => {
        await settle();
        throw new Error('EPIPE');
      });
      await transport.send({ id: 1, result: {} });
      expect(errors).toEqual([]);
      await settle();
      expect(errors).toEqual([new Error('EPIPE')]);
    });
  });

  it('takes none while its client does not read', async () => {
    const output = new PassThrough({ highWaterMark: 1000 });
    const { input, held, asked } = server(output);
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
    const { input, held, asked, answer } = server();
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
