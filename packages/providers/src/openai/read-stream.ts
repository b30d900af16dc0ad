import type { ChatEvent, ChatWarning, FinishReason, Usage } from '../chat/events.ts';
import { LLMError } from '../chat/llm-error.ts';
import type { ProviderMeta } from '../chat/message.ts';
import type { JsonValue } from '../json.ts';
import { fieldsOf, jsonOf, listOf, numberOf, stringOf, type Fields } from '../wire/json-fields.ts';
import { PartWriter } from '../wire/part-writer.ts';
import type { OpenAIProfile } from './profiles.ts';

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

/** Reads the chunks of one answer. */
export class ChunkReader {
  readonly #writer = new PartWriter();
  readonly #profile: OpenAIProfile;
  readonly #warnings: readonly ChatWarning[];
  #hasStarted = false;
  #reason: string | undefined;
  #usage: Usage | undefined;

  constructor(profile: OpenAIProfile, warnings: readonly ChatWarning[]) {
    this.#profile = profile;
    this.#warnings = warnings;
  }

  /**
   * The events of a chunk.
   *
   * @throws LLMError if the server says within the stream that it failed.
   */
  read(chunk: unknown): ChatEvent[] {
    const fields = fieldsOf(chunk);
    const events: ChatEvent[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const [id, model] = [stringOf(fields['id']), stringOf(fields['model'])];
      events.push({
        type: 'start',
        ...(id ? { id } : {}),
        ...(model ? { model } : {}),
        warnings: this.#warnings,
      });
    }
    this.#usage = usageOf(fields) ?? this.#usage;
    const choice = fieldsOf(listOf(fields['choices'])[0]);
    const delta = fieldsOf(choice['delta']);
    events.push(...this.#readReasoning(delta));
    const text = stringOf(delta['content']) ?? stringOf(delta['refusal']);
    if (text) events.push(...this.#writer.text('text', text));
    for (const [at, call] of listOf(delta['tool_calls']).entries()) {
      events.push(...this.#readCall(fieldsOf(call), at));
    }
    // Some servers end every chunk with an empty reason.
    this.#reason = stringOf(choice['finish_reason']) || this.#reason;
    if (this.#reason === 'error') {
      throw new LLMError('server', 'the server ended the answer with an error');
    }
    return events;
  }

  #readReasoning(delta: Fields): ChatEvent[] {
    const details = delta['reasoning_details'];
    const meta = Array.isArray(details) ? { reasoning_details: jsonOf(details) } : undefined;
    const text = this.#profile.reasoningIn.map((field) => stringOf(delta[field])).find(Boolean);
    if (text === undefined && meta === undefined) return [];
    return this.#writer.text('reasoning', text ?? '', meta && this.#joined(meta));
  }

  #details: JsonValue[] = [];

  /** Details come in pieces, and go back as one list. */
  #joined({ reasoning_details: details }: { reasoning_details: JsonValue }): ProviderMeta {
    if (Array.isArray(details)) this.#details = [...this.#details, ...details];
    return { openai: { reasoning_details: this.#details } };
  }

  #readCall(call: Fields, at: number): ChatEvent[] {
    const called = fieldsOf(call['function']);
    const extra = call['extra_content'];
    const input = called['arguments'];
    return this.#writer.toolCall(numberOf(call['index']) ?? stringOf(call['id']) ?? at, {
      id: stringOf(call['id']),
      name: stringOf(called['name']),
      input: typeof input === 'object' && input !== null ? JSON.stringify(input) : stringOf(input),
      meta: extra === undefined ? undefined : { openai: { extra_content: jsonOf(extra) } },
    });
  }

  /** The last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    if (this.#reason === undefined && this.#profile.requireFinish) return [];
    const parts = this.#writer.end();
    const reason = REASONS[this.#reason ?? ''] ?? 'unknown';
    return [
      ...parts,
      {
        type: 'finish',
        // Some servers say "stop" after a tool call.
        reason: reason === 'stop' && this.#writer.hasToolCalls ? 'tool-calls' : reason,
        ...(this.#reason === undefined ? {} : { rawReason: this.#reason }),
        usage: this.#usage ?? {},
      },
    ];
  }
}

/** In the field of its own, in Groq's, or as llama.cpp's timings. */
function usageOf(chunk: Fields): Usage | undefined {
  const usage = fieldsOf(chunk['usage'] ?? fieldsOf(chunk['x_groq'])['usage']);
  const timings = fieldsOf(chunk['timings']);
  const inputTokens = numberOf(usage['prompt_tokens']) ?? numberOf(timings['prompt_n']);
  const outputTokens = numberOf(usage['completion_tokens']) ?? numberOf(timings['predicted_n']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const reasoning = numberOf(fieldsOf(usage['completion_tokens_details'])['reasoning_tokens']);
  const cached = numberOf(fieldsOf(usage['prompt_tokens_details'])['cached_tokens']);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    raw: jsonOf(Object.keys(usage).length > 0 ? usage : timings),
  };
}
