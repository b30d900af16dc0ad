import { expect, it, onTestFinished, vi } from 'vitest';
import { LiveSegment } from '../../src/segment/read/snapshot.ts';
import { BACKENDS } from '../support/backends.ts';
import { openBackend, scriptAnalyzer } from '../support/search-index.ts';

/** Words that no other begins with. */
const words = Array.from({ length: 300 }, (_, at) => `w${(1000 + at * 7).toString(36)}`);

it.each(Object.entries(BACKENDS))(
  '%s finds the chunk that has all of hundreds of words, and not by one less',
  async (_name, open) => {
    const backend = await open(scriptAnalyzer());
    const pairs = Array.from({ length: 20 }, (_, at) => words.slice(at, at + 2).join(' '));
    const text = [words.join(' '), ...pairs].join('\n\n');
    await backend.updateFile({ novelId: '灯台', filePath: 'a.md', text });
    for (const count of [255, 256, 257]) {
      const asked = words.slice(0, count);
      const { hits, total } = await backend.search(asked.join(' '), { k: 30 });
      expect([count, total, hits[0]?.content]).toEqual([count, 21, words.join(' ')]);
      const all = asked.map((word) => `+${word}`).join(' ');
      expect([count, (await backend.search(all)).total]).toEqual([count, 1]);
      expect([count, (await backend.search(`${all} +storm`)).total]).toEqual([count, 0]);
      const not = `${words[0]} -"${asked.join(' ')}"`;
      expect([count, (await backend.search(not)).total]).toEqual([count, 1]);
    }
    await backend.close();
  },
);

it('explaining hundreds of words takes no more sheets of scores than searching', async () => {
  const backend = await openBackend();
  const text = Array.from({ length: 40 }, (_, at) => words.slice(at, at + 30).join(' '));
  await backend.updateFile({ novelId: '灯台', filePath: 'a.md', text: text.join('\n\n') });
  const taken = vi.spyOn(LiveSegment.prototype, 'takeAccumulator');
  const given = vi.spyOn(LiveSegment.prototype, 'giveAccumulator');
  onTestFinished(() => void vi.restoreAllMocks());
  const { hits } = await backend.search(words.join(' '), { k: 20, explain: true });
  expect(taken.mock.calls.length).toBeLessThan(5);
  expect(given.mock.calls.length).toBe(taken.mock.calls.length);
  for (const { score, explanation = [] } of hits) {
    expect(explanation.length).toBeGreaterThanOrEqual(30);
    expect(explanation.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 6);
  }
});

it('of the sheets of many searches at once two are kept', async () => {
  const backend = await openBackend();
  await backend.updateFile({ novelId: '灯台', filePath: 'a.md', text: '嵐の夜\n\n凪の夜' });
  const given = vi.spyOn(LiveSegment.prototype, 'giveAccumulator');
  onTestFinished(() => void vi.restoreAllMocks());
  const found = await Promise.all(Array.from({ length: 20 }, () => backend.search('/嵐.夜/')));
  expect(found.map(({ total }) => total)).toEqual(Array.from({ length: 20 }, () => 1));
  expect(given).toHaveBeenCalledTimes(20);
  const [segment] = given.mock.contexts;
  expect(segment).toMatchObject({ reader: { sheets: { length: 2 } } });
});
