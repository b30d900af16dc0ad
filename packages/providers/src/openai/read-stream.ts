import type { ChatEvent, ChatWarning, FinishReason, Usage } from '../chat/events.ts';
import { LLMError } from '../chat/llm-error.ts';
import type { ProviderMeta } from '../chat/message.ts';
import type { JsonValue } from '../json/json-value.ts';
import { fieldsOf, jsonOf, listOf, numberOf, stringOf, type Fields } from '../json/fields.ts';
import { PartWriter } from '../wire/part-writer.ts';
import { withUsage } from '../wire/with-usage.ts';
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
  #isRefusal = false;
  #details: JsonValue[] = [];
  /** The call that a place of the wire stands for now, and the ids of the calls. */
  readonly #current = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  #lastCall: string | undefined;

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
    if (fields['object'] === 'error') throw inBandError(fields);
    const choice = firstChoice(listOf(fields['choices']));
    const delta = fieldsOf(choice['delta']);
    append(events, this.#readReasoning(delta));
    append(events, this.#readContent(delta['content']));
    const refusal = stringOf(delta['refusal']);
    if (refusal) {
      this.#isRefusal = true;
      events.push(...this.#writer.text('text', refusal));
    }
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

  /** A text, or Mistral's list of texts and thoughts. */
  #readContent(content: unknown): ChatEvent[] {
    if (typeof content === 'string') return this.#writer.text('text', content);
    return listOf(content).flatMap((item) => {
      const { type, text, thinking } = fieldsOf(item);
      if (type !== 'thinking') return this.#writer.text('text', stringOf(text) ?? '');
      const thoughts = listOf(thinking).map((thought) => stringOf(fieldsOf(thought)['text']) ?? '');
      return this.#writer.text('reasoning', thoughts.join(''));
    });
  }

  #readReasoning(delta: Fields): ChatEvent[] {
    const details = delta['reasoning_details'];
    const text = this.#profile.reasoningIn.map((field) => stringOf(delta[field])).find(Boolean);
    if (!Array.isArray(details)) return text ? this.#writer.text('reasoning', text) : [];
    // Details come in pieces; those of one part go back as one list.
    if (this.#writer.openType !== 'reasoning') this.#details = [];
    this.#details = [...this.#details, ...details.map(jsonOf)];
    const meta: ProviderMeta = { openai: { reasoning_details: this.#details } };
    return this.#writer.text('reasoning', text ?? '', meta);
  }

  #readCall(call: Fields, at: number): ChatEvent[] {
    const called = fieldsOf(call['function']);
    const extra = call['extra_content'];
    const input = called['arguments'];
    const [id, name] = [stringOf(call['id']), stringOf(called['name'])];
    return this.#writer.toolCall(this.#keyOf(numberOf(call['index']), id, name, at), {
      id,
      name,
      input: typeof input === 'object' && input !== null ? JSON.stringify(input) : stringOf(input),
      meta: extra === undefined ? undefined : { openai: { extra_content: jsonOf(extra) } },
    });
  }

  /**
   * Which call a piece belongs to. Servers leave out the index, the id, or give all calls the index 0: a
   * new id opens a call, and so does a name behind a call that is complete; all else goes on.
   */
  #keyOf(
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    at: number,
  ): string {
    const place = `${index ?? (id || name ? at : 'last')}`;
    const key = index === undefined && !id && !name ? this.#lastCall : this.#current.get(place);
    const isOther = id ? this.#ids.get(key ?? '') !== id : Boolean(name);
    const opens = key === undefined || (isOther && (Boolean(id) || this.#writer.isComplete(key)));
    const chosen = opens ? `${place} ${this.#ids.size}` : key;
    if (opens) this.#ids.set(chosen, id ?? '');
    this.#current.set(place, chosen);
    this.#lastCall = chosen;
    return chosen;
  }

  /** The last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    if (this.#reason === undefined && this.#profile.requireFinish) return [];
    const said = REASONS[this.#reason ?? ''] ?? 'unknown';
    const reason = this.#isRefusal ? 'content-filter' : said;
    const parts = withUsage(this.#usage, () => this.#writer.end(reason === 'length'));
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
  const evaluated = numberOf(timings['prompt_n']);
  const reused = numberOf(timings['cache_n']) ?? 0;
  const inputTokens =
    numberOf(usage['prompt_tokens']) ?? (evaluated === undefined ? undefined : evaluated + reused);
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

/** Others, if there are any, were asked for by `n`, and have no place in an answer. */
function firstChoice(choices: readonly unknown[]): Fields {
  const first = fieldsOf(choices[0]);
  if ((first['index'] ?? 0) === 0) return first;
  return choices.map(fieldsOf).find(({ index }) => index === 0) ?? {};
}

function append(events: ChatEvent[], more: readonly ChatEvent[]): void {
  for (const event of more) events.push(event);
}

/** Old versions of vLLM send an error as if it were a chunk. */
function inBandError(fields: Fields): Error {
  const message = stringOf(fields['message']) ?? 'the server failed';
  const status = numberOf(fields['code']);
  return Object.assign(new Error(message), { status, error: fields });
}
