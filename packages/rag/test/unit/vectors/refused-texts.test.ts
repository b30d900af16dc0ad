import { LLMError, type EmbeddingModel } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HybridBackend } from '../../../src/backends/hybrid-backend.ts';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { paragraphs, scriptAnalyzer } from '../../../src/testing/index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';

const POISON = '毒';
const texts = Array.from({ length: 60 }, (_, at) => (at === 37 ? `${POISON}の沼` : `島${at}の猫`));
const document = { novelId: '灯台', filePath: 'a.md', text: texts.join('\n\n') };

/** Failures of a model on a text that it cannot take. */
type Failure = (values: readonly string[]) => Float32Array | readonly Float32Array[] | LLMError;
const FAILURES: Readonly<Record<string, Failure>> = {
  'answers 400': () => new LLMError('invalid_request', 'no'),
  'answers 413': () => new LLMError('context_length', 'too long'),
  'answers 500 with NaN': () => new LLMError('server', 'unsupported value: NaN'),
  'gives NaN': () => new Float32Array(512).fill(Number.NaN),
  'gives zeros': () => new Float32Array(512),
  'gives an infinite number': () => new Float32Array(512).fill(Infinity, 3, 4),
  'gives one NaN': () => new Float32Array(512).fill(0.1).fill(Number.NaN, 7, 8),
};

function poisonable(fail: Failure): {
  readonly model: EmbeddingModel;
  readonly embedded: string[];
} {
  const words = wordEmbeddings();
  const embedded: string[] = [];
  const model: EmbeddingModel = {
    ...words,
    async embed(request) {
      const isBad = (value: string): boolean => value.includes(POISON);
      const failure = request.values.some(isBad) ? fail(request.values) : undefined;
      if (failure instanceof LLMError) throw failure;
      const made = await words.embed(request);
      embedded.push(...request.values);
      const vectors = made.vectors.flatMap((vector, at) =>
        failure && isBad(request.values[at] ?? '') ? failure : vector,
      );
      return { ...made, vectors };
    },
  };
  return { model, embedded };
}

async function open(model: EmbeddingModel): Promise<HybridBackend> {
  const analyzer = scriptAnalyzer();
  const database = sqliteDatabase({ path: ':memory:' });
  const store = quantizedVectors({ database, dimensions: 512 });
  const keyword = await KeywordFlexBackend.open({ analyzer, chunking: paragraphs });
  const backend = await HybridBackend.open({
    keyword,
    database,
    store,
    embeddings: model,
    chunking: paragraphs,
    minScore: 1e-4,
  });
  onTestFinished(async () => {
    await backend.close();
    await database.close();
  });
  return backend;
}

describe.each(Object.entries(FAILURES))('a model that %s for one text', (_, fail) => {
  it('costs no other text its vector, and is asked for none twice', async () => {
    const { model, embedded } = poisonable(fail);
    const backend = await open(model);
    const refused: unknown[] = [];
    backend.events.on('vectors:refused', ({ chunks }) => void refused.push(...chunks));
    await backend.updateFile(document);
    expect(refused).toEqual([{ novelId: '灯台', file: 'a.md', start: 75, end: 75 }]);
    expect((await backend.search('島12の猫')).degraded).toBeUndefined();
    expect((await backend.search(`"${POISON}の沼"`)).hits[0]?.payload.start).toBe(75);
    const innocent = embedded.filter((text) => text.startsWith('島') && !text.startsWith('島12の'));
    expect(new Set(innocent).size).toBe(innocent.length);
    await backend.updateFile({ ...document, text: `${document.text}\n\n新しい港` });
    expect(embedded.filter((text) => text.startsWith('島3の'))).toHaveLength(1);
  });

  it('answers a question that has no vector by words', async () => {
    const { model } = poisonable(fail);
    const backend = await open(model);
    await backend.updateFile({ ...document, text: '島の猫\n\n嵐の夜' });
    const { hits, degraded } = await backend.search(`${POISON}と嵐の夜`);
    expect([hits[0]?.content, degraded]).toEqual(['嵐の夜', true]);
  });
});

