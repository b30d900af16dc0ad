import type { JsonObject } from '../json/json-value.ts';
import type { ReasoningEffort } from '../models/request.ts';

/** How one kind of OpenAI-compatible server differs from the others: data, not code. */
export interface OpenAIProfile {
  /** The provider's name in models and errors. */
  readonly name: string;
  /** Where the server is, if it is always there. */
  readonly baseURL?: string | undefined;
  /** The environment variable that holds the key. Absent: the server needs none. */
  readonly keyName?: string | undefined;
  /** True if it takes `stream_options: { include_usage: true }`. */
  readonly streamUsage: boolean;
  readonly tokenLimitField: 'max_completion_tokens' | 'max_tokens';
  readonly systemRole: 'system' | 'developer' | 'user';
  /**
   * True if instructions may only be one message at the beginning: the first ones are joined, and later ones are said by
   * the user. Default: `false`.
   */
  readonly systemFirst?: boolean;
  /**
   * Which forms of `response_format` it takes: `schema` (`json_schema` and `json_object`),
   * `schema-only`, `loose` (as `schema`, but never held to it strictly), `object` (`json_object` only), or none. Other
   * forms are asked for in words.
   */
  readonly jsonMode: 'schema' | 'schema-only' | 'loose' | 'object' | 'none';
  /** Sent as `encoding_format`; base64, the SDK's default, is ignored by some servers. */
  readonly embeddingFormat: 'float' | 'none';
  /** Fields of a delta that hold reasoning; the first that is there counts. */
  readonly reasoningIn: readonly string[];
  /**
   * The field in which reasoning is given back (`content`: as parts of it, as they came), and of which turns; `required` is `always`, and with an empty text where
   * there was none.
   */
  readonly reasoningOut: {
    readonly field: string;
    readonly when: 'never' | 'tool-turns' | 'always' | 'required';
    /** Replaces reasoning that there was not, where it is required. Default: an empty text. */
    readonly none?: string;
  };
  /**
   * How much to think: a field of its own, an object (OpenRouter), a field next to a switch (DeepSeek's `thinking`), or no
   * such thing.
   */
  readonly reasoningEffort: 'reasoning_effort' | 'reasoning.effort' | 'thinking' | 'none';
  /** The levels that it takes; another becomes the nearest of them. Default: all. */
  readonly efforts?: readonly Exclude<ReasoningEffort, 'default'>[] | undefined;
  /** A stream without a `finish_reason` is cut off, not complete. */
  readonly requireFinish: boolean;
  /** True if it takes `tool_choice`. */
  readonly toolChoice: boolean;
  /** Ids of tool calls: any, or nine letters and digits (Mistral). */
  readonly toolIds: 'any' | 'nine';
  /**
   * True if it may leave thoughts in the text, between marks such as `<think>`: they become reasoning. Default:
   * `false`.
   */
  readonly thinkTags?: boolean;
  /** True if it takes `thinking_blocks` back, which LiteLLM sends. Default: `false`. */
  readonly thinkingBlocks?: boolean;
  /** True if it takes `top_k`. */
  readonly topK: boolean;
  /** Fields that go with every request. */
  readonly extraBody?: JsonObject | undefined;
}

const careful: OpenAIProfile = {
  name: 'openai-compatible',
  streamUsage: true,
  tokenLimitField: 'max_tokens',
  systemRole: 'system',
  jsonMode: 'schema',
  embeddingFormat: 'float',
  reasoningIn: [
    'reasoning_content',
    'reasoning',
    'thinking',
    'thinking_content',
    'reasoning_text',
    'thought',
    // GitHub Copilot.
    'cot_summary',
  ],
  reasoningOut: { field: 'reasoning_content', when: 'never' },
  reasoningEffort: 'reasoning_effort',
  requireFinish: true,
  toolChoice: true,
  toolIds: 'any',
  thinkTags: true,
  thinkingBlocks: true,
  topK: false,
};

/** Servers that separate thoughts themselves. */
const apart = { thinkTags: false, thinkingBlocks: false } as const;

/** The names of {@link openAIProfiles}. */
export type OpenAIProfileName =
  | 'openai'
  | 'lmstudio'
  | 'vllm'
  | 'llamacpp'
  | 'ollama'
  | 'openrouter'
  | 'groq'
  | 'deepseek'
  | 'mistral'
  | 'gemini-openai'
  | 'compatible';

/**
 * The known facts about each server, from its documentation and its users' reports. `compatible` is the
 * careful default for all others. Errors need no entry: they are read in every form that is known.
 */
