import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { staticEmbeddings } from '@vizprompt/providers/static-embeddings';
import { expect, it, onTestFinished } from 'vitest';
import { HybridBackend, SegmentBackend } from '../../../src/index.ts';
import { openCompact } from '../../support/compact-analyzer.ts';
import { temporaryFolder } from '../../support/search-index.ts';

/** Words of one line mean the same: they have the same row, and those of other lines another one. */
const MEANINGS = [
  ['[UNK]'],
  ['怒鳴る', '叫ぶ', '大声'],
  ['眠る', '休む', '寝床'],
  ['猫', '子猫', '動物'],
  ['雨', '嵐', '天気'],
];

/** Writes a model in the format of Model2Vec, with words between spaces. */
function writeModel(folder: string): void {
  const width = MEANINGS.length;
  const rows = MEANINGS.flatMap((words, line) =>
    words.map(() => Float32Array.from({ length: width }, (_, at) => (at === line ? 1 : 0.01))),
  );
  const bytes = Buffer.concat(rows.map(({ buffer }) => Buffer.from(buffer)));
  const shape = [rows.length, width];
  const header = JSON.stringify({
    embeddings: { dtype: 'F32', shape, data_offsets: [0, bytes.length] },
  });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  writeFileSync(
    join(folder, 'model.safetensors'),
    Buffer.concat([length, Buffer.from(header), bytes]),
  );
  const vocab = Object.fromEntries(MEANINGS.flat().map((word, at) => [word, at]));
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', unk_token: '[UNK]', vocab },
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ normalize: true }));
}

it('a static model finds by meaning what no word finds, next to words', async () => {
  const folder = temporaryFolder();
  writeModel(folder);
  const embeddings = staticEmbeddings({ folder });
  const database = sqliteDatabase({ path: join(folder, 'v.db'), durability: 'normal' });
  const keyword = await SegmentBackend.open({
    folder: join(folder, 'index'),
    analyzer: await openCompact(),
  });
  const store = quantizedVectors({ database, dimensions: MEANINGS.length });
  const backend = await HybridBackend.open({ keyword, database, store, embeddings });
  onTestFinished(async () => {
    await backend.close();
    await database.close();
  });
  const texts = { a: '彼 は 丘 で 怒鳴る', b: '娘 は 森 で 眠る', c: '庭 に 子猫 が いる' };
  for (const [name, text] of Object.entries(texts)) {
    await backend.updateFile({ novelId: '本', filePath: `${name}.txt`, text });
  }
  const first = async (query: string): Promise<string | undefined> =>
    (await backend.search(query)).hits[0]?.payload.file;
  // Words find nothing.
  expect((await keyword.search('大声')).total).toBe(0);
  expect(await first('大声')).toBe('a.txt');
  expect(await first('寝床')).toBe('b.txt');
  expect(await first('動物')).toBe('c.txt');
  // Words decide where they are sure.
  expect(await first('森 で 怒鳴る')).toBe(
    (await keyword.search('森 で 怒鳴る')).hits[0]?.payload.file,
  );
});
