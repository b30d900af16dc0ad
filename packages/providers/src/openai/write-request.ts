import type OpenAI from 'openai';
import { unsentFiles } from '../adapter-kit/wire.ts';
import type { ChatWarning } from '../models/events.ts';
import { textMessage } from '../models/message.ts';
import type { ChatRequest, OutputFormat } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';
import type { Settings } from './refused-fields.ts';
import { strictSchema } from '../adapter-kit/strict-schema.ts';
import { writeMessages } from './write-messages.ts';

/** A request in the form of the wire, and what of it the server cannot do. */
export interface WrittenRequest {
  readonly body: OpenAI.ChatCompletionCreateParams;
  readonly warnings: readonly ChatWarning[];
}

/** Writes a request as the profile of the server wants it. */
export function writeRequest(
  model: string,
  { request, profile, isWhole = false }: Settings,
): WrittenRequest {
  const warnings: ChatWarning[] = unsentFiles(request.messages, ['system', 'assistant']);
  const { tools, toolChoice, output, topK, providerOptions } = request;
  const instruction = outputInstruction(output, profile);
  const messages = [
    ...(instruction === undefined ? [] : [textMessage('system', instruction)]),
    ...request.messages,
  ];
  const optional: Record<string, unknown> = {
    [profile.tokenLimitField]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop && request.stop.length > 0 ? request.stop : undefined,
    seed: request.seed,
    stream_options: profile.streamUsage && !isWhole ? { include_usage: true } : undefined,
    response_format: outputForm(output, profile),
    ...effortOf(request, profile),
  };
  const { reasoning = 'default' } = request;
  if (reasoning !== 'default' && profile.reasoningEffort === 'none') {
    const message = `${profile.name} cannot be told how much to think`;
    warnings.push({ field: 'reasoning', message });
  }
  if (topK !== undefined) {
    if (profile.topK) optional['top_k'] = topK;
    else warnings.push({ field: 'topK', message: `${profile.name} has no topK; it was left out` });
  }
  if (tools && tools.length > 0) {
    optional['tools'] = tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), parameters },
    }));
    if (toolChoice !== undefined) {
      if (profile.toolChoice) optional['tool_choice'] = choiceOf(toolChoice);
      else if (toolChoice !== 'auto') {
        warnings.push({
          field: 'toolChoice',
          message: `${profile.name} has no toolChoice; the model decides by itself`,
        });
      }
    }
  }
  return {
    body: {
      model,
      messages: writeMessages(messages, profile),
      ...(isWhole ? {} : { stream: true }),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
      ...profile.extraBody,
      ...providerOptions?.['openai'],
      ...(profile.name === 'openai' ? {} : providerOptions?.[profile.name]),
    },
    warnings,
  };
}

function choiceOf(choice: NonNullable<ChatRequest['toolChoice']>): unknown {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.tool } };
}

function effortOf({ reasoning }: ChatRequest, profile: OpenAIProfile): Record<string, unknown> {
  if (reasoning === undefined || reasoning === 'default') return {};
  switch (profile.reasoningEffort) {
    case 'reasoning_effort':
      return { reasoning_effort: reasoning };
    case 'reasoning.effort':
      return { reasoning: reasoning === 'none' ? { enabled: false } : { effort: reasoning } };
    default:
      return {};
  }
}

function outputForm(
  output: OutputFormat | undefined,
  { jsonMode }: OpenAIProfile,
): object | undefined {
  if (output?.type !== 'json' || jsonMode === 'none') return undefined;
  const { schema, name = 'answer' } = output;
  const takesSchema = jsonMode === 'schema' || jsonMode === 'loose';
  const isSchema = jsonMode === 'schema-only' || (takesSchema && schema !== undefined);
  if (!isSchema) return { type: 'json_object' };
  const form = schema ?? { type: 'object' };
  const strict = jsonMode === 'loose' ? undefined : strictSchema(form);
  return {
    type: 'json_schema',
    json_schema: { name: safeName(name), schema: strict ?? form, strict: strict !== undefined },
  };
}

/** Names may have Latin letters, digits, `_` and `-` only, at most 64. */
function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64);
  return /[A-Za-z0-9]/.test(safe) ? safe : 'answer';
}

/** What the server cannot be told by a field, the model is told in words. */
function outputInstruction(
  output: OutputFormat | undefined,
  { jsonMode }: OpenAIProfile,
): string | undefined {
  if (output?.type !== 'json') return undefined;
  const { schema } = output;
  if (schema === undefined) {
    return jsonMode === 'schema-only' ? undefined : 'Answer with one JSON object and nothing else.';
  }
  if (jsonMode !== 'object' && jsonMode !== 'none') return undefined;
  return `Answer with JSON and nothing else. It must follow this JSON Schema:\n${JSON.stringify(schema)}`;
}
