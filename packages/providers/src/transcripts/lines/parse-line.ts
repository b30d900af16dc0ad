import type { JsonValue } from '../../json/json-value.ts';
import { parseShallowJson } from '../model/read-fields.ts';

/** The content of a line: its value, and the text before it that is not JSON. */
export interface ParsedLine {
  /** `undefined` if nothing in the line is JSON. */
  readonly value: JsonValue | undefined;
  /** The part of the line that is not JSON. */
  readonly broken?: string | undefined;
}

/** Matches the beginnings of objects of transcripts, to find the next one after one that was truncated. */
const BEGINNING = /\{"(?:parentUuid|type|timestamp|id|sessionId|uuid|data|info|leafUuid|\$set)"/g;

/** How many beginnings are tried, the last ones. */
const MAX_STARTS = 8;

/**
 * Parses a line. When a program was killed while it wrote a line, the next one was often appended
 * to the truncated one; the whole one is found after it.
 */
export function parseLine(text: string): ParsedLine {
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
    if (rest !== undefined) return { value: rest, broken: text.slice(0, start) };
  }
  return { value: undefined, broken: text };
}
