import { expect, it } from 'vitest';
import { searchedForms } from '../../src/rank/fold-text.ts';
import { openBackend } from '../support/search-index.ts';

/** Texts with a phrase over a line break, and texts without it. */
const TEXTS = [
  '海-\n−港',
  '海−\n-港',
  '海−\n−港',
  '海-\n-港',
  '海~\n〜港',
  '海〜\n~港',
  '海〜〜港',
  '海―\n―港',
  '海－\v−港',
  '2025\n年',
  '2025\f年',
  '2025\v年',
  '年\u20282025',
  '2025 年',
  '海「\n-」港',
  '約−\n5度',
  '約-\n5度',
  '第5\n−3回',
  '海(\n−港',
  '海a\n−港',
  '海!\n！港',
  '海！\n!港',
  '海!\n2港',
  '海！\n2港',
];
const PHRASES = [
  '--',
  '−−',
  '−港',
  '海-',
  '〜〜',
  '~~',
  '――',
  '——',
  '2025年',
  '年2025',
  '-港',
  '−5',
  '5-',
  '(-',
  '!!',
  '!2',
];

it.each(PHRASES)('finds "%s" where the text has it in a form that is searched', async (phrase) => {
  const backend = await openBackend();
  await backend.index(TEXTS.map((text, at) => ({ novelId: 'n', filePath: `${at}.txt`, text })));
  const folded = searchedForms(phrase)[0] ?? '';
  const right = TEXTS.filter((text) => searchedForms(text).some((form) => form.includes(folded)));
  const { hits } = await backend.search(`"${phrase}"`, { k: 50 });
  const found = new Set(hits.map(({ payload }) => TEXTS[Number.parseInt(payload.file, 10)]));
  expect(TEXTS.filter((text) => found.has(text))).toEqual(right);
});

it.each(['\n', '\v', '\f', '\r\n', '\u2028', '\u2029'])(
  'joins 2025 and 年 over %j',
  (lineBreak) => {
    expect(searchedForms(`2025${lineBreak}年`)).toContain('2025年');
    expect(searchedForms(`2025${lineBreak}year`)).not.toContain('2025year');
  },
);

it.each([
  ['——', '海―\n―港', '―\n―'],
  ['〜5', '海〜\n5', '〜\n5'],
  ['--', '海−\n-港', '−\n-'],
  ['~1', '海〜\n1港', '〜\n1'],
  ['港−', '海の港\n－', '港\n－'],
  ['a-b', '海a-b', 'a-b'],
])('marks "%s" in %j', async (phrase, text, marked) => {
  const backend = await openBackend();
  await backend.index([{ novelId: 'n', filePath: '1.txt', text }]);
  const { hits } = await backend.search(`"${phrase}"`);
  const [snippet] = hits.map((hit) => hit.match);
  expect(snippet?.text.slice(...(snippet.highlights[0] ?? []))).toBe(marked);
});
