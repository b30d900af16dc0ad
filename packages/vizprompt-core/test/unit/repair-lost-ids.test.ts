import { randomUUID } from 'node:crypto';
import type { StoredNode } from '@vizprompt/core';
import { VizPrompt } from '@vizprompt/core';
import type { Storage } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { misnamedId, misnamedIds, MissingIds } from '../../src/doctor/misnamed-ids.ts';
import { findLostIds, isLike, plainId, SimilarIds } from '../../src/doctor/similar-ids.ts';
import { anyStorage, randomRuns } from '../support/open-project.ts';

const FILE = 'nodes/00/09.xml';
const MISSING = '01a22b65-5672-7000-a90b-3342e905cb1f';
const OTHER = '01a22b65-5682-7000-8123-332eea05555a';

describe('the id of a file that says none', () => {
  it.each([
    ['nothing', ''],
    ['a sign', '?'],
    ['its beginning', MISSING.slice(0, 20)],
    ['two letters less', MISSING.slice(0, -2)],
    ['capitals', MISSING.toUpperCase()],
    ['its beginning and dots', `${MISSING.slice(0, 20)}...`],
    ['its beginning and an ellipsis', `${MISSING.slice(0, 20)}…`],
    ['its beginning in spaces', ` ${MISSING.slice(0, 20)} `],
    ['its beginning after a brace', `{${MISSING.slice(0, 13)}`],
    ['its beginning as an address', `urn:uuid:${MISSING.slice(0, 20)}`],
    ['its beginning without dashes', MISSING.replaceAll('-', '').slice(0, 20)],
    ['its end', MISSING.slice(14)],
    ['it between letters', `zz${MISSING}zz`],
  ])('is the only one that is missing, where the file has %s', (_, written) => {
    const found = findLostIds([{ file: FILE, written }], new Set([MISSING]), new Map());
    expect([...found]).toEqual([[FILE, MISSING]]);
  });

  it.each([
    ['the beginning of another', OTHER.slice(0, 20)],
    ['another with a slip', OTHER.slice(0, -1)],
    ['another', OTHER],
    ['the end of another', OTHER.slice(14)],
  ])('is not the one that is missing, where the file has %s', (_, written) => {
    const files = [{ file: FILE, written }];
    expect(findLostIds(files, new Set([MISSING]), new Map()).size).toBe(0);
    expect(findLostIds(files, new Set([MISSING]), new Map([[FILE, MISSING]])).size).toBe(0);
  });

  it.each(['intro', 'null', 'TODO', OTHER.slice(-6)])(
    'is the one that is missing, where the file has %j, if the map of nodes has it',
    (written) => {
      const files = [{ file: FILE, written }];
      expect(findLostIds(files, new Set([MISSING]), new Map()).size).toBe(0);
      const map = new Map([[FILE, MISSING]]);
      expect([...findLostIds(files, new Set([MISSING]), map)]).toEqual([[FILE, MISSING]]);
    },
  );

  it.each(['', MISSING.slice(0, -1)])(
    'is not %j, where the map of nodes has another',
    (written) => {
      const map = new Map([[FILE, OTHER]]);
      expect(findLostIds([{ file: FILE, written }], new Set([MISSING]), map).size).toBe(0);
    },
  );
});

/** Three nodes in a row and one in no flow. */
async function project(): Promise<{
  storage: Storage;
  vizprompt: VizPrompt;
  nodes: readonly StoredNode[];
}> {
  const storage = await anyStorage();
  const vizprompt = await VizPrompt.open({ storage });
  onTestFinished(async () => {
    await vizprompt.close();
    await storage.close();
  });
  const nodes: StoredNode[] = [];
  for (const prompt of ['one', 'two', 'three', 'ORPHAN']) {
    nodes.push(await vizprompt.createNode({ prompt }));
  }
  const { id } = await vizprompt.getFlow();
  await vizprompt.removeNodeFromFlow(id, nodes[3]?.id ?? '');
  return { storage, vizprompt, nodes };
}

async function change(
  { files }: Storage,
  file: string,
  damage: (text: string) => string,
): Promise<void> {
  const text = (await files.read(file))?.text ?? '';
  expect(damage(text)).not.toBe(text);
  await files.write(file, damage(text));
}

