import type {
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
} from '@ai-sdk/provider';
import { toolContent } from '../adapter-kit/tool-content.ts';
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
export interface PromptDialect<File, Thought, ResultFile> {
  file(part: FilePart): File;
  /** Returns a file that a tool gave back. */
  resultFile(part: FilePart): ResultFile;
  /** `undefined` leaves the part out. */
  thought(part: ReasoningPart): Thought | undefined;
}

/**
 * Writes messages as a prompt of the AI SDK.
 *
 * @throws LLMError with the code `unsupported` for a part that its role cannot hold there.
 */
export function writePrompt<File, Thought, ResultFile>(
  messages: readonly Message[],
  dialect: PromptDialect<File, Thought, ResultFile>,
): PromptMessage<File, Thought, ResultFile>[] {
  return messages.map((message) => ({
    ...writeMessage(message, dialect),
    ...optionsOf(message.meta),
  }));
}

function writeMessage<File, Thought, ResultFile>(
  { role, parts }: Message,
  { file, thought, resultFile }: PromptDialect<File, Thought, ResultFile>,
): PromptMessage<File, Thought, ResultFile> {
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
            // Sources come from the provider; they are not sent to it.
            if (part.type === 'source') return undefined;
            return part.type === 'reasoning' ? thought(part) : writeOwn(part, resultFile);
          })
          .filter((part) => part !== undefined),
      };
    default:
      return {
        role,
        content: parts.map((part) => {
          if (part.type === 'tool-result') return writeResult(part, resultFile);
          throw misplaced(role, part);
        }),
      };
  }
}

/** Returns a thought as both generations write it. */
export function writeReasoning({ text, meta }: ReasoningPart): LanguageModelV3ReasoningPart {
  return { type: 'reasoning', text, ...optionsOf(meta) };
}

function writeOwn<ResultFile>(
  part: TextPart | ToolCallPart | ToolResultPart,
  resultFile: (part: FilePart) => ResultFile,
): LanguageModelV3TextPart | LanguageModelV3ToolCallPart | PromptToolResult<ResultFile> {
  if (part.type === 'text') return writeText(part);
  if (part.type === 'tool-result') return writeResult(part, resultFile);
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

function writeResult<ResultFile>(
  part: ToolResultPart,
  resultFile: (part: FilePart) => ResultFile,
): PromptToolResult<ResultFile> {
  const { id, name, meta } = part;
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: writeOutput(part, resultFile),
    ...optionsOf(meta),
  };
}

/** The AI SDK has no word for an error that has files. */
function writeOutput<ResultFile>(
  { output, isError = false }: ToolResultPart,
  resultFile: (part: FilePart) => ResultFile,
): PromptToolResult<ResultFile>['output'] {
  if (typeof output === 'string') return { type: isError ? 'error-text' : 'text', value: output };
  const content = toolContent(output);
  if (!content.some(({ type }) => type === 'file')) {
    return { type: isError ? 'error-json' : 'json', value: plainJson(output) };
  }
  const value = content.map((part) =>
    part.type === 'text' ? { type: 'text' as const, text: part.text } : resultFile(part),
  );
  return { type: 'content', value };
}

function misplaced(role: string, { type }: Part): LLMError {
  return new LLMError('unsupported', `the AI SDK has no ${type} parts in ${role} messages`);
}
