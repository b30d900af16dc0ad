import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { LLMError } from '@vizprompt/providers';
import { staticEmbeddings } from '@vizprompt/providers/static-embeddings';
import { testEmbeddingModel } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diceOf } from '../../support/dice.ts';
import {
  safetensors,
  tensor,
  unigramTokenizer,
  withHeader,
  wordTokenizer,
  writeFiles,
} from '../../support/models/write-static-model.ts';
import { temporaryFolder } from '../../support/subjects.ts';

const WORDS = ['[UNK]', '山', '川', '海', '空', 'cat', '🐈'];
const WIDTH = 12;
const dice = diceOf('static');
/** Whole numbers of 64ths: 16 bits hold them exactly; 8 bits hold the numerators. */
const WHOLE = Array.from({ length: WORDS.length * WIDTH }, () => dice.below(200) - 100);
const TABLE = WHOLE.map((value) => value / 64);

/** Returns the files of a model; `undefined` leaves one out. */
async function model(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { path: folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const all = {
    'model.safetensors': safetensors({ embeddings: tensor('F32', [WORDS.length, WIDTH], TABLE) }),
    'tokenizer.json': wordTokenizer(WORDS),
    'config.json': { model_type: 'model2vec', normalize: true },
    ...files,
  };
  await writeFiles(
    folder,
    Object.fromEntries(Object.entries(all).filter(([, content]) => content !== undefined)),
  );
  return folder;
}

interface Reference {
  readonly table?: readonly number[];
  readonly weights?: readonly number[];
  readonly mapping?: readonly number[];
  readonly isNormalized?: boolean;
  readonly keepsUnknown?: boolean;
  readonly width?: number;
}

/** Returns the mean of the rows of the words, computed with nothing of the package. */
function reference(text: string, how: Reference = {}): number[] {
  const {
    table = TABLE,
    weights,
    mapping,
    isNormalized = true,
    keepsUnknown = false,
    width = WIDTH,
  } = how;
  const ids = text
    .toLowerCase()
    .split(' ')
    .filter(Boolean)
    .map((word) => Math.max(0, WORDS.indexOf(word)))
    .filter((id) => keepsUnknown || id !== 0);
  const mean = Array.from(
    { length: width },
    (_, column) =>
      ids.reduce(
        (sum, id) =>
          sum + (table[(mapping?.[id] ?? id) * WIDTH + column] ?? 0) * (weights?.[id] ?? 1),
        0,
      ) / ids.length,
  );
  const length = isNormalized ? Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0)) : 1;
  return mean.map((value) => value / length);
}

const TEXTS = [
  '山',
  '川 海',
  '山 山 空',
  'Cat 🐈 山',
  '海 何か 空',
  ...Array.from({ length: 40 }, () =>
    Array.from({ length: 1 + dice.below(20) }, () => dice.of(WORDS.slice(1))).join(' '),
  ),
];

/** Returns the largest difference of any number of any text from the reference. */
async function distance(
  folder: string,
  how: Reference = {},
  options: object = {},
): Promise<number> {
  const { vectors } = await staticEmbeddings({ folder, ...options }).embed({ values: TEXTS });
  const differences = vectors.flatMap((vector, index) => {
    const expected = reference(TEXTS[index] ?? '', how);
    if (expected.length !== vector.length) throw new Error(`${vector.length} numbers`);
    return expected.map((value, at) => Math.abs(value - (vector[at] ?? Number.NaN)));
  });
  return Math.max(...differences);
}

const NEAR = 1e-5;

