import { expect, it } from 'vitest';
import { BACKENDS } from './support/backends.ts';
import { scriptAnalyzer } from './support.ts';

/** Words that no other begins with. */
const words = Array.from({ length: 300 }, (_, at) => `w${(1000 + at * 7).toString(36)}`);

it.each(Object.entries(BACKENDS))(
  '%s finds the chunk that has all of hundreds of words, and not by one less',
  async (_name, open) => {
    const backend = await open(scriptAnalyzer());
    const pairs = Array.from({ length: 20 }, (_, at) => words.slice(at, at + 2).join(' '));
    const text = [words.join(' '), ...pairs].join('\n\n');
    await backend.updateFile({ novelId: '灯台', filePath: 'a.md', text });
    for (const count of [255, 256, 257, 300]) {
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
