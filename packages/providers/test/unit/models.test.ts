import { collectChat, LLMError, textMessage, type ChatEvent } from '@vizprompt/providers';
import {
  hashEmbeddings,
  scriptedModel,
  testChatModel,
  testEmbeddingModel,
} from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';

const runner = { describe, it };
const request = { messages: [textMessage('user', '猫ですか')] };

testChatModel({
  name: 'scriptedModel',
  runner,
  open: async () => {
    const model = scriptedModel(() => 'はい、猫です。吾輩には名前がまだありません。🐈', {
      chunkSize: 3,
      chunkDelayMs: 1,
    });
    return { subject: { model }, close: async () => {} };
  },
});

testEmbeddingModel({
  name: 'hashEmbeddings',
  runner,
  open: async () => ({ subject: hashEmbeddings(), close: async () => {} }),
});

describe('a scripted model', () => {
  it('answers from its list, records what it was asked, and fails when the list ends', async () => {
    const failure = new LLMError('rate_limit', 'slow down', { retryAfterMs: 10 });
    const model = scriptedModel(['はい', failure]);
    expect((await model.generate(request)).text).toBe('はい');
    await expect(model.generate(request)).rejects.toBe(failure);
    await expect(model.generate(request)).rejects.toThrow('the script has no answer for call 3');
    expect(model.calls).toEqual([request, request, request]);
  });

  it('says reasoning and calls tools', async () => {
    const model = scriptedModel([
      [
        { type: 'reasoning', text: '考え中' },
        { type: 'tool-call', id: '1', name: 'search', input: { q: '猫' } },
      ],
    ]);
    const result = await model.generate(request);
    expect(result.finishReason).toBe('tool-calls');
    expect(result.text).toBe('');
    expect(result.parts.map(({ type }) => type)).toEqual(['reasoning', 'tool-call']);
  });

  it('counts tokens', async () => {
    const model = scriptedModel([]);
    expect((await model.countTokens?.(request))?.tokens).toBeGreaterThan(0);
  });
});

describe('collectChat', () => {
  it('takes a stream without a finish for a failure, with what had arrived', async () => {
    async function* cut(): AsyncGenerator<ChatEvent> {
      yield { type: 'start', id: 'a1', model: 'm', warnings: [] };
      yield { type: 'part', index: 0, part: { type: 'text', text: '途中まで' } };
    }
    const error: unknown = await collectChat(cut()).catch((failure: unknown) => failure);
    if (!LLMError.isInstance(error)) throw error;
    expect(error.code).toBe('truncated');
    expect(error.partial).toMatchObject({ id: 'a1', text: '途中まで' });
    expect(error.outputStarted).toBe(true);
    expect(error.isRetryable).toBe(true);
  });
});

describe('hash embeddings', () => {
  it('put like texts near each other', async () => {
    const { vectors } = await hashEmbeddings().embed({
      values: ['吾輩は猫である', '吾輩は猫であった', 'quarterly revenue report'],
    });
    const [a, b, c] = vectors.map((vector) => [...vector]);
    const dot = (x: number[] = [], y: number[] = []): number =>
      x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
    expect(dot(a, a)).toBeCloseTo(1);
    expect(dot(a, b)).toBeGreaterThan(0.6);
    expect(dot(a, c)).toBeLessThan(0.4);
  });
});
