import type { JsonValue } from '../../json/json-value.ts';
import { detectAgent } from './detect-agent.ts';
import { parseShallowJson } from '../model/read-fields.ts';

/** The content of a line: its value, and the text before it that is not JSON. */
export interface ParsedLine {
  /** `undefined` if nothing in the line is JSON. */
  readonly value: JsonValue | undefined;
  /** The part of the line that is not JSON. */
  readonly broken?: string | undefined;
  /** Values before it, where writers left out the end of the line. */
  readonly earlier?: readonly JsonValue[] | undefined;
}

/** Matches the beginnings of objects of transcripts, to find the next one after one that was truncated. */
const BEGINNING = /\{"(?:parentUuid|type|timestamp|id|sessionId|uuid|data|info|leafUuid|\$set)"/g;

/** How many beginnings are tried, the last ones. */
const MAX_STARTS = 8;
/** How many whole values before the last one of a line are read. */
const MAX_JOINED = 8;

/**
 * Parses a line. When a program was killed while it wrote a line, the next one was often appended
 * to the truncated one; the whole one is found after it.
 */
export function parseLine(text: string): ParsedLine {
  return parsed(text, 0);
}

function parsed(text: string, depth: number): ParsedLine {
  const value = parseShallowJson(text);
  if (value !== undefined) return { value };
  const starts: number[] = [];
  for (const { index } of text.matchAll(BEGINNING)) {
    starts.push(index);
    if (starts.length > MAX_STARTS) starts.shift();
  }
  for (const start of starts) {
    if (start === 0) continue;
    const rest = parseShallowJson(text.slice(start));
    if (rest === undefined) continue;
    const before = text.slice(0, start);
    const head = depth < MAX_JOINED ? parsed(before, depth + 1) : undefined;
    // A part of the truncated line may be JSON, too.
    const isLine = head?.value !== undefined && detectAgent(head.value) !== undefined;
    if (!isLine) return { value: rest, broken: before };
    const { earlier = [], value: last = null, broken } = head;
    return { value: rest, broken, earlier: [...earlier, last] };
  }
  return { value: undefined, broken: text };
}
