import { LLMError, textMessage, type ChatModel, type EmbeddingModel } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini, geminiEmbeddings } from '@vizprompt/providers/gemini';
import { openai } from '@vizprompt/providers/openai';
import { describe, expect, it, vi } from 'vitest';
import { adapters, fakeServer, KEY } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', 'hello')] };

async function errorOf(model: ChatModel | EmbeddingModel | undefined): Promise<LLMError> {
  if (!model) throw new Error('there is no such model');
  const calling = 'embed' in model ? model.embed({ values: ['x'] }) : model.generate(request);
  const error: unknown = await calling.catch((thrown: unknown) => thrown);
  if (!LLMError.isInstance(error)) throw error;
  expect(error.message).not.toMatch(/\n/);
  expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toContain(KEY);
  return error;
}

describe('no key', () => {
  it.each([
    ['OPENAI_API_KEY', (): ChatModel => openai({ model: 'gpt-5-mini' })],
    ['OPENROUTER_API_KEY', (): ChatModel => openai({ model: 'm', profile: 'openrouter' })],
    ['ANTHROPIC_API_KEY', (): ChatModel => anthropic({ model: 'claude-sonnet-5-5' })],
    ['GEMINI_API_KEY', (): ChatModel => gemini({ model: 'gemini-3-flash' })],
    ['GEMINI_API_KEY', (): EmbeddingModel => geminiEmbeddings({ model: 'e' })],
  ])('is said with the name of its variable, %s', async (name, make) => {
    const variables = ['OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'];
    for (const variable of [...variables, 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']) {
      vi.stubEnv(variable, '');
    }
    const error = await errorOf(make());
    expect(error.code).toBe('auth');
    expect(error.message).toContain(`there is no key: set ${name} or pass apiKey`);
    vi.unstubAllEnvs();
  });

  it('is no matter where the server needs none', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    const llm = await fakeServer();
    const model = openai({ model: 'fake', baseURL: `${llm.url}/v1` });
    expect((await model.generate(request)).text).not.toBe('');
    vi.unstubAllEnvs();
  });
});

describe.each(Object.entries(adapters))('%s', (_, adapter) => {
  it('says that the key is wrong, without the key', async () => {
    const llm = await fakeServer({ apiKey: 'sk-right-0123456789abcdefghij' });
    const error = await errorOf(adapter.model(llm.url));
    expect(error).toMatchObject({ code: 'auth', isRetryable: false });
    expect(error.message).toMatch(/; check (the key|\w+_API_KEY or pass apiKey|)/);
  });

  it('says that there is no such model', async () => {
    const llm = await fakeServer({ models: ['other'] });
    const error = await errorOf(adapter.model(llm.url, { model: 'typo' }));
    expect(error).toMatchObject({ code: 'not_found', modelId: 'typo' });
    expect(error.message).toContain("model 'typo'");
    expect(error.message).toMatch(/check the name of the model|ollama pull/);
  });

  it('says that nothing listens', async () => {
    const llm = await fakeServer();
    await llm.close();
    const error = await errorOf(adapter.model(llm.url));
    expect(error).toMatchObject({ code: 'network', isRetryable: true });
    expect(error.message).toBe(
      `${adapter.provider} model 'fake' at ${error.context['address'] as string}: ` +
        'nothing listens there (ECONNREFUSED): start the server, or correct the address',
    );
    const embeddings = adapter.embeddings?.(llm.url);
    if (!embeddings) return;
    expect((await errorOf(embeddings)).message).toContain('nothing listens there');
  });

  it('says that the host is not known', async () => {
    const error = await errorOf(adapter.model('http://no-such-host.invalid'));
    expect(error.code).toBe('network');
    expect(error.message).toMatch(/the name of the host is not known/);
  });

  it('shows no password of an address', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'status', status: 500 });
    const address = llm.url.replace('//', '//user:hunter2-secret@');
    const error: unknown = await adapter
      .model(address)
      .generate(request)
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('hunter2');
  });

  it.runIf(adapter.embeddings)('says when vectors are not what was asked for', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'not-json' });
    const error = await errorOf(adapter.embeddings?.(llm.url));
    expect(error.code).toBe('bad_response');
  });
});