export const openAIProfiles: Readonly<Record<OpenAIProfileName, OpenAIProfile>> = {
  compatible: careful,
  openai: {
    ...careful,
    ...apart,
    name: 'openai',
    baseURL: 'https://api.openai.com/v1',
    keyName: 'OPENAI_API_KEY',
    tokenLimitField: 'max_completion_tokens',
    systemRole: 'developer',
  },
  // Refuses json_object; tool deltas repeat an empty name.
  lmstudio: {
    ...careful,
    name: 'lmstudio',
    baseURL: 'http://localhost:1234/v1',
    jsonMode: 'schema-only',
  },
  // `reasoning_content` was renamed to `reasoning` in 0.16.
  vllm: {
    ...careful,
    name: 'vllm',
    baseURL: 'http://localhost:8000/v1',
    reasoningIn: ['reasoning', 'reasoning_content'],
    reasoningOut: { field: 'reasoning', when: 'tool-turns' },
    efforts: ['none', 'low', 'medium', 'high'],
    topK: true,
  },
  llamacpp: {
    ...careful,
    name: 'llamacpp',
    baseURL: 'http://localhost:8080/v1',
    reasoningOut: { field: 'reasoning_content', when: 'tool-turns' },
    topK: true,
  },
  ollama: {
    ...careful,
    name: 'ollama',
    baseURL: 'http://localhost:11434/v1',
    reasoningIn: ['reasoning', 'reasoning_content'],
    reasoningOut: { field: 'reasoning', when: 'tool-turns' },
    efforts: ['none', 'low', 'medium', 'high'],
    toolChoice: false,
  },
  openrouter: {
    ...careful,
    name: 'openrouter',
    baseURL: 'https://openrouter.ai/api/v1',
    keyName: 'OPENROUTER_API_KEY',
    reasoningIn: ['reasoning', 'reasoning_content'],
    reasoningOut: { field: 'reasoning', when: 'always' },
    reasoningEffort: 'reasoning.effort',
    topK: true,
  },
  groq: {
    ...careful,
    thinkingBlocks: false,
    name: 'groq',
    baseURL: 'https://api.groq.com/openai/v1',
    keyName: 'GROQ_API_KEY',
    reasoningIn: ['reasoning', 'reasoning_content'],
    reasoningOut: { field: 'reasoning', when: 'never' },
    efforts: ['none', 'low', 'medium', 'high'],
  },
  // Wants its reasoning back with tool calls, and refused it without (R1).
  deepseek: {
    ...careful,
    ...apart,
    name: 'deepseek',
    baseURL: 'https://api.deepseek.com/v1',
    keyName: 'DEEPSEEK_API_KEY',
    jsonMode: 'object',
    reasoningOut: { field: 'reasoning_content', when: 'tool-turns' },
    reasoningEffort: 'thinking',
    efforts: ['none', 'low', 'high', 'max'],
  },
  // Answers 422 to every field that it does not know, `stream_options` too; usage comes anyway.
  mistral: {
    ...careful,
    thinkingBlocks: false,
    name: 'mistral',
    baseURL: 'https://api.mistral.ai/v1',
    keyName: 'MISTRAL_API_KEY',
    streamUsage: false,
    reasoningOut: { field: 'content', when: 'always' },
    efforts: ['none', 'high'],
    toolIds: 'nine',
  },
  'gemini-openai': {
    ...careful,
    thinkingBlocks: false,
    name: 'gemini-openai',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyName: 'GEMINI_API_KEY',
    efforts: ['none', 'minimal', 'low', 'medium', 'high'],
  },
};

const HOSTS: Readonly<Record<string, OpenAIProfileName>> = {
  'openrouter.ai': 'openrouter',
  'api.groq.com': 'groq',
  'api.deepseek.com': 'deepseek',
  'api.mistral.ai': 'mistral',
  'generativelanguage.googleapis.com': 'gemini-openai',
};

/** Returns the profile of the server at an address, as far as its host shows it. */
export function profileAt(baseURL: string): OpenAIProfile {
  if (isOpenAIHost(baseURL)) return openAIProfiles.openai;
  return openAIProfiles[HOSTS[hostOf(baseURL)] ?? 'compatible'];
}

/** Checks whether an address is OpenAI's own, of any region (`eu.api.openai.com`). */
export function isOpenAIHost(baseURL: string): boolean {
  return /^(?:[a-z0-9-]+\.)?api\.openai\.com$/.test(hostOf(baseURL));
}

function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).hostname : '';
}
