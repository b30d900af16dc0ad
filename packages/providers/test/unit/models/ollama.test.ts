import { textMessage } from '@vizprompt/providers';
import { ollama } from '@vizprompt/providers/ollama';
import { describe, expect, it, vi } from 'vitest';
import { fakeServer } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', '猫？')] };

describe('Ollama', () => {
  it('receives the size of the context, and the order never to cut', async () => {
    const llm = await fakeServer();
    await ollama({ model: 'fake', host: llm.url }).generate(request);
    await ollama({ model: 'fake', host: llm.url, contextWindow: 999, keepAlive: '10m' }).generate({
      ...request,
      maxOutputTokens: 5,
      temperature: 0,
      reasoning: 'high',
      output: { type: 'json', schema: { type: 'object' } },
      providerOptions: { ollama: { options: { min_p: 0.1 } } },
    });
    expect(llm.requests[0]?.body).toMatchObject({
      truncate: false,
      shift: false,
      stream: true,
      options: { num_ctx: 8192 },
    });
    expect(llm.requests[1]?.body).toMatchObject({
      truncate: false,
      think: 'high',
      keep_alive: '10m',
      format: { type: 'object' },
      options: { num_ctx: 999, num_predict: 5, temperature: 0, min_p: 0.1 },
    });
  });

  it('refuses a prompt that is too long instead of reading half of it', async () => {
    const llm = await fakeServer();
    const model = ollama({ model: 'fake', host: llm.url, contextWindow: 100 });
    const calling = model.generate({ messages: [textMessage('user', '猫'.repeat(500))] });
    await expect(calling).rejects.toMatchObject({ code: 'context_length', status: 400 });
    await expect(calling).rejects.toThrow(/raise contextWindow; send fewer or shorter messages/);
  });

  it('is found by OLLAMA_HOST, in all its forms', async () => {
    const llm = await fakeServer();
    const port = new URL(llm.url).port;
    for (const host of [`127.0.0.1:${port}`, `0.0.0.0:${port}`, llm.url]) {
      vi.stubEnv('OLLAMA_HOST', host);
      expect((await ollama({ model: 'fake' }).generate(request)).text).not.toBe('');
    }
    vi.stubEnv('OLLAMA_HOST', 'example.invalid');
    const calling = ollama({ model: 'fake' }).generate(request);
    await expect(calling).rejects.toThrow("model 'fake' at http://example.invalid:11434:");
    vi.unstubAllEnvs();
  });

  it('has no tool choice, and says so', async () => {
    const llm = await fakeServer();
    const tools = [{ name: 't', parameters: {} }];
    const model = ollama({ model: 'fake', host: llm.url });
    const { warnings } = await model.generate({ ...request, tools, toolChoice: 'required' });
    expect(warnings).toMatchObject([{ field: 'toolChoice' }]);
    await model.generate({ ...request, tools, toolChoice: 'none' });
    expect(llm.requests[1]?.body).not.toHaveProperty('tools');
  });
});
