import { textMessage } from '@vizprompt/providers';
import { gemini, geminiEmbeddings } from '@vizprompt/providers/gemini';
import type { FakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('system', 'Be brief.'), textMessage('user', '猫？')] };

interface Body {
  readonly contents: { role: string; parts: Record<string, unknown>[] }[];
  readonly systemInstruction?: unknown;
  readonly generationConfig?: Record<string, unknown>;
}

function bodyOf({ requests }: FakeLLM, at: number): Body {
  return (requests[at]?.body ?? { contents: [] }) as unknown as Body;
}

describe('Gemini', () => {
  it('is asked by the API version that is said, and by no other', async () => {
    const llm = await fakeServer();
    const options = { model: 'fake', apiKey: KEY, baseURL: llm.url };
    await gemini(options).generate(request);
    await gemini({ ...options, apiVersion: 'v1' }).generate(request);
    expect(llm.requests.map(({ path }) => path)).toEqual([
      '/v1beta/models/fake:streamGenerateContent?alt=sse',
      '/v1/models/fake:streamGenerateContent?alt=sse',
    ]);
    const { systemInstruction } = bodyOf(llm, 0);
    expect(JSON.stringify(systemInstruction)).toContain('Be brief.');
  });

  it('gets the signatures of its thoughts back, and a stand-in where another model called', async () => {
    const llm = await fakeServer();
    const meta = { gemini: { thoughtSignature: 'c2lnbmF0dXJl' } };
    llm.answer(
      [
        { type: 'reasoning', text: '考える' },
        { type: 'tool-call', id: 'x', name: 't', input: { a: 1 }, meta },
      ],
      'ok',
      'ok',
    );
    const model = gemini({ model: 'gemini-3-flash', apiKey: KEY, baseURL: llm.url });
    const { parts } = await model.generate(request);
    const call = parts.find((part) => part.type === 'tool-call');
    expect(call?.meta?.['gemini']).toMatchObject({ thoughtSignature: 'c2lnbmF0dXJl' });
    const result = { type: 'tool-result', id: call?.id ?? '', name: 't', output: '晴れ' } as const;
    const after = (own: typeof parts): Parameters<typeof model.generate>[0] => ({
      messages: [
        ...request.messages,
        { role: 'assistant', parts: own },
        { role: 'tool', parts: [result] },
      ],
    });
    await model.generate(after(parts));
    await model.generate(after([{ type: 'tool-call', id: 'y', name: 't', input: {} }]));
    const signatureIn = (at: number): unknown => {
      const { contents } = bodyOf(llm, at);
      const written = contents.flatMap((content) => content.parts);
      return written.find((part) => part['functionCall'])?.['thoughtSignature'];
    };
    expect(signatureIn(1)).toBe('c2lnbmF0dXJl');
    expect(signatureIn(2)).toBe('skip_thought_signature_validator');
  });

  it('thinks by level or by budget, as the model knows it', async () => {
    const llm = await fakeServer();
    for (const model of ['gemini-3-flash', 'gemini-2.5-flash']) {
      const asked = gemini({ model, apiKey: KEY, baseURL: llm.url });
      await asked.generate({ ...request, reasoning: 'low' });
    }
    const configs = llm.requests.map(
      ({ body }) => (body as unknown as Body).generationConfig?.['thinkingConfig'],
    );
    expect(configs).toEqual([
      { includeThoughts: true, thinkingLevel: 'LOW' },
      { includeThoughts: true, thinkingBudget: 1024 },
    ]);
  });

  it('counts tokens, and says when what it counted was not all the same', async () => {
    const llm = await fakeServer();
    const model = gemini({ model: 'fake', apiKey: KEY, baseURL: llm.url });
    const user = [textMessage('user', '猫？')];
    expect(await model.countTokens?.({ messages: user })).toMatchObject({ exact: true });
    const counted = await model.countTokens?.(request);
    expect(counted?.exact).toBe(false);
    expect(counted?.tokens).toBeGreaterThan(0);
  });

  it('distinguishes queries from documents when it embeds', async () => {
    const llm = await fakeServer();
    const embeddings = geminiEmbeddings({
      model: 'fake',
      apiKey: KEY,
      baseURL: llm.url,
      dimensions: 16,
    });
    const { vectors } = await embeddings.embed({ values: ['猫', '犬'], kind: 'query' });
    expect(vectors.map(({ length }) => length)).toEqual([16, 16]);
    expect(JSON.stringify(llm.requests[0]?.body)).toContain('RETRIEVAL_QUERY');
    await embeddings.embed({ values: ['猫'] });
    expect(JSON.stringify(llm.requests[1]?.body)).toContain('RETRIEVAL_DOCUMENT');
  });
});
