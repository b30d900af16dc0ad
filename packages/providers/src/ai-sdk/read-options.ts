import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider';
import type {
  ChatRequest,
  OutputFormat,
  ReasoningEffort,
  Tool,
  ToolChoice,
} from '../models/request.ts';
import { EFFORTS } from '../adapter-kit/effort.ts';
import { metaOf, plainObject } from './json.ts';
import { readPrompt } from './read-prompt.ts';

/** The options of a call as a request, and what of them could not be kept. */
export function readOptions(options: LanguageModelV3CallOptions): {
  readonly request: ChatRequest;
  readonly warnings: SharedV3Warning[];
} {
  const warnings: SharedV3Warning[] = [];
  const { maxOutputTokens, temperature, topP, topK, seed } = options;
  const { stopSequences, toolChoice, responseFormat, abortSignal, headers } = options;
  for (const feature of ['presencePenalty', 'frequencyPenalty'] as const) {
    if (options[feature] !== undefined) warnings.push({ type: 'unsupported', feature });
  }
  const tools = readTools(options.tools ?? [], warnings);
  const reasoning = readReasoning(options);
  const { meta: providerOptions } = metaOf(options.providerOptions);
  const request: ChatRequest = {
    messages: readPrompt(options.prompt, warnings),
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined ? {} : { toolChoice: readChoice(toolChoice) }),
    ...(responseFormat === undefined ? {} : { output: readFormat(responseFormat) }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
    ...(seed === undefined ? {} : { seed }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    ...(headers === undefined ? {} : { headers: readHeaders(headers) }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
  return { request, warnings };
}

function readTools(
  tools: NonNullable<LanguageModelV3CallOptions['tools']>,
  warnings: SharedV3Warning[],
): Tool[] {
  return tools.flatMap((tool) => {
    if (tool.type === 'provider') {
      warnings.push({ type: 'unsupported', feature: `provider tool '${tool.id}'` });
      return [];
    }
    const { name, description, inputSchema } = tool;
    return {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: plainObject(inputSchema),
    };
  });
}

function readChoice(choice: NonNullable<LanguageModelV3CallOptions['toolChoice']>): ToolChoice {
  return choice.type === 'tool' ? { tool: choice.toolName } : choice.type;
}

function readFormat(
  format: NonNullable<LanguageModelV3CallOptions['responseFormat']>,
): OutputFormat {
  if (format.type === 'text') return { type: 'text' };
  const { schema, name } = format;
  return {
    type: 'json',
    ...(schema === undefined ? {} : { schema: plainObject(schema) }),
    ...(name === undefined ? {} : { name }),
  };
}

/** `ai` 7 also hands the effort to models of v3. */
function readReasoning(options: object): ReasoningEffort | undefined {
  const effort = 'reasoning' in options ? options.reasoning : undefined;
  return EFFORTS.find((level) => level === effort);
}

function readHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
