import type OpenAI from 'openai';
import { unsentFiles } from '../../adapter-kit/wire.ts';
import type { ChatWarning } from '../../models/events.ts';
import { textMessage } from '../../models/message.ts';
import type { ChatRequest } from '../../models/request.ts';
import type { OpenAIProfile } from '../profiles.ts';
import { effortFor } from '../model-families.ts';
import { instructionFor, outputForm } from '../output-form.ts';
import type { Settings } from '../settings.ts';
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
  const instruction = instructionFor(output, profile);
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
    response_format: formatOf(output, profile),
    ...effortOf(request, profile),
  };
  const { reasoning = 'default' } = request;
  if (reasoning !== 'default' && profile.reasoningEffort === 'none') {
    const message = `${profile.name} has no setting for how much to think`;
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
          message: `${profile.name} has no toolChoice; the model decides alone`,
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

function formatOf(output: ChatRequest['output'], profile: OpenAIProfile): object | undefined {
  const form = outputForm(output, profile);
  if (form?.type !== 'json_schema') return form;
  const { type, ...schema } = form;
  return { type, json_schema: schema };
}

function choiceOf(choice: NonNullable<ChatRequest['toolChoice']>): unknown {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.tool } };
}

function effortOf({ reasoning }: ChatRequest, profile: OpenAIProfile): Record<string, unknown> {
  const effort = effortFor(reasoning, profile);
  if (effort === undefined) return {};
  switch (profile.reasoningEffort) {
    case 'reasoning_effort':
      return { reasoning_effort: effort };
    case 'reasoning.effort':
      return { reasoning: effort === 'none' ? { enabled: false } : { effort } };
    case 'thinking':
      return effort === 'none'
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'enabled' }, reasoning_effort: effort };
    default:
      return {};
  }
}
