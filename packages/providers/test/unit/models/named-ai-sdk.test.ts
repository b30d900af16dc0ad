import { textMessage } from '@vizprompt/providers';
import { aiSdkModel } from '@vizprompt/providers/ai-sdk';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../../support/models/adapters.ts';

const ask = { messages: [textMessage('user', '猫は好き？')] };
const COMPATIBLE = '@ai-sdk/openai-compatible';

describe('a provider of the AI SDK by the name of its package', () => {
  it('answers, and is named as it was asked for', async () => {
    const llm = await fakeServer();
    const model = createModelRegistry().model(`ai-sdk:${COMPATIBLE}:some:model`, {
      baseURL: `${llm.url}/v1`,
      apiKey: 'k',
    });
    expect(`${model.provider}:${model.modelId}`).toBe(`ai-sdk:${COMPATIBLE}:some:model`);
    expect((await model.generate(ask)).text).toBe('はい、猫です。🐈 こんにちは。');
    expect(llm.requests[0]).toMatchObject({
      model: 'some:model',
      headers: { authorization: 'Bearer k' },
    });
  });

  it('embeds', async () => {
    const llm = await fakeServer();
    const embeddings = createModelRegistry().embeddings(`ai-sdk:${COMPATIBLE}:e`, {
      baseURL: `${llm.url}/v1`,
    });
    const { vectors } = await embeddings.embed({ values: ['猫', '犬'] });
    expect(vectors).toHaveLength(2);
    expect(embeddings).toMatchObject({ provider: 'ai-sdk', modelId: `${COMPATIBLE}:e` });
  });

  it('says how to install a package that is missing, before anything is sent', async () => {
    const model = createModelRegistry().model('ai-sdk:@ai-sdk/nobody-made-this:m');
    const error = {
      code: 'unsupported',
      message: expect.stringContaining('npm install @ai-sdk/nobody-made-this'),
    };
    await expect(model.prepare?.()).rejects.toMatchObject(error);
    await expect(model.generate(ask)).rejects.toMatchObject(error);
  });

  it('says that a package is no provider', async () => {
    const model = aiSdkModel({ model: 'eventemitter3:m' });
    await expect(model.generate(ask)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('exports no provider'),
    });
  });

  it.each([
    'm',
    ':m',
    '@ai-sdk/mistral',
    '@ai-sdk/mistral:',
    './evil.mjs:m',
    '../evil:m',
    '/etc/evil.mjs:m',
    'C:\\evil.mjs:m',
    'child_process:m',
    'fs/promises:m',
    '@ai-sdk/mistral/../../evil:m',
    '@scope/package/file.mjs:m',
    '.hidden:m',
    'with space:m',
    'UPPER:m',
  ])('takes no other name: %s', (name) => {
    expect(() => createModelRegistry().model(`ai-sdk:${name}`)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});
