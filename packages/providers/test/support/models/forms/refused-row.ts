import type { ChatRequest, Tool } from '@vizprompt/providers';
import type { FakeWireName } from '@vizprompt/providers/testing';
import type { Expected, ServerAnswer } from './form.ts';

export const tools: readonly Tool[] = [
  { name: 'w', description: 'd', parameters: { type: 'object', properties: {} } },
];
export const json: ChatRequest['output'] = {
  type: 'json',
  schema: { type: 'object', properties: {} },
};
/** A request with a temperature. */
export const warm = { temperature: 0.2 } as const;

export type RefusedRow = readonly [
  server: string,
  sentence: string | ServerAnswer,
  request: Partial<ChatRequest>,
  expected: Expected,
  more?: object,
  wire?: FakeWireName,
];

export const left = (...paths: readonly string[]): Expected => ({ left: paths, requests: 2 });
export const body = (status: number, value: object): ServerAnswer => ({ status, body: value });