describe('vectors equal an independent reference', () => {
  for (const type of ['F64', 'F32', 'F16', 'BF16', 'I8']) {
    // BF16 has 8 bits of precision, which hold whole numbers up to 100 and their 64ths.
    it(`with numbers of the type ${type}`, async () => {
      const table = type === 'I8' ? WHOLE : TABLE;
      const file = safetensors({ embeddings: tensor(type, [WORDS.length, WIDTH], table) });
      expect(await distance(await model({ 'model.safetensors': file }), { table })).toBeLessThan(
        NEAR,
      );
    });
  }

  it('with numbers too small for a normal float of 16 bits', async () => {
    const table = WHOLE.map((value) => value / 2 ** 24);
    const file = safetensors({ embeddings: tensor('F16', [WORDS.length, WIDTH], table) });
    expect(await distance(await model({ 'model.safetensors': file }), { table })).toBeLessThan(
      NEAR,
    );
  });

  it('without normalisation, and where it is asked for', async () => {
    const folder = await model({ 'config.json': { model_type: 'model2vec', normalize: false } });
    expect(await distance(folder, { isNormalized: false })).toBeLessThan(NEAR);
    expect(await distance(folder, {}, { normalize: true })).toBeLessThan(NEAR);
  });

  it('with weights and a mapping of the tokens', async () => {
    const mapping = [0, 2, 2, 1, 0, 1, 2];
    const weights = [1, 0.5, 0.25, 2, 1, 0.125, 3];
    const file = safetensors({
      mapping: tensor('I64', [WORDS.length], mapping),
      embeddings: tensor('F16', [3, WIDTH], TABLE.slice(0, 3 * WIDTH)),
      weights: tensor('F64', [WORDS.length], weights),
    });
    expect(
      await distance(await model({ 'model.safetensors': file }), { mapping, weights }),
    ).toBeLessThan(NEAR);
  });

  const table = tensor('F32', [WORDS.length, WIDTH], TABLE);
  const weights = safetensors({ 'embedding.weight': table });
  const type = 'sentence_transformers.models.StaticEmbedding';
  const normalize = { idx: 1, path: '1_Normalize', type: 'sentence_transformers.models.Normalize' };

  it('of sentence-transformers, in a folder and at the root', async () => {
    const inFolder = await model({
      'model.safetensors': undefined,
      'tokenizer.json': undefined,
      'config.json': undefined,
      'modules.json': [{ idx: 0, path: '0_StaticEmbedding', type }],
      '0_StaticEmbedding/model.safetensors': weights,
      '0_StaticEmbedding/tokenizer.json': wordTokenizer(WORDS),
    });
    expect(await distance(inFolder, { keepsUnknown: true, isNormalized: false })).toBeLessThan(
      NEAR,
    );
    const atRoot = await model({
      'model.safetensors': weights,
      'config.json': undefined,
      'modules.json': [{ idx: 0, path: '', type }, normalize],
    });
    expect(await distance(atRoot, { keepsUnknown: true })).toBeLessThan(NEAR);
    const moved =
      'sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding';
    const newer = await model({
      'model.safetensors': weights,
      'config.json': undefined,
      'modules.json': [{ idx: 0, path: '.', type: moved }, normalize],
    });
    expect(await distance(newer, { keepsUnknown: true })).toBeLessThan(NEAR);
  });

  it('shortened', async () => {
    expect(await distance(await model(), { width: 5 }, { dimensions: 5 })).toBeLessThan(NEAR);
  });

  it('cut after tokens, as the tokenizer or the caller says', async () => {
    const long = Array.from({ length: 600 }, (_, at) => (at < 512 ? '山' : '海')).join(' ');
    const cut = await model({
      'tokenizer.json': wordTokenizer(WORDS, { truncation: { max_length: 2 } }),
    });
    const embedded = async (folder: string, maxTokens?: number) =>
      staticEmbeddings({ folder, maxTokens }).embed({ values: [long, '山 川 海'] });
    const whole = await embedded(await model());
    expect(closeTo(whole.vectors[0], reference('山'))).toBe(true);
    expect(whole.usage.inputTokens).toBe(515);
    expect(closeTo((await embedded(cut)).vectors[1], reference('山 川'))).toBe(true);
    expect(closeTo((await embedded(cut, 3)).vectors[1], reference('山 川 海'))).toBe(true);
  });

  function closeTo(vector: Float32Array | undefined, expected: readonly number[]): boolean {
    return expected.every((value, at) => Math.abs(value - (vector?.[at] ?? NaN)) < 1e-5);
  }
});

