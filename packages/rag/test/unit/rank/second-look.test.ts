import { beforeAll, describe, expect, it } from 'vitest';
import { BACKENDS, type OpenBackend } from '../../support/backends.ts';
import { openCompact } from '../../support/compact-analyzer.ts';
import type { MorphologicalAnalyzer } from '../../../src/analyze/morphological-analyzer.ts';

let analyzer: MorphologicalAnalyzer;
beforeAll(async () => {
  analyzer = await openCompact();
});

/** Returns the first of texts that come in both orders: equal scores would show. */
async function first(
  open: OpenBackend,
  query: string,
  texts: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const order of [texts, texts.toReversed()]) {
    const backend = await open(analyzer);
    await backend.updateFile({ novelId: '灯', filePath: 'a.md', text: order.join('\n\n') });
    const { hits } = await backend.search(query, { explain: true });
    found.push(hits[0]?.content);
    for (const { score, explanation = [] } of hits) {
      expect(score).toBeLessThanOrEqual(1);
      expect(explanation.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 9);
    }
    await backend.close();
  }
  return found;
}

const OTHERS = ['凪の朝は静かだった。', '猫は屋根で眠った。', '嵐の夜に鐘が鳴った。'];

describe.each(Object.entries(BACKENDS))('%s, when it looks again,', (_, open) => {
  it('takes the kanji of a word that is missing for a part of it', async () => {
    const right = '灯台守は手紙を英語に訳す。';
    const texts = ['灯台守は手紙を海辺に送る。', right, ...OTHERS];
    expect(await first(open, '灯台守の手紙の翻訳', texts)).toEqual([right, right]);
  });

  it('takes it only where the other words of the query are', async () => {
    const far = OTHERS.join('').repeat(3);
    const right = `灯台守は手紙を英語に訳す。${far}帆船。`;
    const texts = [`灯台守は手紙を海辺に送る。${far}通訳。`, right, ...OTHERS];
    expect(await first(open, '灯台守の手紙の翻訳', texts)).toEqual([right, right]);
  });

  it('asks a number of the text where the question asks for one', async () => {
    const right = '灯台の階段は120段もあった。';
    const texts = ['灯台の階段は途中で途切れた。', right, ...OTHERS];
    for (const query of ['灯台の階段は何段？', '灯台の階段はいくつ', '灯台の階段の数は？']) {
      expect({ query, best: await first(open, query, texts) }).toEqual({
        query,
        best: [right, right],
      });
    }
  });

  it('asks a date of the text where the question asks when', async () => {
    const right = '灯台が建ったのは明治三十年。';
    const texts = ['灯台が建ったのは三人の岬。', right, ...OTHERS];
    for (const query of ['灯台が建ったのはいつ？', '灯台が建ったのは何世紀か']) {
      expect({ query, best: await first(open, query, texts) }).toEqual({
        query,
        best: [right, right],
      });
    }
  });

  it('knows numerals before what is counted', async () => {
    const right = '灯台の階段に三人の影が長く伸びて消えた。';
    const texts = ['灯台の階段の人。', right, ...OTHERS];
    expect(await first(open, '灯台の階段の人', texts)).toEqual([texts[0], texts[0]]);
    expect(await first(open, '灯台の階段に何人', texts)).toEqual([right, right]);
  });
});
