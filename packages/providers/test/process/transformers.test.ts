import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { testEmbeddingModel } from '@vizprompt/providers/testing';
import {
  transformersEmbeddings,
  type DownloadProgress,
  type TransformersEmbeddingsOptions,
} from '@vizprompt/providers/transformers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ONNX_TABLE,
  ONNX_WIDTH,
  ONNX_WORDS,
  writeOnnxModel,
} from '../support/models/write-onnx-model.ts';
import { temporaryFolder } from '../support/subjects.ts';

/** The package has 474 MB with its runtimes: it is tested where it is installed. */
const NAME = '@huggingface/transformers';
const isInstalled = await import(/* @vite-ignore */ NAME).then(
  () => true,
  () => false,
);
const missing = isInstalled ? '' : ` (left out: npm install --no-save --ignore-scripts ${NAME})`;

async function model(
  options: Partial<TransformersEmbeddingsOptions> = {},
): Promise<TransformersEmbeddingsOptions> {
  const { path: folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  await writeOnnxModel(folder);
  return { model: folder, ...options };
}

function row(word: string): number[] {
  const at = Math.max(1, ONNX_WORDS.indexOf(word)) * ONNX_WIDTH;
  return Array.from(ONNX_TABLE.slice(at, at + ONNX_WIDTH));
}

function mean(...words: readonly string[]): number[] {
  const rows = words.map(row);
  return Array.from({ length: ONNX_WIDTH }, (_, at) =>
    rows.reduce((sum, values) => sum + (values[at] ?? 0) / rows.length, 0),
  );
}

function unit(vector: readonly number[]): number[] {
  return vector.map((value) => value / Math.hypot(...vector));
}

async function embed(
  options: TransformersEmbeddingsOptions,
  values: readonly string[],
  kind?: 'query',
): Promise<number[][]> {
  const { vectors } = await transformersEmbeddings(options).embed({ values, kind });
  return vectors.map((vector) => [...vector].map((value) => Math.round(value * 1e5) / 1e5));
}

const near = (vector: readonly number[]): number[] =>
  vector.map((value) => Math.round(value * 1e5) / 1e5);

describe.skipIf(!isInstalled)(`transformersEmbeddings on a real ONNX model${missing}`, () => {
  const values = ['山 川 海', '川', '山 何か'];

  it('takes the mean of the tokens of each text, whatever fills it up', async () => {
    const embeddings = transformersEmbeddings(await model());
    const { vectors, usage } = await embeddings.embed({ values });
    const expected = [mean('山', '川', '海'), mean('川'), mean('山', '[UNK]')].map(unit);
    for (const [index, vector] of vectors.entries()) {
      for (const [at, value] of vector.entries()) {
        expect(value).toBeCloseTo(expected[index]?.[at] ?? Number.NaN, 5);
      }
    }
    expect(usage).toEqual({ inputTokens: 6 });
  });

  it('takes the first or the last token', async () => {
    const options = await model({ normalize: false });
    expect(await embed({ ...options, pooling: 'cls' }, values)).toEqual(
      [row('山'), row('川'), row('山')].map(near),
    );
    expect(await embed({ ...options, pooling: 'last_token' }, values)).toEqual(
      [row('海'), row('川'), row('[UNK]')].map(near),
    );
  });

  it('puts prefixes before questions and documents', async () => {
    const prefixes = { query: 'query: ', passage: 'passage: ' };
    const options = await model({ normalize: false, prefixes });
    expect(await embed(options, ['山'])).toEqual([near(mean('passage:', '山'))]);
    expect(await embed(options, ['山'], 'query')).toEqual([near(mean('query:', '山'))]);
  });

  it('shortens vectors, and cuts texts that are too long', async () => {
    const options = await model({ dimensions: 2 });
    expect(await embed(options, ['山'])).toEqual([near(unit(row('山').slice(0, 2)))]);
    const long = `${'山 '.repeat(6)}${'海 '.repeat(9)}`;
    expect(await embed(options, [long])).toEqual(await embed(options, ['山']));
    await expect(embed({ ...options, dimensions: 5 }, ['山'])).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('names what is missing', async () => {
    const options = await model({ dtype: 'q4' });
    await expect(embed(options, ['山'])).rejects.toMatchObject({
      code: 'not_found',
      message: /model_q4\.onnx/,
    });
    const { path: cacheFolder, remove } = await temporaryFolder();
    onTestFinished(remove);
    const offline = { model: 'nobody/nothing', offline: true, cacheFolder };
    await expect(embed(offline, ['山'])).rejects.toMatchObject({
      code: 'not_found',
      message: /without `offline`/,
    });
  });

  it('finds a model that was downloaded before, without the network', async () => {
    const { path: cacheFolder, remove } = await temporaryFolder();
    onTestFinished(remove);
    await writeOnnxModel(path.join(cacheFolder, 'nobody', 'something'));
    const cached = { model: 'nobody/something', offline: true, cacheFolder };
    expect(await embed({ ...cached, normalize: false }, ['山'])).toEqual([near(row('山'))]);
  });

  it('downloads a model, and says how far it is', async () => {
    const { path: folder, remove } = await temporaryFolder();
    onTestFinished(remove);
    await writeOnnxModel(path.join(folder, 'hub'));
    const hub = createServer((request, response) => {
      const [, file = ''] = /\/resolve\/main\/(.*)$/.exec(request.url ?? '') ?? [];
      readFile(path.join(folder, 'hub', file)).then(
        (content) => response.setHeader('content-length', content.length).end(content),
        () => response.writeHead(404).end(),
      );
    });
    await once(hub.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void hub.close());
    const { env } = await import('@huggingface/transformers');
    const { remoteHost } = env;
    const address = hub.address();
    env.remoteHost = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    onTestFinished(() => void (env.remoteHost = remoteHost));
    const seen: DownloadProgress[] = [];
    const options = {
      model: 'nobody/remote',
      cacheFolder: path.join(folder, 'cache'),
      normalize: false,
      onProgress: (progress: DownloadProgress) => void seen.push(progress),
    };
    expect(await embed(options, ['山'])).toEqual([near(row('山'))]);
    const { size } = await stat(path.join(folder, 'hub/onnx/model.onnx'));
    expect(seen).toContainEqual({ file: 'onnx/model.onnx', loaded: size, total: size });
    hub.close();
    expect(await embed({ ...options, offline: true }, ['山'])).toEqual([near(row('山'))]);
    await expect(embed({ ...options, model: 'nobody/else' }, ['山'])).rejects.toMatchObject({
      code: 'network',
      isRetryable: true,
    });
  });

  testEmbeddingModel({
    name: 'transformersEmbeddings',
    runner: { describe, it },
    open: async () => ({ subject: transformersEmbeddings(await model()), close: async () => {} }),
  });
});
