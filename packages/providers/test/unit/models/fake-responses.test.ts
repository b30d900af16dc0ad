import type { Part } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../../support/models/adapters.ts';
import { openai, TEXT } from './fake-llm-clients.ts';

const parts: readonly Part[] = [
  { type: 'reasoning', text: '考える。' },
  { type: 'text', text: 'はい。' },
  { type: 'tool-call', id: 'call_1', name: 'weather', input: { city: '京都' } },
];

describe('the fake server on the Responses API', () => {
  it('gives events of which the official SDK makes the whole answer', async () => {
    const llm = await fakeServer();
    llm.answer(parts, parts);
    const client = openai(llm);
    const request = { model: 'm', input: '猫？' };
    const streamed = await client.responses.stream(request).finalResponse();
    const whole = await client.responses.create(request);
    for (const { status, output } of [streamed, whole]) {
      expect(status).toBe('completed');
      expect(output).toMatchObject([
        { type: 'reasoning', summary: [{ text: '考える。' }] },
        { type: 'message', content: [{ text: 'はい。' }] },
        { type: 'function_call', call_id: 'call_1', arguments: '{"city":"京都"}' },
      ]);
    }
    expect(whole.output_text).toBe('はい。');
  });

  it('signs thoughts only where that is asked for', async () => {
    const llm = await fakeServer();
    llm.answer(parts, parts);
    const request = { model: 'm', input: '猫？', store: false } as const;
    const client = openai(llm);
    const plain = await client.responses.stream(request).finalResponse();
    const signed = await client.responses
      .stream({ ...request, include: ['reasoning.encrypted_content'] })
      .finalResponse();
    expect(plain.output[0]).not.toHaveProperty('encrypted_content');
    expect(signed.output[0]).toHaveProperty('encrypted_content', 'signed-2_0');
  });

  it.each([
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content-filter', 'incomplete', { reason: 'content_filter' }],
    ['stop', 'completed', null],
  ] as const)('ends with %s as the real one does', async (finishReason, status, details) => {
    const llm = await fakeServer();
    llm.answer({ parts: [{ type: 'text', text: 'は' }], finishReason });
    const answer = await openai(llm).responses.create({ model: 'm', input: '猫？' });
    expect(answer).toMatchObject({ status, incomplete_details: details });
  });

  it('counts tokens, and refuses what is too long or of a wrong key', async () => {
    const usage = { inputTokens: 9, cachedInputTokens: 5, cacheWriteInputTokens: 2 };
    const llm = await fakeServer({ apiKey: 'right', contextLength: 20 });
    llm.answer({ parts: [{ type: 'text', text: TEXT }], usage });
    const client = openai(llm, 'right');
    const answer = await client.responses.create({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_text', text: '猫？' }] }],
    });
    expect(answer.usage).toMatchObject({
      input_tokens: 9,
      output_tokens: Array.from(TEXT).length,
      input_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
    });
    const long = client.responses.create({ model: 'm', input: '猫'.repeat(21) });
    await expect(long).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    const wrong = openai(llm, 'wrong').responses.create({ model: 'm', input: 'x' });
    await expect(wrong).rejects.toMatchObject({ status: 401 });
    expect(llm.requests.map(({ wire }) => wire)).toEqual(['responses', 'responses', 'responses']);
  });
});
