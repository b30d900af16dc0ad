import { textOf } from '@vizprompt/providers';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { openManager, saying, temporaryFolder } from '../support/support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('120 turns keep memory and context within bounds', async () => {
  const text = '猫は静かに眠り、犬は元気に走る。どちらも人の友である。'.repeat(8);
  const sizes: number[] = [];
  const model = (name: string) =>
    saying((request, call) => {
      sizes.push(request.messages.map((message) => textOf(message)).join('').length);
      return `${name}${call} ${text}`;
    });
  const mc = model('M');
  const calls = [model('A'), model('B')];
  const manager = await openManager({
    topic: '猫と犬',
    participants: calls.map((one, at) => ({ name: 'AB'[at] ?? '', model: one })),
    moderator: { model: mc },
    maxTurns: 120,
    logPath: join(await temporaryFolder(), 'conversation.db'),
  });
  const heaps: number[] = [];
  manager.on('turn:ended', ({ turn }) => {
    // The scripted models remember every request; the talk must not.
    for (const one of [...calls, mc]) (one.calls as unknown[]).length = 0;
    if (turn.number % 20 !== 0) return;
    collectGarbage();
    heaps.push(process.memoryUsage().heapUsed);
  });
  const { turns } = await manager.start().result();
  expect(turns).toBe(120);
  expect(sizes).toHaveLength(182);
  const [early, late] = [Math.max(...sizes.slice(50, 100)), Math.max(...sizes.slice(-50))];
  expect(late).toBeLessThanOrEqual(early * 1.05);
  expect(late).toBeLessThan(16_000);
  const growth = (heaps.at(-1) ?? 0) - (heaps[2] ?? 0);
  expect(growth).toBeLessThan(2_000_000);
});