it('takes Japanese apart by pieces', async () => {
  const pieces = ['東京', '都', '京都', 'の', '山'];
  const folder = await model({
    'tokenizer.json': unigramTokenizer(pieces),
    'model.safetensors': safetensors({
      embeddings: tensor('F32', [7, 2], [0, 0, 0, 0, 1, 0, 0, 1, 5, 5, 0, 0, 3, 3]),
    }),
    'config.json': { normalize: false },
  });
  const { vectors, usage } = await staticEmbeddings({ folder }).embed({ values: ['東京都'] });
  // ▁, 東京, 都
  expect([...(vectors[0] ?? [])].map((value) => Math.round(value * 3))).toEqual([1, 1]);
  expect(usage).toEqual({ inputTokens: 3 });
});

it('gives texts without a known token a direction', async () => {
  const values = ['', '   ', '知らない', '\u0000', '\uD800'];
  const { vectors } = await staticEmbeddings({ folder: await model() }).embed({ values });
  for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
});

describe('a folder that is no model', () => {
  const entry = (shape: readonly number[], from: number, to: number, dtype = 'F32'): string =>
    JSON.stringify({ embeddings: { dtype, shape, data_offsets: [from, to] } });
  const good = safetensors({ embeddings: tensor('F32', [WORDS.length, WIDTH], TABLE) });
  const files = (bytes: unknown) => ({ 'model.safetensors': bytes });
  const cases: readonly (readonly [
    what: string,
    files: Record<string, unknown>,
    code: string,
    words: RegExp,
  ])[] = [
    ['no table', files(undefined), 'not_found', /model\.safetensors.*download/],
    ['no tokenizer', { 'tokenizer.json': undefined }, 'not_found', /tokenizer\.json/],
    [
      'a tokenizer that is not JSON',
      { 'tokenizer.json': '{"model":' },
      'bad_response',
      /tokenizer\.json' is not JSON/,
    ],
    ['another tokenizer', { 'tokenizer.json': {} }, 'bad_response', /has no 'model'/],
    [
      'an unknown kind of tokenizer',
      { 'tokenizer.json': { model: { type: 'Odd', vocab: {} } } },
      'unsupported',
      /tokenizer\.json/,
    ],
    ['a config that is not JSON', { 'config.json': '<html>' }, 'bad_response', /config\.json/],
    ['an empty file', files(''), 'bad_response', /0 bytes/],
    [
      'a pointer of Git LFS',
      files('version https://git-lfs.github.com/spec/v1\n'),
      'bad_response',
      /header claims/,
    ],
    [
      'a page of HTML',
      files('<!DOCTYPE html><html><body>404</body></html>'),
      'bad_response',
      /header claims/,
    ],
    ['a header without an end', files(good.subarray(0, 20)), 'bad_response', /header ends at byte/],
    ['a truncated table', files(good.subarray(0, -3)), 'bad_response', /truncated/],
    [
      'bytes after the table',
      files(Buffer.concat([good, Buffer.alloc(4)])),
      'bad_response',
      /4 bytes follow/,
    ],
    ['a header that is not JSON', files(withHeader('{"a":')), 'bad_response', /not a JSON object/],
    ['a header that is a list', files(withHeader('[]')), 'bad_response', /not a JSON object/],
    [
      'a shape that does not fit',
      files(withHeader(entry([2, 3], 0, 20), [Buffer.alloc(20)])),
      'bad_response',
      /needs 24 bytes and has 20/,
    ],
    [
      'a huge shape',
      files(withHeader(entry([2 ** 50, 2 ** 50], 0, 8), [Buffer.alloc(8)])),
      'bad_response',
      /needs/,
    ],
    [
      'a negative shape',
      files(withHeader(entry([-2, -3], 0, 24), [Buffer.alloc(24)])),
      'bad_response',
      /invalid/,
    ],
    [
      'a hole',
      files(withHeader(entry([1, 1], 4, 8), [Buffer.alloc(8)])),
      'bad_response',
      /begins at byte/,
    ],
    [
      'offsets backwards',
      files(withHeader(entry([1], 8, 4), [Buffer.alloc(8)])),
      'bad_response',
      /invalid/,
    ],
    [
      'numbers of 8 bits with a point',
      files(withHeader(entry([1, 4], 0, 4, 'F8_E4M3'), [Buffer.alloc(4)])),
      'unsupported',
      /F8_E4M3/,
    ],
    [
      'another model',
      files(safetensors({ 'encoder.weight': tensor('F32', [1], [1]) })),
      'unsupported',
      /encoder\.weight/,
    ],
    [
      'a cube',
      files(safetensors({ embeddings: tensor('F32', [1, 1, 1], [1]) })),
      'bad_response',
      /no table/,
    ],
    [
      'too few rows',
      files(safetensors({ embeddings: tensor('F32', [3, 2], [1, 2, 3, 4, 5, 6]) })),
      'bad_response',
      /row 3 of 3/,
    ],
    [
      'too few weights',
      files(
        safetensors({
          embeddings: tensor('F32', [7, 1], [1, 2, 3, 4, 5, 6, 7]),
          weights: tensor('F32', [2], [1, 1]),
        }),
      ),
      'bad_response',
      /2 numbers for 7 tokens/,
    ],
    [
      'a mapping out of the table',
      files(
        safetensors({
          embeddings: tensor('F32', [1, 1], [1]),
          mapping: tensor('I32', [7], [0, 0, 0, -1, 0, 0, 0]),
        }),
      ),
      'bad_response',
      /row -1/,
    ],
    [
      'layers',
      { 'modules.json': [{ type: 'sentence_transformers.models.Transformer', path: '' }] },
      'unsupported',
      /Transformer.*transformersEmbeddings/,
    ],
    [
      'a path out of the folder',
      { 'modules.json': [{ type: 'x.StaticEmbedding', path: '../other' }] },
      'bad_response',
      /leads out/,
    ],
  ];

  for (const [what, changed, code, words] of cases) {
    it(`names ${what}`, async () => {
      const folder = await model(changed);
      const error: unknown = await staticEmbeddings({ folder })
        .embed({ values: ['山'] })
        .catch((thrown: unknown) => thrown);
      if (!LLMError.isInstance(error)) throw new Error('expected an LLMError', { cause: error });
      expect(error).toMatchObject({
        code,
        isRetryable: false,
        provider: 'static',
        modelId: path.basename(folder),
      });
      expect(error.message).toMatch(words);
    });
  }

  it.skipIf(process.platform === 'win32')('names pipes, and waits for none', async () => {
    const folder = await model();
    for (const name of ['config.json', 'model.safetensors']) {
      await rm(path.join(folder, name));
      execFileSync('mkfifo', [path.join(folder, name)]);
      await expect(staticEmbeddings({ folder }).embed({ values: ['山'] })).rejects.toMatchObject({
        message: expect.stringContaining(name),
      });
      await rm(path.join(folder, name));
      await writeFiles(folder, { [name]: name === 'config.json' ? {} : good });
    }
  });

  it('is read again when it has been repaired', async () => {
    const folder = await model(files(undefined));
    const embeddings = staticEmbeddings({ folder });
    await expect(embeddings.embed({ values: ['山'] })).rejects.toMatchObject({ code: 'not_found' });
    await writeFiles(folder, { 'model.safetensors': good });
    expect((await embeddings.embed({ values: ['山'] })).vectors).toHaveLength(1);
  });

  it('refuses more dimensions than there are', async () => {
    const embeddings = staticEmbeddings({ folder: await model(), dimensions: 13 });
    await expect(embeddings.embed({ values: ['山'] })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

testEmbeddingModel({
  name: 'staticEmbeddings',
  runner: { describe, it },
  open: async () => ({
    subject: staticEmbeddings({ folder: await model(), maxBatch: 7 }),
    close: async () => {},
  }),
});
