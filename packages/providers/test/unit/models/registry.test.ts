import { LLMError } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai } from '@vizprompt/providers/openai';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { hashEmbeddings, scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

const request = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }] } as const;

describe('a model registry', () => {
  it('knows the adapters by themselves, with the settings that it is given', async () => {
    const llm = await fakeServer();
    const registry = createModelRegistry({
      openai: { baseURL: `${llm.url}/v1`, apiKey: KEY },
      gemini: { baseURL: llm.url, apiKey: KEY },
      ollama: { baseURL: llm.url },
      groq: { baseURL: `${llm.url}/v1`, apiKey: KEY },
      house: { baseURL: `${llm.url}/v1` },
    });
    for (const provider of ['openai', 'gemini', 'ollama', 'groq', 'house']) {
      const model = registry.model(`${provider}:a-model`);
      await model.generate(request);
      expect(model.modelId).toBe('a-model');
      const { vectors } = await registry.embeddings(`${provider}:e`).embed({ values: ['x'] });
      expect(vectors).toHaveLength(1);
    }
    expect(registry.model('house:m').provider).toBe('house');
    expect(llm.requests.map(({ wire }) => wire).filter((_, at) => at % 2 === 0)).toEqual([
      'openai',
      'gemini',
      'ollama',
      'openai',
      'openai',
    ]);
  });

  it('takes adapters, providers of one’s own, and aliases', async () => {
    const own = scriptedModel(['one', 'two']);
    const registry = createModelRegistry(
      {
        openai,
        gemini,
        ollama,
        mine: () => own,
        both: { model: () => own, embeddings: () => hashEmbeddings() },
      },
      { aliases: { fast: 'mine:any:thing' } },
    );
    expect((await registry.model('fast').generate(request)).text).toBe('one');
    expect((await registry.model('both:x').generate(request)).text).toBe('two');
    expect(registry.embeddings('both:x').provider).toBe(hashEmbeddings().provider);
    expect(registry.model('ollama:qwen3:8b').modelId).toBe('qwen3:8b');
  });

  it('gives the settings of a call precedence over its own', async () => {
    const llm = await fakeServer({ apiKey: KEY });
    const registry = createModelRegistry({ openai: { baseURL: `${llm.url}/v1`, apiKey: 'wrong' } });
    const model = registry.model('openai:m', { apiKey: KEY });
    expect((await model.generate(request)).text).not.toBe('');
  });

  it('sends its key and headers to its own address only', async () => {
    const llm = await fakeServer();
    const headers = { 'x-secret': KEY };
    const registry = createModelRegistry({
      house: { baseURL: 'https://llm.example.com/v1', apiKey: KEY, headers },
      openai: { apiKey: KEY, headers },
      ollama: { apiKey: KEY, headers },
      anthropic: { apiKey: KEY, headers },
    });
    const here: Readonly<Record<string, string>> = {
      'house:m': `${llm.url}/v1`,
      'openai:m': `${llm.url}/v1`,
      'ollama:m': llm.url,
      'anthropic:claude-sonnet-5-5': llm.url,
    };
    for (const [name, baseURL] of Object.entries(here)) {
      await registry.model(name, { baseURL }).generate(request);
    }
    expect(llm.requests).toHaveLength(4);
    expect(JSON.stringify(llm.requests)).not.toContain(KEY);
  });

  it('says what there is when a name leads nowhere', () => {
    const registry = createModelRegistry({}, { aliases: { fast: 'openai:m' } });
    for (const [name, message] of [
      [
        'claude:x',
        /there is no provider 'claude' \(providers: .*gemini.*ollama.*; aliases: fast\)/,
      ],
      ['gpt-5', /'gpt-5' names no model: write provider:model/],
    ] as const) {
      expect(() => registry.model(name)).toThrow(message);
      expect(() => registry.embeddings(name)).toThrow(LLMError);
    }
  });
});
