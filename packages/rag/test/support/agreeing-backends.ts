import fc from 'fast-check';
import { Chunk } from '../../src/chunk/chunk.ts';
import type { SearchBackend, SearchResults } from '../../src/contract/search-backend.ts';

const words = [
  '灯台',
  '灯台守',
  '嵐',
  '走る',
  '海',
  'カモメ',
  'サーバー',
  'lighthouse',
  'キー',
  '海岸',
  '3個',
  'とうだい',
  '🐈',
  '\ud800',
  '\u0000',
  '"',
  '\\u0001',
  '__proto__',
];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
  .map((list) => list.join('と'));
const text = fc.array(sentence, { maxLength: 5 }).map((list) => list.join('\n\n'));
const filePath = fc.constantFrom('a.md', 'b.md', 'c"\ud800.md');
const novelId = fc.constantFrom('一', '二\u0000');
const tags = fc.subarray(['人物', '草稿']);

interface Place {
  readonly novelId: string;
  readonly filePath: string;
}

/** A change of a small index. */
export type Step =
  | (Place & { readonly kind: 'update'; readonly text: string; readonly tags: string[] })
  | (Place & { readonly kind: 'remove' })
  | (Place & { readonly kind: 'add'; readonly content: string })
  | { readonly kind: 'compact' };

/** Changes of a small index. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('update' as const), novelId, filePath, text, tags }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), novelId, filePath }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      novelId,
      filePath,
      content: sentence,
    }),
  },
);

/** Every kind of query. */
export const queries: readonly string[] = [
  '灯台',
  '嵐の猫',
  '海と夜明けと走る',
  'キー サーバー 灯台守 lighthouse カモメ',
  '"灯台と海"',
  '+灯台 -嵐',
  '*海*',
  '灯* *岸',
  '*台',
  '*e*',
  '*use *サー*',
  '*ー',
  '/海.*嵐/',
  'よみ:トウダイ',
  'title:見出し',
  'みだし',
  '海 +*海*',
  'tag:人物 海',
  'lighthuose',
  '灯火と海辺は何個？',
  '🐈 \ud800 \u0000 __proto__',
];

/** Chunks of one document have places of their own. */
function checksum(content: string): number {
  let sum = 7;
  for (let at = 0; at < content.length; at++) sum = (sum * 31 + content.charCodeAt(at)) % 1_000_003;
  return sum;
}

/** Makes a change. */
export async function apply(backend: SearchBackend, one: Step): Promise<void> {
  if (one.kind === 'compact') await backend.compact();
  else if (one.kind === 'remove') await backend.removeByFile(one);
  else if (one.kind === 'update') await backend.updateFile(one);
  else {
    const place = { startLine: 1, endLine: 1, chunkIndex: 90 + checksum(one.content) };
    await backend.add([new Chunk({ ...one, ...place, title: '見出し' })]);
  }
}

/** Answers every kind of query, with explanations and neighbours. */
export async function answers(backend: SearchBackend): Promise<readonly SearchResults[]> {
  const found: SearchResults[] = [];
  for (const query of queries) {
    const options = { explain: true, expand: { before: 1, after: 1 } };
    found.push(await backend.search(query, options));
  }
  return found;
}
