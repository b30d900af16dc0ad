import { LLMError, textMessage, type ChatModel, type ChatResult } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, openaiResponses } from '@vizprompt/providers/openai';
import type { FakeRequest, FakeWireName } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import { FORMS } from '../../support/models/forms/index.ts';
import { formsDocument } from '../../support/models/forms/document.ts';
import { byKind, type Expected, type Form } from '../../support/models/forms/form.ts';

const models: Readonly<Record<FakeWireName, (url: string, model: string) => ChatModel>> = {
  openai: (url, model) => openai({ model, apiKey: KEY, baseURL: `${url}/v1` }),
  responses: (url, model) => openaiResponses({ model, apiKey: KEY, baseURL: `${url}/v1` }),
  gemini: (url, model) => gemini({ model, apiKey: KEY, baseURL: url }),
  ollama: (url, model) => ollama({ model, host: url }),
  anthropic: (url, model) => anthropic({ model, apiKey: KEY, baseURL: url }),
};

/** Describes an answer or an error, in the words of a form. */
async function outcomeOf(model: ChatModel, { request }: Form): Promise<ChatResult | LLMError> {
  try {
    return await model.generate({ messages: [textMessage('user', '猫ですか')], ...request });
  } catch (error) {
    if (LLMError.isInstance(error)) return error;
    throw error;
  }
}

/** A day and more: headers that name a time were made when the table was loaded. */
const DAY = 86_400_000;

/** Describes the result of a form, in the words of its expectation. */
function summaryOf(
  outcome: ChatResult | LLMError,
  expected: Expected,
  requests: readonly FakeRequest[],
): object {
  const { left = [], says = '', retryAfterMs: wait = 0 } = expected;
  const sent = requests.at(-1)?.body ?? {};
  const known = {
    left: left.filter((path) => valueAt(sent, path) === undefined),
    sent,
    requests: requests.length,
  };
  if (LLMError.isInstance(outcome)) {
    const { code, message, isRetryable, retryAfterMs = 0, partial } = outcome;
    const isNear = wait >= DAY && Math.abs(retryAfterMs / wait - 1) < 0.05;
    return {
      ...known,
      code,
      isRetryable,
      says: message.includes(says) ? says : message,
      ...(partial && { partial: partial.text }),
      retryAfterMs: isNear ? wait : retryAfterMs,
    };
  }
  const { text, finishReason: finish, parts } = outcome;
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  return { ...known, code: 'none', text, finish, reasoning, parts };
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
      // A refusal of one model is remembered for it.
      const name = form.model === undefined ? `m${number}` : `${form.model}-v${number}`;
      const outcome = await outcomeOf(models[wire](llm.url, name), form);
      const wanted = { code: 'none', ...form.expected };
      expect(summaryOf(outcome, form.expected, llm.requests)).toMatchObject(wanted);
    },
  );
});

it('is written down, form by form', async () => {
  await expect(formsDocument(FORMS)).toMatchFileSnapshot('../../../../../docs/server-forms.md');
});
