import type {
  FunctionCallingConfigMode,
  GenerateContentConfig,
  ThinkingLevel,
} from '@google/genai';
import type { ChatRequest, ToolChoice } from '../models/request.ts';

/** The part of a request that is not what was said. */
export function writeConfig(model: string, request: ChatRequest): GenerateContentConfig {
  const { output, tools, toolChoice, stop } = request;
  const config: GenerateContentConfig = {};
  if (request.maxOutputTokens !== undefined) config.maxOutputTokens = request.maxOutputTokens;
  if (request.temperature !== undefined) config.temperature = request.temperature;
  if (request.topP !== undefined) config.topP = request.topP;
  if (request.topK !== undefined) config.topK = request.topK;
  if (request.seed !== undefined) config.seed = request.seed;
  if (stop && stop.length > 0) config.stopSequences = [...stop];
  if (output?.type === 'json') {
    config.responseMimeType = 'application/json';
    if (output.schema !== undefined) config.responseJsonSchema = output.schema;
  }
  if (tools && tools.length > 0) {
    config.tools = [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          ...(description === undefined ? {} : { description }),
          parametersJsonSchema: parameters,
        })),
      },
    ];
    if (toolChoice !== undefined) {
      config.toolConfig = { functionCallingConfig: choiceOf(toolChoice) };
    }
  }
  const thinking = thinkingOf(model, request.reasoning);
  if (thinking) config.thinkingConfig = thinking;
  return {
    ...config,
    automaticFunctionCalling: { disable: true },
    // Otherwise the SDK may ask again by itself, beyond every limit that was set.
    automaticContinuation: false,
    ...request.providerOptions?.['gemini'],
  };
}

function choiceOf(choice: ToolChoice): {
  mode: FunctionCallingConfigMode;
  allowedFunctionNames?: string[];
} {
  if (typeof choice === 'object') {
    return { mode: mode('ANY'), allowedFunctionNames: [choice.tool] };
  }
  return { mode: mode(choice === 'required' ? 'ANY' : choice === 'none' ? 'NONE' : 'AUTO') };
}

/** The SDK's enums are loaded with it; their values are their names. */
function mode(name: 'ANY' | 'NONE' | 'AUTO'): FunctionCallingConfigMode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return name as FunctionCallingConfigMode;
}

/** Tokens to think with, for models before Gemini 3, which have no levels. */
const BUDGETS = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576 } as const;

function thinkingOf(
  model: string,
  reasoning: ChatRequest['reasoning'],
): GenerateContentConfig['thinkingConfig'] {
  if (reasoning === undefined) return undefined;
  if (reasoning === 'default') return { includeThoughts: true };
  const hasLevels = /gemini-(?:[3-9]|\d\d)/.test(model);
  if (!hasLevels) {
    return { includeThoughts: reasoning !== 'none', thinkingBudget: BUDGETS[reasoning] };
  }
  // Gemini 3 always thinks; the least is as near as it comes to not at all.
  const level = (reasoning === 'none' ? 'minimal' : reasoning).toUpperCase();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values are the names
  return { includeThoughts: reasoning !== 'none', thinkingLevel: level as ThinkingLevel };
}
