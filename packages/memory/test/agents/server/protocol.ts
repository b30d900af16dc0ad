import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** A call of one of an agent's tools. */
export interface Call {
  readonly name: string;
  readonly input: JsonObject;
  /** Only for a tool that takes a text and no JSON. */
  readonly text?: string;
  /** Only for a tool in a namespace. */
  readonly namespace?: string;
}

/** An answer in the terms of the agent that asked. */
export interface Answer {
  readonly think?: string | undefined;
  readonly say?: string | undefined;
  readonly calls: readonly Call[];
  /** Index of the answer to its question, from 0. */
  readonly step: number;
}

/** Content of a request for an answer. */
export interface Asked {
  /** All that users said in the conversation, the last one last. */
  readonly prompts: readonly string[];
  /** Returns the number of answers with calls after the user's last marked message. */
  readonly callsAfter: (isMarked: (text: string) => boolean) => number;
  /** `true` if the model can call tools. A request without tools asks for a title or a summary. */
  readonly hasTools: boolean;
  /** Texts of the results of tools in the conversation. */
  readonly results: readonly string[];
}

/** A protocol between an agent and its model. */
export interface Protocol {
  /** Reads a request, or `undefined` if it is none for an answer. */
  read(url: string, body: JsonObject): Asked | undefined;
  /** Answers one. */
  write(response: ServerResponse, answer: Answer, url: string, body: JsonObject): void;
  /** Answers what is not a question, such as the list of models; `undefined` if it is not known. */
  other?(url: string): JsonValue | undefined;
}

/** Returns an id that nothing else has. */
export function newId(prefix: string, bytes = 12): string {
  return prefix + randomBytes(bytes).toString('hex');
}

/** Answers with JSON. */
export function writeJson(response: ServerResponse, value: JsonValue, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Begins a stream of events, and returns what sends one. */
export function startEvents(
  response: ServerResponse,
): (data: JsonObject | string, event?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (data, event) => {
    const head = event === undefined ? '' : `event: ${event}\n`;
    response.write(`${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  };
}

/** A message of a conversation: role, text, whether it calls tools, and results of those. */
export interface Spoken {
  readonly role: string;
  readonly text: string;
  readonly hasCalls: boolean;
  readonly results: readonly string[];
}

/** Returns what a request asks for, by the messages in it. */
export function askedBy(messages: readonly Spoken[], hasTools: boolean): Asked {
  return {
    prompts: messages.filter(({ role }) => role === 'user').map(({ text }) => text),
    hasTools,
    results: messages.flatMap(({ results }) => results),
    callsAfter: (isMarked) => {
      const from = messages.findLastIndex(({ role, text }) => role === 'user' && isMarked(text));
      return messages.slice(from + 1).filter(({ hasCalls }) => hasCalls).length;
    },
  };
}

/** Returns the text of a tool's result: a string, or a list of parts that have one. */
export function resultText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