describe('a node that no flow names', () => {
  it('does not become one whose file is missing', async () => {
    const { storage, vizprompt, nodes } = await project();
    const [, two, , orphan] = nodes;
    await storage.files.delete(two?.file ?? '');
    await change(storage, orphan?.file ?? '', (text) =>
      text.replace(/ id="(.{20})[^"]*"/, ' id="$1"'),
    );
    await vizprompt.refresh();
    await vizprompt.repair(await vizprompt.check());
    const ids = (await vizprompt.getFlow()).nodes.map(({ id }) => id);
    const prompts = await Promise.all(
      ids.filter((id) => id !== two?.id).map(async (id) => (await vizprompt.getNode(id)).prompt),
    );
    expect(prompts).toEqual(['one', 'three']);
    await expect(vizprompt.getNode(two?.id ?? '')).rejects.toThrow(two?.id);
  });

  it('is not put in for an entry without an id', async () => {
    const { storage, vizprompt, nodes } = await project();
    await change(storage, 'flows/00/00.yaml', (text) => text.replace(/(index: 2\n).*\n/, '$1'));
    await vizprompt.refresh();
    // The node of the entry is gone, too.
    await storage.files.delete(nodes[1]?.file ?? '');
    await vizprompt.repair(await vizprompt.check());
    const ids = (await vizprompt.getFlow()).nodes.map(({ id }) => id);
    expect(ids).toEqual([nodes[0]?.id, nodes[2]?.id]);
  });
});

const hex = fc.constantFrom('0', '7', 'a', 'f');
const id = fc.uuid();
/** An id and what becomes of it with up to two slips, at any place. */
const slip = fc
  .tuple(
    id,
    fc.array(fc.tuple(fc.constantFrom('more', 'less', 'other', 'swap'), fc.nat(35), hex), {
      maxLength: 2,
    }),
  )
  .map(([whole, slips]) => {
    let written = whole;
    for (const [kind, at, letter] of slips) {
      const [before, here, next] = [written.slice(0, at), written[at] ?? '', written[at + 1] ?? ''];
      const changed = {
        more: letter + here + next,
        less: next,
        other: letter + next,
        swap: next + here,
      };
      written = before + changed[kind] + written.slice(at + 2);
    }
    return { whole, written };
  });

/** Optimal string alignment with all of its cells. */
function distance(a: string, b: string): number {
  const cells = new Map<string, number>();
  const cell = (i: number, j: number): number => cells.get(`${i} ${j}`) ?? Infinity;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [
        cell(i - 1, j) + 1,
        cell(i, j - 1) + 1,
        cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? cell(i - 2, j - 2) + 1 : Infinity,
      ];
      cells.set(`${i} ${j}`, i + j === 0 ? 0 : Math.min(...ways));
    }
  }
  return cell(a.length, b.length);
}

