import type {
  FunctionCallingConfigMode,
  GenerateContentConfig,
  ThinkingLevel,
} from '@google/genai';
import { outputInstruction } from '../adapter-kit/output-instruction.ts';
import { nearestLevel, type Effort } from '../adapter-kit/effort.ts';
import type { ChatRequest, ToolChoice } from '../models/request.ts';
import type { Settings } from './refused-fields.ts';

/** The part of a request besides the messages, and the instructions that the model needs in words instead. */
export interface WrittenConfig {
  readonly config: GenerateContentConfig;
  /** Empty where the fields say all. */
  readonly instruction: string;
}

/** Writes the configuration as this server takes it. */
export function writeConfig(model: string, settings: Settings): WrittenConfig {
  const { request, json, without = [] } = settings;
  const { output, tools, toolChoice, stop } = request;
  const config: GenerateContentConfig = {};
  if (request.maxOutputTokens !== undefined) config.maxOutputTokens = request.maxOutputTokens;
  if (request.temperature !== undefined) config.temperature = request.temperature;
  if (request.topP !== undefined) config.topP = request.topP;
  if (request.topK !== undefined) config.topK = request.topK;
  if (request.seed !== undefined) config.seed = request.seed;
  if (stop && stop.length > 0) config.stopSequences = [...stop];
  if (output?.type === 'json' && json !== 'words') {
    config.responseMimeType = 'application/json';
    if (output.schema !== undefined && json === undefined) {
      config.responseJsonSchema = output.schema;
    }
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
  const thinking = thinkingOf(model, request.reasoning, settings.thinking);
  if (thinking) config.thinkingConfig = thinking;
  const own = request.providerOptions?.['gemini'] ?? {};
  const kept = Object.entries(config).filter(([key]) => !without.includes(key));
  return {
    config: {
      ...Object.fromEntries(kept),
      automaticFunctionCalling: { disable: true },
      // Otherwise the SDK may ask again on its own, beyond every limit that was set.
      automaticContinuation: false,
      ...own,
    },
    instruction: json === undefined ? '' : (outputInstruction(output) ?? ''),
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
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** The levels of Gemini 3, which always thinks: the least is as near as it comes to not at all. */
const LEVELS = ['minimal', 'low', 'medium', 'high'] as const;

function thinkingOf(
  model: string,
  reasoning: ChatRequest['reasoning'],
  wish: Settings['thinking'],
): GenerateContentConfig['thinkingConfig'] {
  if (reasoning === undefined || wish === 'nothing') return undefined;
  if (reasoning === 'default') return { includeThoughts: true };
  const hasLevels = /gemini-(?:[3-9]|\d\d)/.test(model);
  if (!hasLevels) {
    const thinkingBudget = wish === 'least' ? 128 : BUDGETS[reasoning];
    return { includeThoughts: reasoning !== 'none', thinkingBudget };
  }
  const nearest = wish === 'least' ? 'low' : nearestLevel(reasoning, LEVELS);
  const level = (nearest ?? 'high').toUpperCase();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values are the names
  return { includeThoughts: reasoning !== 'none', thinkingLevel: level as ThinkingLevel };
}
