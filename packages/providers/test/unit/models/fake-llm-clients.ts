import { GoogleGenAI } from '@google/genai';
import type { Part } from '@vizprompt/providers';
import type { FakeLLM, FakeWireName } from '@vizprompt/providers/testing';
import { Ollama } from 'ollama';
import OpenAI from 'openai';

/** The default answer of the fake server. */
export const TEXT = 'はい、猫です。🐈 こんにちは。';

export const CALLS: readonly Part[] = [
  { type: 'tool-call', id: 'call_1', name: 'weather', input: { city: '東京', days: [1, 2] } },
  { type: 'tool-call', id: 'call_2', name: 'clock', input: {} },
];

export const messages: { role: 'user'; content: string }[] = [
  { role: 'user', content: '猫ですか' },
];

export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export function openai({ url }: FakeLLM, apiKey = 'none'): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, logLevel: 'off' });
}

export function gemini({ url }: FakeLLM, apiVersion = 'v1beta', apiKey = 'none'): GoogleGenAI {
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, apiVersion } });
}

export function ollama({ url }: FakeLLM): Ollama {
  return new Ollama({ host: url });
}

/** Returns a request without any SDK. */
export function post(url: string, body: object, signal?: AbortSignal): Promise<Response> {
  const init = { method: 'POST', body: JSON.stringify(body) };
  return fetch(url, signal ? { ...init, signal } : init);
}

/** A chat call that is streamed, without any SDK. */
export function chat(
  { url }: FakeLLM,
  wire: FakeWireName,
  signal?: AbortSignal,
): Promise<Response> {
  const contents = [{ role: 'user', parts: [{ text: '猫ですか' }] }];
  if (wire === 'gemini') {
    const path = '/v1beta/models/m:streamGenerateContent?alt=sse';
    return post(`${url}${path}`, { contents }, signal);
  }
  const path = wire === 'openai' ? '/v1/chat/completions' : '/api/chat';
  return post(`${url}${path}`, { model: 'm', messages, stream: true }, signal);
}

/** Returns the part of a body that arrived, and how it failed. */
export async function bodyOf({ body }: Response): Promise<{ text: string; error?: unknown }> {
  const chunks: Uint8Array[] = [];
  const text = () => Buffer.concat(chunks).toString();
  try {
    for await (const chunk of body!) chunks.push(chunk);
    return { text: text() };
  } catch (error) {
    return { text: text(), error };
  }
}

/** The JSON of an answer. */
// oxlint-disable-next-line typescript/no-explicit-any -- any answer, taken apart by the test
export async function json(response: Response): Promise<any> {
  return response.json();
}

/** Checks whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
