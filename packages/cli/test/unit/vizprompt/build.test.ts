import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredNode } from '@vizprompt/core';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sharedProject, testProject } from '../../support/project.ts';

const bad = sharedProject();

async function fakeLLM(): Promise<FakeLLM> {
  const llm = await startFakeLLM({ answer: '要約: 認証にJWTを使う。\nタグ: 認証, JWT, 設計' });
  onTestFinished(() => llm.close());
  return llm;
}

describe('vizprompt build', () => {
  it('makes summaries, tags, keywords and the index from the text, without a model', async () => {
    const { place, run, json, node } = await testProject();
    await node('認証はどうする？', 'JWTを使用します。');
    await node('期限は？', '十五分です。');
    const { code, stdout, stderr } = await run(['build']);
    expect([code, stdout, stderr]).toEqual([0, 'Built 2 nodes\n', '']);
    const { summary, tags } = await json<StoredNode>(['get-node', '1']);
    expect(summary).toMatchObject({ isOutdated: false });
    expect(summary.text).toContain('JWT');
    expect(tags).not.toEqual([]);
    expect(await readFile(join(place.cwd, 'metadata/tags.yaml'), 'utf8')).toContain('JWT');
    expect(await readFile(join(place.cwd, 'metadata/index.yaml'), 'utf8')).toContain('keywords:');
    expect(await json(['build'])).toEqual({ built: 0, failed: [], postponed: 0 });
  });

  it.each([
    ['ollama:m', '', {}],
    ['openai:m', '/v1', { OPENAI_API_KEY: 'k' }],
    ['gemini:m', '', { GEMINI_API_KEY: 'k' }],
  ])('asks %s', async (model, path, env) => {
    const llm = await fakeLLM();
    const { json, node } = await testProject();
    await node('認証はどうする？', 'JWTを使用します。');
    const words = ['build', '--model', model, '--base-url', llm.url + path, '--concurrency', '1'];
    expect(await json(words, { env })).toEqual({ built: 1, failed: [], postponed: 0 });
    const built = await json<StoredNode>(['get-node', '1']);
    expect(built.summary.text).toBe('認証にJWTを使う。');
    expect(built.tags).toEqual(expect.arrayContaining(['認証', 'JWT', '設計']));
    expect(llm.requests).toHaveLength(1);
  });

  it('builds the nodes that are named again', async () => {
    const { run, json, node } = await testProject();
    const { id } = await node('一', '壱');
    await node('二', '弐');
    expect((await run(['build', '1'])).stdout).toBe('Built 1 node\n');
    expect((await json<StoredNode>(['get-node', id])).summary.isOutdated).toBe(false);
    expect((await json<StoredNode>(['get-node', '2'])).summary.isOutdated).toBe(true);
  });

  it('names the nodes that a model failed at, keeps the others, and does not end with 0', async () => {
    const llm = await fakeLLM();
    const { run, json, node } = await testProject();
    await node('一', '壱');
    const { id } = await node('二', '弐');
    llm.fail([], { type: 'status', status: 400 });
    const words = ['build', '--model', 'ollama:m', '--base-url', llm.url, '--concurrency', '1'];
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout]).toEqual([6, 'Built 1 node\n']);
    expect(stderr).toContain('1 node got no summary');
    expect(stderr).toContain(`${id}: `);
    expect((await json<StoredNode>(['get-node', '1'])).summary.isOutdated).toBe(false);
    expect((await run(words)).stdout).toBe('Built 1 node\n');
  });

  it('stops at Ctrl+C, and what was built stays', async () => {
    const llm = await fakeLLM();
    const { place, json, node } = await testProject();
    await node('一', '壱');
    await node('二', '弐');
    llm.fail([], { type: 'stall-before-headers' });
    const words = ['build', '--model', 'ollama:m', '--base-url', llm.url, '--concurrency', '1'];
    const build = place.start('vizprompt', words);
    await expect.poll(() => llm.requests.length).toBe(2);
    expect(await build.end('SIGINT')).toBe(130);
    expect((await json<StoredNode>(['get-node', '1'])).summary.isOutdated).toBe(false);
    expect((await json<StoredNode>(['get-node', '2'])).summary.isOutdated).toBe(true);
  });

  it.each([
    [['build', '--model', 'ollama'], 2, "'ollama' names no model: write provider:model"],
    [['build', '--model', 'nobody:m'], 2, "there is no provider 'nobody'"],
    [['build', '--base-url', 'http://x'], 2, '--base-url needs --model'],
    [['build', '--concurrency', '0'], 2, 'expected a whole number from 1 to 64'],
    [['build', '9'], 3, 'no node 9'],
    [['build', '--model', 'openai:m'], 6, 'OPENAI_API_KEY'],
  ])('refuses %j', async (args, code, message) => {
    const result = await bad.run(args);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});
