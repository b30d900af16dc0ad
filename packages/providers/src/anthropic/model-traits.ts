import type { ModelCapabilities } from '../models/chat-model.ts';

/** The features of a model, derived from its name; errors of the server correct them. */
export interface ModelTraits {
  /** Tokens that an answer may have; `max_tokens` must always be sent. */
  readonly maxOutputTokens: number;
  /** The form in which it is asked to think. */
  readonly thinking: 'adaptive' | 'budget' | 'never';
  /** True if it accepts `output_config.effort`. */
  readonly hasEffort: boolean;
  /** True if its answers can be constrained to a JSON Schema. */
  readonly hasSchema: boolean;
  readonly capabilities: ModelCapabilities;
}

/** A generation of Claude: its models from a version on, up to the next row. */
interface Generation {
  readonly from: number;
  readonly maxOutputTokens: number;
  readonly thinking: ModelTraits['thinking'];
  readonly hasEffort?: boolean;
  readonly hasSchema?: boolean;
  readonly contextWindow?: number;
}

/**
 * Sources: https://platform.claude.com/docs/en/about-claude/models/overview, …/build-with-claude/adaptive-thinking,
 * …/effort and …/structured-outputs; Effect-TS/effect#7129 for the limits of 4.6 to 4.8.
 */
const GENERATIONS: readonly Generation[] = [
  { from: 5, maxOutputTokens: 128_000, thinking: 'adaptive', contextWindow: 1_000_000 },
  { from: 4.6, maxOutputTokens: 128_000, thinking: 'adaptive' },
  {
    from: 4.5,
    maxOutputTokens: 64_000,
    thinking: 'budget',
    hasEffort: false,
    contextWindow: 200_000,
  },
  {
    from: 3.7,
    maxOutputTokens: 64_000,
    thinking: 'budget',
    hasEffort: false,
    hasSchema: false,
    contextWindow: 200_000,
  },
  {
    from: 3.5,
    maxOutputTokens: 8192,
    thinking: 'never',
    hasEffort: false,
    hasSchema: false,
    contextWindow: 200_000,
  },
  {
    from: 0,
    maxOutputTokens: 4096,
    thinking: 'never',
    hasEffort: false,
    hasSchema: false,
    contextWindow: 200_000,
  },
];

/** Traits of a Claude without a version number, or newer than this table. */
const NEWEST: Generation = { from: 5, maxOutputTokens: 128_000, thinking: 'adaptive' };

/** Traits of other models that use the same API, such as those of LM Studio, Ollama, DeepSeek or Moonshot. */
const OTHER: Generation = {
  from: 0,
  maxOutputTokens: 16_384,
  thinking: 'budget',
  hasEffort: false,
  hasSchema: false,
};

/** Returns what a model takes, by its name, in the spelling of Anthropic, Bedrock, Vertex or OpenRouter. */
export function traitsOf(model: string): ModelTraits {
  const { contextWindow, ...generation } = generationOf(model.toLowerCase());
  const { hasEffort = true, hasSchema = true, maxOutputTokens, thinking } = generation;
  const isClaude = contextWindow !== undefined || thinking === 'adaptive';
  return {
    maxOutputTokens,
    thinking,
    hasEffort,
    hasSchema,
    capabilities: {
      tools: true,
      ...(isClaude
        ? {
            jsonSchema: hasSchema,
            reasoning: thinking !== 'never',
            inputMediaTypes: [
              'image/jpeg',
              'image/png',
              'image/gif',
              'image/webp',
              'application/pdf',
              'text/plain',
            ],
            maxOutputTokens,
          }
        : {}),
      ...(contextWindow === undefined ? {} : { contextWindow }),
    },
  };
}

function generationOf(model: string): Generation {
  if (!model.includes('claude')) return OTHER;
  const version = versionOf(model);
  const known = GENERATIONS.find(({ from }) => version !== undefined && version >= from) ?? NEWEST;
  // Two models of a generation may differ.
  if (/opus-4(?:-[01])?(?![\d.-]*\d)|opus-4(?:-1)?[-@]\d{8}|opus-4\.[01]/.test(model)) {
    return { ...known, maxOutputTokens: 32_000, hasSchema: /opus-4[-.]1/.test(model) };
  }
  return /opus-4[-.]5/.test(model) ? { ...known, hasEffort: true } : known;
}

/** `claude-opus-4-5-20251101` is 4.5, `claude-sonnet-4-20250514` 4, `claude-3-7-sonnet` 3.7. */
function versionOf(model: string): number | undefined {
  const named =
    /claude-(\d)(?:[-.](\d{1,2}))?(?=-[a-z])/.exec(model) ??
    /-(?:haiku|sonnet|opus|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/.exec(model) ??
    /claude-(?:v|instant-)?(\d)(?:\.(\d))?/.exec(model);
  if (!named) return undefined;
  const [, major, minor = '0'] = named;
  return Number(major) + Number(minor) / 10;
}