describe('ids with a slip', () => {
  it('are found among others as when each is compared', () => {
    fc.assert(
      fc.property(slip, fc.array(id, { maxLength: 5 }), ({ whole, written }, others) => {
        const all = [...new Set([...others, whole])];
        const found = new SimilarIds(all).like(written);
        expect([...found].toSorted()).toEqual(
          all.filter((each) => isLike(each, plainId(written))).toSorted(),
        );
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it('are as far apart as in a whole table', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(isLike(a, b)).toBe(distance(a, b) <= (a.length > 5 ? 2 : 1));
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it('are found in little time among many, also of one moment', () => {
    const many = (start: string): string[] =>
      Array.from({ length: 3000 }, () => start + randomUUID().slice(start.length));
    // Quadratic time would run into the time limit of a test.
    for (const start of ['', '01a22b65-5672-7000-a']) {
      const similar = new SimilarIds(many(start));
      expect(many(start).filter((each) => similar.meant(each) !== undefined)).toEqual([]);
      expect(similar.meant(start.slice(0, 12))).toBeUndefined();
      const files = many(start).map((written, at) => ({ file: `${at}`, written }));
      expect(findLostIds(files, new Set(many(start)), new Map()).size).toBe(0);
    }
  });
});

it('ids that count up are not compared one by one', () => {
  const ids = Array.from(
    { length: 4000 },
    (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  );
  const similar = new SimilarIds(ids);
  expect(similar.like(`${ids[7]}x`)).toEqual([]);
  expect(new SimilarIds(ids.slice(0, 5)).like(`${ids[3]}x`)).toContain(ids[3]);
});

it('a repair reads broken node files only, and not all at once', async () => {
  const { storage, vizprompt, nodes } = await project();
  const more: StoredNode[] = [];
  for (let at = 0; at < 40; at++) more.push(await vizprompt.createNode({ prompt: `${at}` }));
  for (const { file } of more) {
    await change(storage, file, (text) => text.replace(/ id="[^"]*"/, ' id="unknown"'));
  }
  await vizprompt.refresh();
  const report = await vizprompt.check();
  let [reading, most] = [0, 0];
  const plain = storage.files.read.bind(storage.files);
  const keys: string[] = [];
  vi.spyOn(storage.files, 'read').mockImplementation(async (key, options) => {
    keys.push(key);
    reading++;
    most = Math.max(most, reading);
    await new Promise(setImmediate);
    const stored = await plain(key, options);
    reading--;
    return stored;
  });
  await vizprompt.repair(report);
  const whole = new Set(nodes.map(({ file }) => file));
  expect(keys.filter((key) => whole.has(key))).toEqual([]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(20);
});

describe('a file that was edited to the id of another node', () => {
  it('gets its own id back, by the time in it', async () => {
    const { storage, vizprompt, nodes } = await project();
    const [first, second] = nodes;
    if (!first || !second) throw new Error('there are too few nodes');
    await vizprompt.close();
    await change(storage, second.file, (text) => text.replace(second.id, first.id));
    await using again = await VizPrompt.open({ storage });
    const before = await again.check();
    expect(before.findings).toContainEqual(
      expect.objectContaining({ code: 'ill-formed', file: second.file, severity: 'error' }),
    );
    const { setAside } = await again.repair(before);
    expect(setAside).toEqual([{ from: second.file, to: `lost+found/${second.file}` }]);
    for (const node of [first, second])
      expect((await again.getNode(node.id)).prompt).toBe(node.prompt);
    const ids = (await again.getFlow()).nodes.map((node) => node.id);
    expect(ids).toContain(second.id);
    expect((await again.check()).isHealthy).toBe(true);
  });

  it('gets its own id back, by the source in it', async () => {
    const storage = await anyStorage();
    onTestFinished(() => storage.close());
    const vizprompt = await VizPrompt.open({ storage });
    const messages = ['1', '2', '3', '4'].map((name, place) => ({
      id: name,
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: `said ${name}`,
    }));
    await vizprompt.importConversations([{ id: 'c', messages }]);
    const [flow] = await vizprompt.listFlows();
    const ids = (await vizprompt.getFlow(flow?.id)).nodes.map((node) => node.id);
    const [one = '', two = ''] = ids;
    const { file } = await vizprompt.getNode(two);
    await vizprompt.close();
    await change(storage, file, (text) => text.replace(two, one));
    await using again = await VizPrompt.open({ storage });
    await again.repair(await again.check());
    expect((await again.getNode(one)).prompt).toBe('said 1');
    expect((await again.getNode(two)).prompt).toBe('said 3');
  });

  const madeAt = (uuid: string): string =>
    new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)).toISOString();

  it.each([
    ['a later version', { id: OTHER, timestamp: '2026-12-24T00:00:00Z' }, [MISSING]],
    ['the node itself', { id: OTHER, timestamp: madeAt(OTHER) }, [MISSING]],
    [
      'one of two that may be meant',
      { id: randomUUID(), timestamp: madeAt(MISSING) },
      [MISSING, `${MISSING.slice(0, -1)}0`],
    ],
    ['a node where none is missing', { id: OTHER, timestamp: madeAt(MISSING) }, []],
  ])('is not %s', (_, node, missing) => {
    expect(misnamedId(node, new MissingIds(missing))).toBeUndefined();
  });

  const at = (milliseconds: number): string =>
    new Date(Date.parse(madeAt(MISSING)) + milliseconds).toISOString();
  const [random, later] = [randomUUID(), '01b22b65-5672-7000-8123-332eea05555a'];

  it.each([
    ['versions of a node whose id has no time', [0, 0], random, []],
    ['versions of a copy of a node, whose id is later', [0, 0], later, []],
    [
      'a version of a node whose id has no time, written when another was made',
      [9000, 900],
      random,
      [],
    ],
    ['a file of its own next to a node whose id has no time', [9000, 3], random, [1]],
    ['a file of its own next to a node', [90_000, 900], later, [1]],
  ])('is among %s', (_, times, said, expected) => {
    const files = times.map((time) => ({ id: said, timestamp: at(time) }));
    const found = misnamedIds([files], new MissingIds([MISSING]));
    expect([...found]).toEqual(expected.map((place) => [files[place], MISSING]));
  });

  it('is found in linear time among many', () => {
    const idAt = (made: number): string =>
      made
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-') + MISSING.slice(13);
    const first = Date.parse('2026-01-01T00:00:00Z');
    const numbers = Array.from({ length: 20_000 }, (__, place) => first + place * 3);
    const missing = new MissingIds(numbers.map((time) => idAt(time)));
    const groups = numbers.map((time) => [
      { id: OTHER, timestamp: new Date(time).toISOString() },
      { id: OTHER, timestamp: '2020-01-01T00:00:00Z' },
    ]);
    expect(misnamedIds(groups, missing).size).toBe(20_000);
  });
});
