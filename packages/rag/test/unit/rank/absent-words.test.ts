import { beforeAll, describe, expect, it } from 'vitest';
import { BACKENDS, type OpenBackend } from '../../support/backends.ts';
import { openCompact } from '../../support/compact-analyzer.ts';
import type { MorphologicalAnalyzer } from '../../../src/analyze/morphological-analyzer.ts';

let analyzer: MorphologicalAnalyzer;
beforeAll(async () => {
  analyzer = await openCompact();
});

/** Returns the found paragraphs. */
async function found(
  open: OpenBackend,
  query: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const backend = await open(analyzer);
  await backend.updateFile({ novelId: '灯', filePath: 'a.md', text: texts.join('\n\n') });
  const { hits } = await backend.search(query);
  await backend.close();
  return hits.map(({ content }) => content);
}

const MEANT = '波が腐蝕した杭に立つ。';
const WRITTEN = '杭は波に腐食された。';
const PUNISHED = '刑罰を受けた猫が眠る。';

describe.each(Object.entries(BACKENDS))('%s', (_, open) => {
  it('takes a word for one in the kanji that it was written with before', async () => {
    expect(await found(open, '腐食', [MEANT, PUNISHED])).toEqual([MEANT]);
    expect(await found(open, '+腐食', [MEANT, PUNISHED])).toEqual([MEANT]);
  });

  it('goes by the kanji first, and where the word must not be there', async () => {
    expect(await found(open, '腐食', [MEANT, WRITTEN])).toEqual([WRITTEN, MEANT]);
    expect(await found(open, '立つ -腐食', [MEANT, PUNISHED])).toEqual([MEANT]);
  });

  it('takes no word for another one that is read the same', async () => {
    expect(await found(open, '機会', ['機械が動く。', PUNISHED])).toEqual([]);
  });

  it('finds a single kanji in compounds after the chunks that have it as a word', async () => {
    expect(await found(open, '罰', [MEANT, PUNISHED])).toEqual([PUNISHED]);
    const alone = '罰は重い。';
    expect(await found(open, '罰', [alone, PUNISHED])).toEqual([alone, PUNISHED]);
  });

  it('finds a word by a common one that is read the same only if nothing else matches', async () => {
    const entered = '灯台に入る。';
    const common = Array.from({ length: 30 }, (_unused, at) => `船${at}がここにいる。`);
    const texts = [...common, entered, '灯台は白い。'];
    expect(await found(open, '灯台に入る', texts)).toEqual([entered, '灯台は白い。']);
    expect((await found(open, '入る', texts)).slice(0, 2)).toEqual([entered, common[0]]);
    expect(await found(open, '+入る 灯台', texts)).toHaveLength(10);
  });
});
