import type { FinishReason, Usage } from '../../models/events.ts';
import { type Part, textOf, type ToolCallPart } from '../../models/message.ts';
import { type Fault, findFault } from './faults.ts';

/** The answer of the fake server to one chat call: a text, its parts, or more of it. */
export type FakeAnswer =
  | string
  /** Text, reasoning and tool calls; other parts are not sent. */
  | readonly Part[]
  | {
      readonly parts: readonly Part[];
      /** Translated into the wire's word. Default: what the parts ask for. */
      readonly finishReason?: FinishReason | undefined;
      /** Default: one token for each character (code point). */
      readonly usage?: Usage | undefined;
    };

/** Token counts with nothing left open. Reasoning is part of the output. */
export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cached: number;
  /** Written to the cache. */
  readonly written: number;
}

/** An answer, made ready for any wire. */
export interface FakeReply {
  /** Counts up from 1 with the requests of a server. */
  readonly number: number;
  readonly model: string;
  readonly parts: readonly Part[];
  readonly finishReason: FinishReason;
  /** Absent when the server is to report none. */
  readonly usage: FakeUsage | undefined;
  /** The arguments of tool calls are broken. */
  readonly hasBadToolInput: boolean;
  /** Characters (code points) of a piece of text. */
  readonly chunkSize: number;
}

/** The sources of a reply besides the answer. */
export interface ReplySource {
  readonly number: number;
  readonly model: string;
  readonly promptTokens: number;
  readonly chunkSize: number;
  readonly faults: readonly Fault[];
}

/** Fills in what an answer leaves open, and applies the faults of its content. */
export function makeReply(answer: FakeAnswer, source: ReplySource): FakeReply {
  const { number, model, promptTokens, chunkSize, faults } = source;
  const given = typeof answer === 'string' ? [{ type: 'text', text: answer } as const] : answer;
  const {
    parts: all,
    finishReason,
    usage,
  }: Exclude<FakeAnswer, string | readonly Part[]> = 'parts' in given ? given : { parts: given };
  const parts = findFault(faults, 'empty') ? [] : all;
  const hasToolCall = parts.some(({ type }) => type === 'tool-call');
  return {
    number,
    model,
    parts,
    finishReason: finishReason ?? (hasToolCall ? 'tool-calls' : 'stop'),
    usage: findFault(faults, 'no-usage') ? undefined : countUsage(parts, promptTokens, usage),
    hasBadToolInput: hasToolCall && findFault(faults, 'bad-tool-json') !== undefined,
    chunkSize,
  };
}

function countUsage(parts: readonly Part[], promptTokens: number, given: Usage = {}): FakeUsage {
  const counted = { text: 0, reasoning: 0 };
  for (const part of parts) {
    if (part.type === 'reasoning') counted.reasoning += lengthOf(part.text);
    else if (part.type === 'tool-call') counted.text += lengthOf(toolInput(part));
  }
  counted.text += lengthOf(textOf(parts));
  const reasoning = given.reasoningTokens ?? counted.reasoning;
  return {
    input: given.inputTokens ?? promptTokens,
    output: given.outputTokens ?? counted.text + reasoning,
    reasoning,
    cached: given.cachedInputTokens ?? 0,
    written: given.cacheWriteInputTokens ?? 0,
  };
}

/** The arguments of a tool call as JSON text; cut in the middle if they are to be broken. */
export function toolInput({ input }: ToolCallPart, isBroken = false): string {
  const json = JSON.stringify(input);
  return isBroken ? firstHalf(json) : json;
}

/** Returns the characters (code points) of a text: here, each is a token. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Returns a text in pieces of this many characters (code points); an empty text has none. */
export function piecesOf(text: string, size: number): readonly string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, piece) =>
    characters.slice(piece * size, (piece + 1) * size).join(''),
  );
}

/** Returns the first half of a text, at least one character. */
export function firstHalf(text: string): string {
  return piecesOf(text, Math.max(1, Math.floor(lengthOf(text) / 2)))[0] ?? '';
}
