import { compose, retry } from '@vizprompt/providers/middleware';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

const MODELS = ['ollama:m', 'openai:m', 'gemini:m', 'groq:m'] as const;

describe('a model is prepared', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(MODELS)('without being asked: %s', async (name) => {
    const llm = await startFakeLLM();
    onTestFinished(() => llm.close());
    const model = createModelRegistry().model(name, { baseURL: llm.url, apiKey: 'k' });
    await model.prepare?.();
    expect(model.prepare).toBeTypeOf('function');
    expect(llm.requests).toEqual([]);
  });

  it.each([
    ['openai:m', 'OPENAI_API_KEY'],
    ['gemini:m', 'GEMINI_API_KEY'],
    ['groq:m', 'GROQ_API_KEY'],
  ])('in vain without a key: %s', async (name, variable) => {
    vi.stubEnv(variable, '');
    await expect(createModelRegistry().model(name).prepare?.()).rejects.toMatchObject({
      code: 'auth',
      message: expect.stringContaining(variable),
    });
  });

  it('not through a middleware, which may answer in its place', () => {
    const model = createModelRegistry().model('ollama:m');
    expect(compose(model, retry()).prepare).toBeUndefined();
  });
});
