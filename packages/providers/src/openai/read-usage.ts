import { fieldsOf, jsonOf, numberOf, type Fields } from '../json/fields.ts';
import type { Usage } from '../models/events.ts';

/** Paths to a count, the most telling first; a path is `field` or `field.field`. */
type Paths = readonly string[];

/** All tokens of the prompt. */
const INPUT: Paths = [
  'prompt_tokens',
  'input_tokens',
  'inputTokens',
  'promptTokenCount',
  'promptTokens',
  'tokens.input_tokens',
  'prompt_eval_count',
];

/** All tokens of the answer. */
const OUTPUT: Paths = [
  'completion_tokens',
  'output_tokens',
  'outputTokens',
  'candidatesTokenCount',
  'completionTokens',
  'tokens.output_tokens',
  'eval_count',
];

/**
 * Tokens of the prompt that came from a cache.
 *
 * Sources: OpenAI, Azure, xAI, Groq, Fireworks, OpenRouter, vLLM, SGLang, Zhipu, DashScope (`prompt_tokens_details`);
 * the Responses API (`input_tokens_details`); Mistral (`num_cached_tokens`, `prompt_token_details`); DeepSeek
 * (`prompt_cache_hit_tokens`); Anthropic by way of LiteLLM and Vercel's gateway (`cache_read_input_tokens`); Moonshot and
 * Together (`cached_tokens`); Bedrock (`cacheReadInputTokens`); Gemini by way of gateways (`cachedContentTokenCount`).
 */
const CACHE_READ: Paths = [
  'prompt_tokens_details.cached_tokens',
  'input_tokens_details.cached_tokens',
  'prompt_token_details.cached_tokens',
  'prompt_cache_hit_tokens',
  'cache_read_input_tokens',
  'prompt_tokens_details.cache_read_input_tokens',
  'prompt_tokens_details.cache_read_tokens',
  'cached_tokens',
  'num_cached_tokens',
  'cacheReadInputTokens',
  'cachedContentTokenCount',
];

/**
 * Tokens of the prompt that were written to a cache.
 *
 * Sources: OpenAI and OpenRouter (`cache_write_tokens`); LiteLLM (`cache_creation_tokens`, and Anthropic's own field);
 * DashScope (`prompt_tokens_details.cache_creation_input_tokens`); Bedrock (`cacheWriteInputTokens`).
 */
const CACHE_WRITE: Paths = [
  'prompt_tokens_details.cache_write_tokens',
  'input_tokens_details.cache_write_tokens',
  'prompt_tokens_details.cache_creation_tokens',
  'prompt_tokens_details.cache_creation_input_tokens',
  'cache_creation_input_tokens',
  'cache_write_tokens',
  'cacheWriteInputTokens',
];

/**
 * Tokens of the answer that were spent on thinking.
 *
 * Sources: OpenAI, OpenRouter, DeepSeek, xAI, Groq (`completion_tokens_details`); the Responses API
 * (`output_tokens_details`); Anthropic (`output_tokens_details.thinking_tokens`); SGLang and Perplexity
 * (`reasoning_tokens`); Gemini by way of gateways (`thoughtsTokenCount`).
 */
const REASONING: Paths = [
  'completion_tokens_details.reasoning_tokens',
  'output_tokens_details.reasoning_tokens',
  'output_tokens_details.thinking_tokens',
  'reasoning_tokens',
  'thoughtsTokenCount',
];

const TOTAL: Paths = ['total_tokens', 'totalTokens', 'totalTokenCount'];

/**
 * Reads what a call cost in the dialects of all servers that speak a protocol of OpenAI: in the field `usage`, in Groq's,
 * Gemini's or Ollama's own, or as llama.cpp's timings.
 *
 * @param fields - A chunk, a choice or a response, not the usage itself.
 * @returns `undefined` if the server reported nothing.
 */
export function readUsage(fields: Fields): Usage | undefined {
  const isOllama = 'eval_count' in fields;
  const usage = fieldsOf(
    fields['usage'] ??
      fieldsOf(fields['x_groq'])['usage'] ??
      fields['usageMetadata'] ??
      (isOllama ? fields : undefined),
  );
  const input = at(usage, INPUT);
  const output = at(usage, OUTPUT);
  if (input === undefined && output === undefined) return readTimings(fieldsOf(fields['timings']));
  const cached = at(usage, CACHE_READ);
  const written = at(usage, CACHE_WRITE);
  const told = at(usage, REASONING);
  const missing = missingIn(usage, { input, output, cached, written });
  // Tokens in no other count were thought, and are paid for as output: xAI, Gemini.
  const reasoning = told ?? (missing.output > 0 ? missing.output : undefined);
  return {
    ...(input === undefined ? {} : { inputTokens: input + missing.input }),
    ...(output === undefined ? {} : { outputTokens: output + missing.output }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(written === undefined ? {} : { cacheWriteInputTokens: written }),
    raw: jsonOf(usage),
  };
}

interface Counts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number | undefined;
  readonly written: number | undefined;
}

/**
 * Returns the tokens that `input` and `output` leave out. Anthropic counts what comes from its cache and goes into it apart from
 * the rest; xAI and Gemini count thoughts apart. The total shows it, where there is one.
 *
 * Sources: vercel/ai#12425, clarifai-python#978, docs.anthropic.com (prompt caching).
 */
function missingIn(
  usage: Fields,
  { input = 0, output = 0, cached = 0, written = 0 }: Counts,
): { readonly input: number; readonly output: number } {
  const inCache = cached + written;
  const total = at(usage, TOTAL);
  const gap = total === undefined ? 0 : Math.max(0, total - input - output);
  const isAnthropic = 'input_tokens' in usage && 'cache_read_input_tokens' in usage;
  const isApart = inCache > 0 && (inCache > input || (total === undefined && isAnthropic));
  if (isApart || (inCache > 0 && gap === inCache)) {
    return { input: inCache, output: Math.max(0, gap - inCache) };
  }
  return { input: 0, output: gap };
}

/** llama.cpp counts what it evaluated, and what it had from before. */
function readTimings(timings: Fields): Usage | undefined {
  const evaluated = numberOf(timings['prompt_n']);
  const outputTokens = numberOf(timings['predicted_n']);
  if (evaluated === undefined && outputTokens === undefined) return undefined;
  const cached = numberOf(timings['cache_n']);
  return {
    ...(evaluated === undefined ? {} : { inputTokens: evaluated + (cached ?? 0) }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    raw: jsonOf(timings),
  };
}

function at(fields: Fields, paths: Paths): number | undefined {
  for (const path of paths) {
    const [first = '', second] = path.split('.');
    const value = second === undefined ? fields[first] : fieldsOf(fields[first])[second];
    const isText = typeof value === 'string' && /^\d+$/.test(value);
    const count = isText ? Number(value) : numberOf(value);
    // Some servers say -1 where they did not count.
    if (count !== undefined && count >= 0) return count;
  }
  return undefined;
}
