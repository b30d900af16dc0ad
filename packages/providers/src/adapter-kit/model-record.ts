import {
  type Fields,
  fieldsOf,
  isRecord,
  listOf,
  numberOf,
  omitUndefined,
  stringOf,
} from '../json/fields.ts';
import type { ModelCapabilities } from '../models/chat-model.ts';

/**
 * Tokens of prompt and answer together.
 *
 * Sources: OpenRouter, Together, Fireworks, Cerebras, SambaNova (`context_length`), Groq and Vercel (`context_window`),
 * Mistral and LM Studio (`max_context_length`), vLLM and SGLang (`max_model_len`), Novita (`context_size`), llama.cpp
 * (`meta.n_ctx`), GitHub Copilot (`capabilities.limits`), Gemini (`inputTokenLimit`), Anthropic (`max_input_tokens`).
 */
const CONTEXT = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'context_size',
  'contextLength',
  'max_context_window_tokens',
  'inputTokenLimit',
  'max_input_tokens',
  'n_ctx',
  'n_ctx_train',
];

/** Tokens of an answer. */
const OUTPUT = [
  'max_completion_tokens',
  'max_output_tokens',
  'max_output_length',
  'outputTokenLimit',
];

/** Objects of a record that hold more of it. */
const INNER = ['top_provider', 'limits', 'meta', 'architecture', 'features'];

/** Words by which servers say that a model calls tools. */
const TOOLS =
  /^(?:supports[_-]?)?(?:tools?(?:[_-]?(?:use|calls?|calling|choice))?|function[_-]?calling)$/i;
const SCHEMA = /^(?:supports[_-]?)?(?:json[_-]?schema|structured[_-]?(?:outputs?|generation))$/i;
const REASONING = /^(?:supports[_-]?)?(?:reasoning(?:[_-]?effort)?|include_reasoning|thinking)$/i;
const VISION = /^(?:supports[_-]?)?(?:vision|image(?:[_-]?input)?|multimodal)$/i;

/**
 * Reads the record of a model in a server's list, in the forms of all servers that have such records: numbers, switches
 * (`supports_tools`, `capabilities.vision`) and lists of words (`supported_parameters`, `capabilities`, `tags`).
 */
export function readCapabilities(record: Fields): ModelCapabilities {
  const capabilities = fieldsOf(record['capabilities']);
  const all = [record, ...INNER.map((key) => fieldsOf(record[key])), capabilities].flatMap(
    (fields) => [fields, fieldsOf(fields['limits']), fieldsOf(fields['supports'])],
  );
  const words = wordsIn(all);
  const says = (pattern: RegExp): boolean | undefined => {
    const found = [...words].filter(([word]) => pattern.test(word));
    return found.length === 0 ? undefined : found.some(([, isTrue]) => isTrue);
  };
  // A list of what a model takes says no by silence.
  const hasList = [record['supported_parameters'], record['capabilities']].some(Array.isArray);
  const orNo = (answer: boolean | undefined): boolean | undefined =>
    answer ?? (hasList ? false : undefined);
  return omitUndefined({
    tools: orNo(says(TOOLS)),
    jsonSchema: says(SCHEMA),
    reasoning: orNo(says(REASONING)),
    inputMediaTypes: mediaTypes(all, says(VISION) === true),
    contextWindow: firstNumber(all, CONTEXT),
    maxOutputTokens: firstNumber(all, OUTPUT),
  });
}

function wordsIn(all: readonly Fields[]): ReadonlyMap<string, boolean> {
  const words = new Map<string, boolean>();
  for (const fields of all) {
    for (const [key, value] of Object.entries(fields)) {
      if (typeof value === 'boolean') words.set(key, value);
      else if (isRecord(value) && typeof value['supported'] === 'boolean')
        words.set(key, value['supported']);
    }
    for (const key of ['supported_parameters', 'capabilities', 'tags', 'features'])
      for (const word of listOf(fields[key])) if (typeof word === 'string') words.set(word, true);
  }
  return words;
}

function mediaTypes(all: readonly Fields[], hasVision: boolean): string[] | undefined {
  const kinds = all.flatMap((fields) =>
    listOf(fields['input_modalities'] ?? fields['inputModalities']).flatMap(
      (kind) => stringOf(kind)?.toLowerCase() ?? [],
    ),
  );
  const types = new Set(hasVision ? ['image/*'] : []);
  for (const kind of kinds) {
    if (kind === 'file' || kind === 'pdf') types.add('application/pdf');
    else if (kind === 'image' || kind === 'audio' || kind === 'video') types.add(`${kind}/*`);
  }
  return types.size > 0 || kinds.length > 0 ? [...types] : undefined;
}

function firstNumber(all: readonly Fields[], keys: readonly string[]): number | undefined {
  for (const key of keys) {
    for (const fields of all) {
      const value = numberOf(fields[key]);
      if (value !== undefined && value > 0) return value;
    }
  }
  return undefined;
}
