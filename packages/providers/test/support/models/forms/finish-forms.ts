import type { FinishReason, LLMErrorCode } from '@vizprompt/providers';
import type { FakeWireName } from '@vizprompt/providers/testing';
import { ending, type Form } from './form.ts';

type Row = readonly [wire: FakeWireName, word: string, becomes: FinishReason | `!${LLMErrorCode}`];

/** Words for the end of an answer; those of failures begin with `!`. */
const ROWS: readonly Row[] = [
  ['openai', 'stop', 'stop'],
  ['openai', 'STOP', 'stop'],
  ['openai', 'eos_token', 'stop'],
  ['openai', 'eos', 'stop'],
  ['openai', 'end_turn', 'stop'],
  ['openai', 'stop_sequence', 'stop'],
  ['openai', 'COMPLETE', 'stop'],
  ['openai', 'completed', 'stop'],
  ['openai', 'length', 'length'],
  ['openai', 'max_tokens', 'length'],
  ['openai', 'MAX_TOKENS', 'length'],
  ['openai', 'model_length', 'length'],
  ['openai', 'model_context_window_exceeded', 'length'],
  ['openai', 'max_output_tokens', 'length'],
  ['openai', 'content_filter', 'content-filter'],
  ['openai', 'sensitive', 'content-filter'],
  ['openai', 'SAFETY', 'content-filter'],
  ['openai', 'refusal', 'content-filter'],
  ['openai', 'guardrail_intervened', 'content-filter'],
  ['openai', 'content_filtered', 'content-filter'],
  ['openai', 'ERROR_TOXIC', 'content-filter'],
  ...[
    '</s>',
    '<|im_end|>',
    'end_of_message',
    'stop_words',
    'USER_DEFINED_STOP',
    'natural_stop',
  ].map((word) => ['openai', word, 'stop'] as const),
  ...['max_new_tokens_reached', 'token_budget_exceeded', 'maximum_length', 'context_overflow'].map(
    (word) => ['openai', word, 'length'] as const,
  ),
  ['openai', 'tool_calls_requested', 'tool-calls'],
  ['openai', 'safety_filter', 'content-filter'],
  ['openai', 'content_moderation', 'content-filter'],
  ...['user_stop_request', 'not_finished', 'stop_limit', 'max_cost_reached', 'tool_error'].map(
    (word) => ['openai', word, '!truncated'] as const,
  ),
  ['openai', 'insufficient_system_resource', '!overloaded'],
  ['openai', 'network_error', '!network'],
  ['openai', 'abort', '!server'],
  ['openai', 'cancelled', '!server'],
  ['openai', 'error', '!server'],
  ['openai', 'ERROR', '!server'],
  ['openai', 'timeout', '!timeout'],
  ['openai', 'repetition', '!server'],
  ['openai', 'malformed_function_call', '!output_parse'],
  ['openai', 'quantum_decoherence', '!truncated'],
  ['gemini', 'STOP', 'stop'],
  ['gemini', 'MAX_TOKENS', 'length'],
  ['gemini', 'SAFETY', 'content-filter'],
  ['gemini', 'RECITATION', 'content-filter'],
  ['gemini', 'BLOCKLIST', 'content-filter'],
  ['gemini', 'SPII', 'content-filter'],
  ['gemini', 'IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['gemini', 'IMAGE_RECITATION', 'content-filter'],
  ['gemini', 'MODEL_ARMOR', 'content-filter'],
  ['gemini', 'MALFORMED_FUNCTION_CALL', '!output_parse'],
  ['gemini', 'UNEXPECTED_TOOL_CALL', '!output_parse'],
  ['gemini', 'TOO_MANY_TOOL_CALLS', '!output_parse'],
  ['gemini', 'MALFORMED_RESPONSE', '!server'],
  ['gemini', 'MISSING_THOUGHT_SIGNATURE', '!invalid_request'],
  ['gemini', 'OTHER', '!server'],
  ['gemini', 'NO_IMAGE', '!server'],
  ['gemini', 'SOMETHING_OF_2027', '!truncated'],
  ['ollama', 'stop', 'stop'],
  ['ollama', 'length', 'length'],
  ['ollama', 'load', '!server'],
  ['ollama', 'unload', '!server'],
  ['ollama', 'error', '!server'],
  ['ollama', 'aborted', '!server'],
  ['ollama', 'mystery', '!truncated'],
];

/** Only what is plainly whole is whole. */
export const FINISH_FORMS: readonly Form[] = ROWS.map(([wire, word, becomes]) => {
  const failure = becomes.startsWith('!') ? becomes.slice(1) : undefined;
  return {
    kind: 'the end of an answer',
    wire,
    name: `\`${word}\``,
    answers: [ending(wire, 'half an', word)],
    expected:
      failure === undefined
        ? { finish: becomes as FinishReason, text: 'half an' }
        : { code: failure as LLMErrorCode, partial: 'half an' },
  };
});
