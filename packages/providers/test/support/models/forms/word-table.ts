import type { LLMErrorCode } from '@vizprompt/providers';
import type { FakeWireName } from '@vizprompt/providers/testing';

/** A server, its status and sentence, more fields of the error, and the wire; Chat Completions where none is named. */
type WordRow = readonly [
  server: string,
  status: number,
  sentence: string,
  more?: object,
  wire?: FakeWireName,
];

/** Sentences by what they mean. */
export type WordTable = Readonly<Partial<Record<LLMErrorCode, readonly WordRow[]>>>;
