import { expect } from 'vitest';
import { segmenterAnalyzer, type SourceDocument } from '../../src/index.ts';
import { openBackend } from './search-index.ts';

const LINE = '灯台守の娘は、嵐の夜に海を見ていた。猫が桟橋で待つ。\n\n';
const QUERIES = ['嵐', '凪の夜', '灯台守の娘', '"凪の第5章"', '+鐘 -猫', '第12章'];

/** Returns a novel of 130 chapters: in another one some stay, some change in part, some change as a whole. */
function novel(word: string, lines: number): readonly SourceDocument[] {
  return Array.from({ length: 130 }, (_, at) => {
    const kind = at % 4;
    const own = kind === 0 ? '鐘' : word;
    const rest = kind === 3 ? LINE.replaceAll('海', word) : LINE;
    const text = `${own}の第${at}章\n\n${rest.repeat(lines)}`;
    const isEmpty = at === (word === '凪' ? 7 : 11);
    return { novelId: '灯台', filePath: `${at}.md`, text: isEmpty ? '' : text };
  });
}

/** Checks that an index in which many documents change answers as a fresh one does. */
export async function expectManyChanges(mayFork: boolean, lines: number): Promise<void> {
  const analyzer = segmenterAnalyzer();
  const backend = await openBackend({ analyzer, mayFork });
  await backend.index(novel('嵐', lines));
  const second = novel('凪', lines);
  expect(await backend.index(second)).toEqual({ indexed: 97, unchanged: 33 });
  const fresh = await openBackend({ analyzer, mayFork: false });
  await fresh.index(second);
  for (const query of QUERIES) {
    expect(await backend.search(query, { k: 40 })).toEqual(await fresh.search(query, { k: 40 }));
  }
  expect((await backend.stats()).chunks).toBe((await fresh.stats()).chunks);
  expect(await backend.index(second)).toEqual({ indexed: 0, unchanged: 130 });
}
