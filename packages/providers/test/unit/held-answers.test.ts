import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ClientShares } from '../../src/serving/client-shares.ts';
import { heldAnswer, heldResponse } from '../../src/serving/held-answer.ts';
import { HeldTexts, loopTurns } from '../../src/serving/held-texts.ts';

it('texts of large messages are shared, and take no more than their limit', async () => {
  const texts = new HeldTexts(25);
  const made: string[] = [];
  const frame = (name: string) => ({
    name,
    async make() {
      made.push(name);
      return name.repeat(10);
    },
  });
  const all = ['a', 'a', 'b', 'a', 'c', 'a', 'b'];
  await Promise.all(['a', 'a'].map((name) => texts.textOf(frame(name))));
  for (const name of all.slice(2)) expect(await texts.textOf(frame(name))).toBe(name.repeat(10));
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

/** Reads some pieces of a body. */
async function take(body: BodyInit | null, pieces: number): Promise<ReadableStreamDefaultReader> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  for (let at = 0; at < pieces; at++) await reader.read();
  return reader;
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return bytes;
    bytes += value.length;
  }
}

const LARGE = `"${'大'.repeat(300_000)}😀"`;

describe('an answer', () => {
  it('is given whole, whatever its size', async () => {
    const held = new HeldTexts(1_000_000);
    for (const text of ['{}', LARGE]) {
      for (const isRepeatable of [true, false]) {
        const { body, bytes } = await heldAnswer(async () => text, held, { isRepeatable });
        expect(Buffer.byteLength(text)).toBe(bytes);
        expect(await new Response(body).text()).toBe(text);
      }
      expect(await heldResponse(new Response(text), held).text()).toBe(text);
    }
    expect(heldResponse(new Response(null, { status: 202 }), held).status).toBe(202);
  });

  it('is made again where others needed its room, and fails where it cannot be', async () => {
    const held = new HeldTexts(400_000);
    let made = 0;
    const again = async (): Promise<string> => {
      made++;
      return LARGE;
    };
    const repeatable = await take((await heldAnswer(again, held, { isRepeatable: true })).body, 1);
    const once = await take((await heldAnswer(async () => LARGE, held)).body, 1);
    expect(made).toBe(1);
    const response = await take(heldResponse(new Response(LARGE), held).body, 1);
    await expect(rest(once)).rejects.toThrow('other clients needed its room');
    expect(await rest(repeatable)).toBeGreaterThan(600_000);
    expect(made).toBe(2);
    await expect(rest(response)).rejects.toThrow('other clients needed its room');
  });

  it('fails where it has changed since its client began to read', async () => {
    const held = new HeldTexts(10);
    let text = LARGE;
    const { body } = await heldAnswer(async () => text, held, { isRepeatable: true });
    const reader = await take(body, 1);
    await heldAnswer(async () => 'another one', held, { isRepeatable: true });
    text = `${LARGE.slice(0, -1)} "`;
    await expect(rest(reader)).rejects.toThrow('has changed');
  });
});

it('shares are counted in total and for each client', () => {
  const shares = new ClientShares({ most: 3 });
  const [first, second] = [shares.take('a'), shares.take('a')];
  expect(shares.take('a')).toEqual({ reason: 'client', open: 2 });
  const third = shares.take('');
  expect(shares.take('b')).toEqual({ reason: 'total', open: 3 });
  for (const release of [first, first, second, third]) {
    if (typeof release === 'function') release();
  }
  expect([1, 2, 3].map(() => typeof shares.take(''))).toEqual(['function', 'function', 'function']);
  expect(typeof shares.take('')).toBe('object');
});

/** Returns the bytes that this process holds after its garbage was collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 3; round++) {
    runInNewContext('gc')();
    await loopTurns(2);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('readers that do not read', () => {
  const COUNT = 30;
  const MEGABYTES = 4;

  it.each([true, false])('hold no part of large answers, repeatable: %s', async (isRepeatable) => {
    const held = new HeldTexts(MEGABYTES << 20);
    const answer = async (at: number): Promise<BodyInit | null> => {
      const make = async (): Promise<string> => `${at} `.padEnd(MEGABYTES << 20, `${at} `);
      if (isRepeatable) return (await heldAnswer(make, held, { isRepeatable })).body;
      return heldResponse(new Response(await make()), held).body;
    };
    await take(await answer(0), 1);
    const before = await heldBytes();
    const readers: ReadableStreamDefaultReader[] = [];
    for (let at = 0; at < COUNT; at++) readers.push(await take(await answer(at), 1));
    expect((await heldBytes()) - before).toBeLessThan(COUNT * 1e6);
    expect(readers).toHaveLength(COUNT);
  });
});

describe('answers of unknown sizes', () => {
  it('are made one after the other, the last that came before the first', async () => {
    const held = new HeldTexts();
    const order: number[] = [];
    const all = [0, 1, 2, 3, 4].map((at) => held.admit().then(() => order.push(at)));
    await Promise.all(all);
    expect(order).toEqual([4, 0, 3, 1, 2]);
  });

  it('are not made while several large ones wait to be read', async () => {
    const held = new HeldTexts();
    const large = [0, 1, 2, 3].map(() => held.waiting());
    let count = 0;
    const admitted = [0, 1].map(() => held.admit().then(() => count++));
    await loopTurns(100);
    expect(count).toBe(0);
    large[0]?.[Symbol.dispose]();
    large[0]?.[Symbol.dispose]();
    await Promise.all(admitted);
    expect(count).toBe(2);
  });

  it('are made though clients leave before they read a large one', async () => {
    const held = new HeldTexts();
    const turns = [await held.turn(), await held.turn()];
    const bodies = Array.from({ length: 6 }, () => heldResponse(new Response(LARGE), held).body);
    const reads = bodies.map((body) => body?.getReader());
    const pieces = reads.map(async (reader) => reader?.read());
    await loopTurns(10);
    let isAdmitted = false;
    const admitted = held.admit().then(() => (isAdmitted = true));
    await loopTurns(100);
    expect(isAdmitted).toBe(false);
    for (const turn of turns) turn.end();
    await Promise.all(reads.map(async (reader) => reader?.cancel()));
    await admitted;
    await Promise.all(pieces);
  });

  it.each(['read slowly', 'leave'])(
    'are made soon while clients of large ones %s',
    async (what) => {
      const held = new HeldTexts(4_000_000);
      const isOver = new AbortController();
      const large = 'x'.repeat(2_000_000);
      const bodies = Array.from({ length: 12 }, () => heldResponse(new Response(large), held).body);
      const readers = bodies.map((body) => body?.getReader());
      const reads = readers.map(async (reader) => {
        while (!isOver.signal.aborted && (await reader?.read())?.done === false)
          await setTimeout(80);
      });
      const read = Promise.allSettled(reads);
      await setTimeout(60);
      const leaving = what === 'leave' ? readers.slice(2) : [];
      const left = Promise.allSettled(leaving.map(async (reader) => reader?.cancel()));
      const start = performance.now();
      for (let at = 0; at < 5; at++) await held.admit();
      expect(performance.now() - start).toBeLessThan(1000);
      isOver.abort();
      await Promise.all([read, left]);
    },
  );
});
