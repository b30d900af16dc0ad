import { scriptedModel } from '@vizprompt/providers/testing';
import { textOf } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { roundAt } from '../../src/config/plan.ts';
import { counting, courseOf, failureOf, openManager, twoAndMC } from '../support/support.ts';

const three = (c: object): ReturnType<typeof twoAndMC> =>
  twoAndMC({
    moderator: undefined,
    rounds: 4,
    participants: [
      { name: 'A', model: counting('A') },
      { name: 'B', model: counting('B') },
      { name: 'C', model: counting('C'), ...c },
    ],
  });

it('a participant joins at a round and leaves after one, also where the talk is resumed in between', async () => {
  const manager = await openManager(three({ joinsAt: 2, leavesAfter: 3 }));
  const first = manager.start({ maxTurns: 6 });
  expect(await first.result()).toMatchObject({ status: 'done', turns: 6 });
  const run = manager.start();
  await run.result();
  const speakers = (await courseOf(manager, run.conversationId)).map((line) => line.split(' ')[2]);
  expect(speakers.join('')).toBe('ABABCABCAB');
});

it('summaries come after each round, and the moderator names only those who are there', async () => {
  const asked: string[] = [];
  const mc = scriptedModel((request) => {
    const text = request.messages.map((message) => textOf(message)).join('\n');
    const names = ['A', 'B', 'C'].filter((name) =>
      JSON.stringify(request.output ?? '').includes(`"${name}"`),
    );
    if (names.length > 0) asked.push(names.join(''));
    return names.length > 0 ? JSON.stringify({ next: names[0] }) : `M ${text.length > 0}`;
  });
  const config = three({ joinsAt: 2 });
  const manager = await openManager({
    ...config,
    rounds: 2,
    moderator: { model: mc, opening: false, closing: false },
  });
  const run = manager.start();
  await run.result();
  const kinds = (await courseOf(manager, run.conversationId)).map((line) => line.split(' ')[1]);
  expect(kinds.join(' ')).toBe('turn turn summary turn turn turn summary');
  const moderated = await openManager({
    ...config,
    order: 'moderator',
    rounds: 2,
    moderator: { model: mc, opening: false, closing: false },
  });
  await moderated.start().result();
  expect(asked.slice(0, 3)).toEqual(['AB', 'B', expect.stringContaining('C')]);
});

it.each([
  [{ joinsAt: 3, leavesAfter: 2 }, 'leaves before it joins'],
  [{ joinsAt: 0 }, 'joinsAt'],
])('%j is a mistake', async (c, problem) => {
  expect(String(await failureOf(openManager(three(c))))).toContain(problem);
});

it('each round needs two who speak', async () => {
  const config = twoAndMC({
    participants: [
      { name: 'A', model: counting('A') },
      { name: 'B', model: counting('B'), leavesAfter: 2 },
    ],
  });
  expect(String(await failureOf(openManager(config)))).toContain('in round 3 fewer than two');
});

it('turns and rounds fit each other, however participants come and go', () => {
  const presence = new Map([
    ['B', { from: 1, until: 3 }],
    ['C', { from: 2, until: Infinity }],
    ['D', { from: 4, until: 6 }],
  ]);
  const plan = { participants: ['A', 'B', 'C', 'D'], presence };
  const seen: string[] = [];
  for (let turns = 0; turns < 22; turns++) {
    const { rounds, place, seated } = roundAt(plan, turns);
    seen.push(`${rounds}${seated[place]}`);
  }
  expect(seen.join(' ')).toBe('0A 0B 1A 1B 1C 2A 2B 2C 3A 3C 3D 4A 4C 4D 5A 5C 5D 6A 6C 7A 7C 8A');
});
