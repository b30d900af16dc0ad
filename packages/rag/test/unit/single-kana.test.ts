import { expect, it } from 'vitest';
import { searchedForms } from '../../src/rank/fold-text.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { openBackend, scriptAnalyzer } from '../support/search-index.ts';

/** Texts with marks that repeat kana, and texts without. */
const TEXTS = [
  'そい／″＼',
  'れ‐そい／″＼',
  'たび／″＼の',
  'さま〴〵',
  'ほ〲',
  'いすゞ',
  '気づゝ',
  'つゞく',
  'ハヾ',
  'ヅヽ',
  '（す）ゞ',
  '離れ／″＼',
  'いろ／＼',
  'ただの猫',
  'ぞ。',
];
const PHRASES = ['ぞ', 'ざ', 'だ', 'ぼ', 'ず', 'づ', 'つ', 'バ', 'ツ', 'い', 'ん', 'ぞ。', 'ば'];
const ANALYZERS = { script: scriptAnalyzer, compact: openCompact };

it.each(Object.entries(ANALYZERS))(
  'finds a single kana that a mark repeats, with the analyzer "%s"',
  async (_, analyzer) => {
    const backend = await openBackend({ analyzer: await analyzer() });
    await backend.index(TEXTS.map((text, at) => ({ novelId: 'n', filePath: `${at}.txt`, text })));
    for (const phrase of PHRASES) {
      const { hits } = await backend.search(`"${phrase}"`, { k: 50 });
      const found = new Set(hits.map(({ payload }) => TEXTS[Number.parseInt(payload.file, 10)]));
      const right = TEXTS.filter((text) =>
        searchedForms(text).some((form) => form.includes(phrase)),
      );
      expect([phrase, TEXTS.filter((text) => found.has(text))]).toEqual([phrase, right]);
    }
  },
);