it.each<[string, Failure]>([
  ['no vector', () => []],
  ['two vectors', () => [new Float32Array(512).fill(0.1), new Float32Array(512).fill(0.2)]],
])('a model that gives %s for one text costs no other text its vector', async (_, fail) => {
  const { model } = poisonable(fail);
  const backend = await open(model);
  const refused: unknown[] = [];
  backend.events.on('vectors:refused', ({ chunks }) => void refused.push(...chunks));
  await backend.updateFile(document);
  expect(refused).toEqual([{ novelId: '灯台', file: 'a.md', start: 75, end: 75 }]);
  expect((await backend.search('島12の猫')).degraded).toBeUndefined();
  const { hits, degraded } = await backend.search(`${POISON}の沼`);
  expect([hits[0]?.content, degraded]).toEqual([`${POISON}の沼`, true]);
});

it('a vector of other dimensions for the only text of a batch counts as refused', async () => {
  const { model } = poisonable(() => new Float32Array(511).fill(0.1));
  const backend = await open(model);
  await backend.updateFile(document);
  const refused: unknown[] = [];
  backend.events.on('vectors:refused', ({ chunks }) => void refused.push(...chunks));
  await backend.updateFile({ ...document, filePath: 'b.md', text: `${POISON}の海` });
  expect(refused).toEqual([{ novelId: '灯台', file: 'b.md', start: 1, end: 1 }]);
  const { hits, degraded } = await backend.search(`${POISON}の海`);
  expect([hits[0]?.content, degraded]).toEqual([`${POISON}の海`, true]);
});

it('a vector of other dimensions among those of other texts counts as refused', async () => {
  const { model } = poisonable(() => new Float32Array(511).fill(0.1));
  const backend = await open(model);
  const refused: unknown[] = [];
  backend.events.on('vectors:refused', ({ chunks }) => void refused.push(...chunks));
  await backend.updateFile(document);
  expect(refused).toEqual([{ novelId: '灯台', file: 'a.md', start: 75, end: 75 }]);
  expect((await backend.search('島12の猫')).degraded).toBeUndefined();
  expect((await backend.search(`"${POISON}の沼"`)).hits[0]?.payload.start).toBe(75);
});

it.each(['overloaded', 'network'] as const)(
  'a text that fails once by "%s" has its vector after the next catch-up',
  async (code) => {
    let isBusy = true;
    const { model, embedded } = poisonable(() =>
      isBusy ? new LLMError(code, 'no') : new Float32Array(512).fill(0.1),
    );
    const backend = await open(model);
    const refused: unknown[] = [];
    backend.events.on('vectors:refused', ({ chunks }) => void refused.push(...chunks));
    await backend.updateFile(document);
    isBusy = false;
    await backend.catchUp();
    expect(embedded.filter((text) => text === `${POISON}の沼`)).toHaveLength(1);
    expect(new Set(embedded)).toEqual(new Set(texts));
    expect(refused).toEqual([]);
  },
);

it.each(['invalid_request', 'context_length'] as const)(
  'a model that answers %s to every text is away: all are embedded later',
  async (code) => {
    const words = wordEmbeddings();
    let asked = 0;
    let isAway = true;
    const model: EmbeddingModel = {
      ...words,
      async embed(request) {
        asked++;
        if (isAway) throw new LLMError(code, 'no model is loaded');
        return words.embed(request);
      },
    };
    const backend = await open(model);
    const refused: unknown[] = [];
    backend.events.on('vectors:refused', ({ chunks }) => void refused.push(...chunks));
    await backend.updateFile(document);
    expect(asked).toBe(5);
    isAway = false;
    await backend.catchUp();
    expect(refused).toEqual([]);
    const { hits, degraded } = await backend.search('島12の猫');
    expect([hits[0]?.content, degraded]).toEqual(['島12の猫', undefined]);
  },
);
