import { LLMError, textMessage, type ChatModel, type ChatResult } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai } from '@vizprompt/providers/openai';
import type { FakeWireName } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import { FORMS } from '../../support/models/forms/index.ts';
import { formsDocument } from '../../support/models/forms/document.ts';
import { byKind, type Expected, type Form } from '../../support/models/forms/form.ts';

const models: Readonly<Record<FakeWireName, (url: string, model: string) => ChatModel>> = {
  openai: (url, model) => openai({ model, apiKey: KEY, baseURL: `${url}/v1` }),
  gemini: (url, model) => gemini({ model, apiKey: KEY, baseURL: url }),
  ollama: (url, model) => ollama({ model, host: url }),
};

/** What is told of an answer or an error, in the words of a form. */
async function outcomeOf(model: ChatModel, { request }: Form): Promise<ChatResult | LLMError> {
  try {
    return await model.generate({ messages: [textMessage('user', '猫ですか')], ...request });
  } catch (error) {
    if (LLMError.isInstance(error)) return error;
    throw error;
  }
}

function checkError(error: LLMError, expected: Expected): void {
  expect(`${error.code}: ${error.message}`).toMatch(
    new RegExp(`^${expected.code ?? 'no error'}: `),
  );
  if (expected.says !== undefined) expect(error.message).toContain(expected.says);
  if (expected.partial !== undefined) expect(error.partial?.text).toBe(expected.partial);
  const { isRetryable, retryAfterMs } = expected;
  if (isRetryable !== undefined) expect(error.isRetryable).toBe(isRetryable);
  if (retryAfterMs === undefined) return;
  const isTime = retryAfterMs >= 86_400_000;
  if (!isTime) expect(error.retryAfterMs).toBe(retryAfterMs);
  else expect((error.retryAfterMs ?? 0) / retryAfterMs).toBeCloseTo(1, 1);
}

function checkAnswer(result: ChatResult, expected: Expected): void {
  expect(expected.code ?? 'an answer').toBe('an answer');
  const { text, finishReason: finish, parts } = result;
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const told = { text, finish, reasoning };
  const { text: t = text, finish: f = finish, reasoning: r = reasoning } = expected;
  expect(told).toEqual({ text: t, finish: f, reasoning: r });
  if (expected.parts) expect(parts).toMatchObject(expected.parts);
}

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), body);
}

describe.each(byKind(FORMS))('%s', (_, forms) => {
  it.each(forms.map((form, number) => [form.wire, form.name, form, number] as const))(
    'on %s: %s',
    async (wire, _name, form, number) => {
      const llm = await fakeServer();
      for (const { status = 200, headers, body } of form.answers) {
        llm.fail({ type: 'status', status, body, ...(headers && { headers }) });
      }
      // What one model refused is remembered for it.
      const outcome = await outcomeOf(models[wire](llm.url, `m${number}`), form);
      if (LLMError.isInstance(outcome)) checkError(outcome, form.expected);
      else checkAnswer(outcome, form.expected);
      const last = llm.requests.at(-1)?.body;
      const { left = [], sent, requests } = form.expected;
      for (const path of left) expect([path, valueAt(last, path)]).toEqual([path, undefined]);
      if (sent) expect(last).toMatchObject(sent);
      if (requests !== undefined) expect(llm.requests).toHaveLength(requests);
    },
  );
});

it('is written down, form by form', async () => {
  await expect(formsDocument(FORMS)).toMatchFileSnapshot('../../../../../docs/server-forms.md');
});
