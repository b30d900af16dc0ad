import { once } from 'node:events';
import fs, { mkdtemp, readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { HeldInput, HeldOutput } from '@vizprompt/providers/serving';
import { serveHeld } from '@vizprompt/providers/serving/internal';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

const PIECE = 1 << 16;
const ANSWER_BYTES = (3 << 20) + '{"id":1,"result":""}\n'.length;

/** A client that reads on demand. */
class Client extends Writable {
  readonly pieces: Buffer[] = [];
  #isReading = false;
  #read: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.pieces.push(chunk);
    this.#read = done;
    if (this.#isReading) void setImmediate().then(() => this.read());
  }

  get text(): string {
    return Buffer.concat(this.pieces).toString();
  }

  /** Reads a piece, or all of them from now on. */
  read(isAll = false): void {
    this.#isReading ||= isAll;
    const read = this.#read;
    this.#read = undefined;
    read?.();
  }
}

const lines = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, at) => `${`行${at} `.repeat(length / 5)}\n`);

describe('the output of a server on standard output', () => {
  const { TMPDIR } = process.env;
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vizprompt-test-'));
    process.env['TMPDIR'] = folder;
  });

  afterEach(async () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    await rm(folder, { recursive: true, force: true });
  });

  /** Writes, and waits until all of it waits for its reader elsewhere. */
  async function written(output: HeldOutput, texts: readonly string[]): Promise<void> {
    for (const text of texts) output.write(text);
    await expect.poll(() => output.writableLength).toBe(0);
  }

  it.each([
    ['end()', (output: HeldOutput) => once(output.end(), 'finish')],
    ['whenPassed()', (output: HeldOutput) => output.whenPassed()],
  ])(
    'waits with %s for what is in the buffer of the output, also if that is little',
    async (_, end) => {
      const client = new Client();
      const output = new HeldOutput(client);
      output.write('a small answer');
      let hasEnded = false;
      const ended = end(output).then(() => (hasEnded = true));
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      expect(hasEnded).toBe(false);
      client.read(true);
      await ended;
      expect(client.text).toBe('a small answer');
    },
  );

  it('passes all on in order, in pieces, to a client that reads', async () => {
    const client = new Client();
    client.read(true);
    const output = new HeldOutput(client);
    const texts = lines(20, 200_000);
    await written(output, texts);
    await output.whenRead();
    expect(client.text === texts.join('')).toBe(true);
    expect(Math.max(...client.pieces.map(({ length }) => length))).toBe(PIECE);
  });

  it('holds a piece for a client that does not read, and gives it all once it does', async () => {
    const client = new Client();
    const output = new HeldOutput(client);
    const texts = [...lines(5, 3 << 20), ...lines(100, 100), ...lines(2, 1 << 20)];
    await written(output, texts);
    expect(client.writableLength).toBe(PIECE);
    expect(client.pieces.map(({ buffer }) => buffer.byteLength)).toEqual([PIECE]);
    const size = Buffer.byteLength(texts.join(''));
    expect(output.unreadBytes).toBe(size);
    expect(output.isUnread).toBe(true);
    // The file has no name.
    expect(await readdir(folder)).toEqual([]);
    client.read(true);
    await output.whenRead();
    expect(output.unreadBytes).toBe(0);
    expect(client.text === texts.join('')).toBe(true);
  });

  it('keeps the order of what is written while a slow client reads', async () => {
    const client = new Client();
    const output = new HeldOutput(client);
    const texts = lines(40, 150_000);
    for (const text of texts) {
      output.write(text);
      for (let turn = 0; turn < 3; turn++) await setImmediate();
      client.read();
    }
    client.read(true);
    await output.whenRead();
    expect(client.text === texts.join('')).toBe(true);
  });

  it('stores again when a client stops reading for a second time', async () => {
    const client = new Client();
    const output = new HeldOutput(client);
    const texts = lines(4, 1 << 20);
    await written(output, texts.slice(0, 2));
    while (output.isUnread) {
      client.read();
      await setImmediate();
    }
    await written(output, texts.slice(2));
    expect(client.writableLength).toBe(PIECE);
    client.read(true);
    await output.whenRead();
    expect(client.text === texts.join('')).toBe(true);
  });

  it('holds all in memory where no file can be written, and loses nothing', async () => {
    process.env['TMPDIR'] = join(folder, 'missing');
    const client = new Client();
    const output = new HeldOutput(client);
    const texts = lines(3, 1 << 20);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const text of texts) output.write(text);
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    const size = Buffer.byteLength(texts.join(''));
    expect(output.writableLength + PIECE).toBeGreaterThan(size);
    const read = output.whenRead();
    client.read(true);
    await read;
    expect(output.writableLength).toBe(0);
    expect(client.text === texts.join('')).toBe(true);
  });

  it('leaves no file, and tries no other, where an open file cannot be removed', async () => {
    const { open, unlink } = fs;
    const refused: unknown[] = [];
    const replace = (calls: Partial<typeof fs>): void => {
      Object.assign(fs, calls);
      syncBuiltinESMExports();
    };
    let opened = 0;
    let isOpen = false;
    replace({
      open: async (...args) => {
        const file = await open(...args);
        const close = file.close.bind(file);
        opened++;
        isOpen = true;
        return Object.assign(file, {
          close: async () => {
            isOpen = false;
            await close();
          },
        });
      },
      unlink: async (path) => {
        if (!isOpen) return await unlink(path);
        refused.push(path);
        throw new Error('EBUSY');
      },
    });
    onTestFinished(() => replace({ open, unlink }));
    const client = new Client();
    const output = new HeldOutput(client);
    const texts = lines(2, 1 << 20);
    for (const text of texts) {
      output.write(text);
      await expect.poll(() => refused).toHaveLength(1);
      await setImmediate();
    }
    client.read(true);
    await output.whenRead();
    expect(client.text === texts.join('')).toBe(true);
    const other = new HeldOutput(new Client());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    other.write('x'.repeat(PIECE));
    other.write('y');
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    expect(opened).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is unread until an output that buffers less than itself has all', async () => {
    const client = new Client({ highWaterMark: 1024 });
    const output = new HeldOutput(client);
    for (let at = 0; at < 8; at++) output.write('x'.repeat(2000));
    const read = output.whenRead();
    client.read(true);
    await read;
    expect(client.text).toHaveLength(16_000);
    expect(output.unreadBytes).toBe(0);
  });

  it('passes on all that waits at its end, and leaves its output open', async () => {
    const client = new Client();
    const texts = lines(4, 500_000);
    const output = new HeldOutput(client);
    const ended = pipeline(Readable.from(texts), output);
    let isEnded = false;
    void ended.then(() => (isEnded = true));
    const size = Buffer.byteLength(texts.join(''));
    await expect.poll(() => output.unreadBytes - output.writableLength).toBe(size);
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    expect(isEnded).toBe(false);
    client.read(true);
    await ended;
    expect(client.text === texts.join('')).toBe(true);
    expect(client.writableEnded).toBe(false);
    await expect.poll(() => client.listenerCount('drain')).toBe(0);
  });

  it('settles when the client is gone, with what it did not read', async () => {
    const client = new Client();
    const output = new HeldOutput(client);
    await written(output, lines(2, 1 << 20));
    const closed = once(output, 'close');
    const read = output.whenRead();
    client.destroy();
    await Promise.all([closed, read]);
    expect(output.isUnread).toBe(false);
  });

  it('fails with its output, and leaves no listener of its own on it when it ends', async () => {
    const client = new Client();
    for (let time = 0; time < 30; time++) {
      const output = new HeldOutput(client);
      output.destroy();
      await once(output, 'close');
    }
    expect(client.listenerCount('drain') + client.listenerCount('close')).toBe(0);
    const output = new HeldOutput(client);
    const failed = once(output, 'error');
    client.destroy(new Error('EPIPE'));
    expect(await failed).toEqual([new Error('EPIPE')]);
  });

  /** Creates a server that has answered a request, and whose client has read nothing. */
  async function answered(patienceMs: number) {
    const client = new Client();
    const output = new HeldOutput(client);
    const input = new PassThrough();
    const held = new HeldInput(input, { output, patienceMs });
    const transport = {
      onmessage: (_: object): void => {},
      send: async (message: object): Promise<void> => {
        output.write(`${JSON.stringify(message)}\n`);
      },
    };
    held.follow(transport);
    held.on('data', (line: Buffer) => transport.onmessage(JSON.parse(line.toString())));
    const asked = once(held, 'data');
    input.write('{"id":1,"method":"read"}\n');
    await asked;
    await transport.send({ id: 1, result: 'x'.repeat(3 << 20) });
    await expect.poll(() => output.writableLength).toBe(0);
    return { client, output, input, held };
  }

  it('lets an input end when all answers are read, and no sooner', async () => {
    const { client, input, held } = await answered(600_000);
    input.end();
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    expect(held.readableEnded).toBe(false);
    const ended = once(held, 'end');
    client.read(true);
    await ended;
    expect(client.text.length).toBe(ANSWER_BYTES);
  });

  it('lets an input end when the answer to a cancelled request is read', async () => {
    const { client, input, held } = await answered(600_000);
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
    input.end(`${JSON.stringify(cancelled)}\n`);
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    expect(held.readableEnded).toBe(false);
    const ended = once(held, 'end');
    client.read(true);
    await ended;
    expect(client.text.length).toBe(ANSWER_BYTES);
  });

  it.each([
    ['its patience has ended', 1, true],
    ['it was closed', 600_000, false],
  ])('gives all to a client that reads after %s', async (_, patienceMs, isPatience) => {
    const { client, output, input, held } = await answered(patienceMs);
    const server = serveHeld(held, output, { close: async () => {} });
    if (isPatience) input.end();
    else await server.close();
    await server.closed;
    await server.close();
    expect(client.pieces).toHaveLength(1);
    const closed = once(output, 'close');
    client.read(true);
    await closed;
    expect(client.text.length).toBe(ANSWER_BYTES);
    expect(client.listenerCount('drain') + client.listenerCount('close')).toBe(0);
  });
});
