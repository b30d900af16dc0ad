import { createRequire } from 'node:module';
import type { ChatModel, EmbeddingModel } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini, geminiEmbeddings } from '@vizprompt/providers/gemini';
import { ollama, ollamaEmbeddings } from '@vizprompt/providers/ollama';
import { openai, openaiEmbeddings, openaiResponses } from '@vizprompt/providers/openai';
import { startFakeLLM, type FakeLLM, type FakeLLMOptions } from '@vizprompt/providers/testing';
import { expect, inject, onTestFinished, vi, type MockInstance } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    sdkFolder: string;
  }
}

/** An adapter, pointed at a fake server. */
export interface Adapter {
  readonly provider: string;
  model(url: string, options?: { readonly model?: string; readonly apiKey?: string }): ChatModel;
  /** Absent where the provider has none. */
  embeddings?(url: string, options?: { readonly maxBatch?: number }): EmbeddingModel;
}

export const KEY = 'sk-test-0123456789abcdefghij';

/** All adapters, by the name and version of their SDK. */
export const adapters: Readonly<Record<string, Adapter>> = {
  [nameOf('openai')]: {
    provider: 'openai-compatible',
    model: (url, options = {}) =>
      openai({ model: 'fake', apiKey: KEY, baseURL: `${url}/v1`, ...options }),
    embeddings: (url, options = {}) =>
      openaiEmbeddings({ model: 'fake', apiKey: KEY, baseURL: `${url}/v1`, ...options }),
  },
  [`${nameOf('openai')} (Responses)`]: {
    provider: 'openai-compatible',
    model: (url, options = {}) =>
      openaiResponses({ model: 'fake', apiKey: KEY, baseURL: `${url}/v1`, ...options }),
    embeddings: (url, options = {}) =>
      openaiEmbeddings({ model: 'fake', apiKey: KEY, baseURL: `${url}/v1`, ...options }),
  },
  [nameOf('@google/genai')]: {
    provider: 'gemini',
    model: (url, options = {}) => gemini({ model: 'fake', apiKey: KEY, baseURL: url, ...options }),
    embeddings: (url, options = {}) =>
      geminiEmbeddings({ model: 'fake', apiKey: KEY, baseURL: url, ...options }),
  },
  [nameOf('ollama')]: {
    provider: 'ollama',
    model: (url, { model = 'fake', apiKey = KEY } = {}) =>
      ollama({ model, host: url, headers: { authorization: `Bearer ${apiKey}` } }),
    embeddings: (url, options = {}) => ollamaEmbeddings({ model: 'fake', host: url, ...options }),
  },
  [nameOf('@anthropic-ai/sdk')]: {
    provider: 'anthropic',
    model: (url, options = {}) =>
      anthropic({ model: 'fake', apiKey: KEY, baseURL: url, ...options }),
  },
};

/** Returns the SDK as it is resolved in this run: the tests run on two generations. */
function nameOf(sdk: string): string {
  const require = createRequire(`${inject('sdkFolder')}/package.json`);
  const path = require.resolve(sdk).replace(new RegExp(`^(.*node_modules/${sdk})/.*$`), '$1');
  const { version } = require(`${path}/package.json`) as { version: string };
  return `${sdk} ${version}`;
}

/** Returns a fake server for one test. */
export async function fakeServer(options?: FakeLLMOptions): Promise<FakeLLM> {
  const llm = await startFakeLLM(options);
  onTestFinished(() => llm.close());
  return llm;
}

/** Waits until a condition holds, as long as the tier allows. */
export async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 5 }).toBe(true);
}

/** Stops the clock of timers until the test ends; `letTimePass` advances it. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances the stopped clock until some work has ended. Repeatedly: a limit counts from when it is set. */
export async function letTimePass(work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = (): boolean => (hasEnded = true);
  work.then(end, end);
  await until(() => {
    vi.advanceTimersByTime(1000);
    return hasEnded;
  });
}

/** Hears what is printed until the test ends; an SDK must print nothing. */
export function listenToConsole(): readonly MockInstance[] {
  const spies = (['log', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return spies;
}
