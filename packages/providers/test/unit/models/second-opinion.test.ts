import { LLMock } from '@copilotkit/aimock';
import { LLMError, textMessage } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai } from '@vizprompt/providers/openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KEY } from '../../support/models/adapters.ts';

// A fake server that others wrote: what our adapters and our own fake might both have got wrong, it
// may have right.
async function otherServer(): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

const models = {
  openai: (url: string) => openai({ model: 'gpt-4o', apiKey: KEY, baseURL: `${url}/v1` }),
  gemini: (url: string) => gemini({ model: 'gemini-2.5-flash', apiKey: KEY, baseURL: url }),
  ollama: (url: string) => ollama({ model: 'llama3', host: url }),
};
const request = { messages: [textMessage('user', '猫ですか')] };

describe.each(Object.entries(models))('%s, by a server of others', (_, make) => {
  it('answers', async () => {
    const mock = await otherServer();
    mock.onMessage('猫ですか', { content: 'はい、猫です。🐈' });
    const result = await make(mock.url).generate(request);
    expect(result).toMatchObject({ text: 'はい、猫です。🐈', finishReason: 'stop' });
  });

  it('calls tools', async () => {
    const mock = await otherServer();
    const call = { name: 'weather', arguments: '{"city":"京都"}' };
    mock.onMessage('猫ですか', { toolCalls: [call] });
    const tools = [{ name: 'weather', parameters: { type: 'object' } }];
    const result = await make(mock.url).generate({ ...request, tools });
    expect(result.finishReason).not.toBe('stop');
    expect(result.parts).toMatchObject([
      { type: 'tool-call', name: 'weather', input: { city: '京都' } },
    ]);
  });

  it('is refused, with the code that the status means', async () => {
    const mock = await otherServer();
    mock.onMessage('猫ですか', {
      error: { message: 'Rate limited', type: 'rate_limit_error' },
      status: 429,
    });
    const error: unknown = await make(mock.url)
      .generate(request)
      .catch((thrown: unknown) => thrown);
    if (!LLMError.isInstance(error)) throw error;
    expect(error).toMatchObject({ code: 'rate_limit', status: 429 });
  });

  it('breaks in the middle, and never passes for whole', async () => {
    const mock = await otherServer();
    mock.onMessage(
      '猫ですか',
      { content: 'とても長い話'.repeat(40) },
      { truncateAfterChunks: 3, latency: 10 },
    );
    const error: unknown = await make(mock.url)
      .generate(request)
      .catch((thrown: unknown) => thrown);
    if (!LLMError.isInstance(error)) throw error ?? new Error('it passed for whole');
    expect(['network', 'truncated']).toContain(error.code);
    expect(error.outputStarted).toBe(true);
  });
});
