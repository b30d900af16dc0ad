import type {
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
} from '@ai-sdk/provider';
import { LLMError } from '../models/llm-error.ts';
import {
  textOf,
  type FilePart,
  type Message,
  type Part,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../models/message.ts';
import { markOf, optionsOf, plainJson } from './json.ts';
import type { PromptMessage, PromptToolResult } from './spec.ts';

/** How a generation of the AI SDK writes what it writes differently. */
export interface PromptDialect<File, Thought> {
  file(part: FilePart): File;
  /** `undefined` leaves the part out. */
  thought(part: ReasoningPart): Thought | undefined;
}

/**
 * Writes messages as a prompt of the AI SDK.
 *
 * @throws LLMError with the code `unsupported` for a part that its role cannot hold there.
 */
export function writePrompt<File, Thought>(
  messages: readonly Message[],
  dialect: PromptDialect<File, Thought>,
): PromptMessage<File, Thought>[] {
  return messages.map((message) => ({
    ...writeMessage(message, dialect),
    ...optionsOf(message.meta),
  }));
}

function writeMessage<File, Thought>(
  { role, parts }: Message,
  { file, thought }: PromptDialect<File, Thought>,
): PromptMessage<File, Thought> {
  switch (role) {
    case 'system':
      for (const part of parts) if (part.type !== 'text') throw misplaced(role, part);
      return { role, content: textOf(parts) };
    case 'user':
      return {
        role,
        content: parts.map((part) => {
          if (part.type === 'text') return writeText(part);
          if (part.type === 'file') return file(part);
          throw misplaced(role, part);
        }),
      };
    case 'assistant':
      return {
        role,
        content: parts
          .map((part) => {
            if (part.type === 'file') return file(part);
            // Sources are told by the provider, not to it.
            if (part.type === 'source') return undefined;
            return part.type === 'reasoning' ? thought(part) : writeOwn(part);
          })
          .filter((part) => part !== undefined),
      };
    default:
      return {
        role,
        content: parts.map((part) => {
          if (part.type === 'tool-result') return writeResult(part);
          throw misplaced(role, part);
        }),
      };
  }
}

/** A thought as both generations write it. */
export function writeReasoning({ text, meta }: ReasoningPart): LanguageModelV3ReasoningPart {
  return { type: 'reasoning', text, ...optionsOf(meta) };
}

function writeOwn(
  part: TextPart | ToolCallPart | ToolResultPart,
): LanguageModelV3TextPart | LanguageModelV3ToolCallPart | PromptToolResult {
  if (part.type === 'text') return writeText(part);
  if (part.type === 'tool-result') return writeResult(part);
  const { id, name, input, meta } = part;
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: plainJson(input),
    ...(markOf(meta, 'providerExecuted') === true ? { providerExecuted: true } : {}),
    ...optionsOf(meta),
  };
}

function writeText({ text, meta }: TextPart): LanguageModelV3TextPart {
  return { type: 'text', text, ...optionsOf(meta) };
}

function writeResult(part: ToolResultPart): PromptToolResult {
  const { id, name, output, isError = false, meta } = part;
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output:
      typeof output === 'string'
        ? { type: isError ? 'error-text' : 'text', value: output }
        : { type: isError ? 'error-json' : 'json', value: plainJson(output) },
    ...optionsOf(meta),
  };
}

function misplaced(role: string, { type }: Part): LLMError {
  return new LLMError('unsupported', `the AI SDK has no ${type} parts in ${role} messages`);
}
