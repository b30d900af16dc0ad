import type { ChatEvent, ChatWarning, FinishReason, Usage } from '../chat/events.ts';
import { LLMError } from '../chat/llm-error.ts';
import type { ProviderMeta } from '../chat/message.ts';
import { fieldsOf, jsonOf, listOf, numberOf, stringOf, type Fields } from '../json/fields.ts';
import { makeCallId, PartWriter } from '../wire/part-writer.ts';
import { withUsage } from '../wire/with-usage.ts';

const FILTERED = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'LANGUAGE',
]);

/** Reads the chunks of one answer. */
export class ChunkReader {
  readonly #writer = new PartWriter();
  readonly #warnings: readonly ChatWarning[];
  #hasStarted = false;
  #hasCall = false;
  #codeId = '';
  #reason: string | undefined;
  #usage: Usage = {};

  constructor(warnings: readonly ChatWarning[]) {
    this.#warnings = warnings;
  }

  /**
   * The events of a chunk.
   *
   * @throws LLMError with the code `content_filter` if the prompt was not let through.
   */
  read(chunk: unknown): ChatEvent[] {
    const fields = fieldsOf(chunk);
    const events: ChatEvent[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const [id, model] = [stringOf(fields['responseId']), stringOf(fields['modelVersion'])];
      events.push({
        type: 'start',
        ...(id ? { id } : {}),
        ...(model ? { model } : {}),
        warnings: this.#warnings,
      });
    }
    const blocked = stringOf(fieldsOf(fields['promptFeedback'])['blockReason']);
    if (blocked !== undefined) {
      throw new LLMError('content_filter', `it would not answer the prompt (${blocked})`);
    }
    this.#usage = usageOf(fieldsOf(fields['usageMetadata'])) ?? this.#usage;
    const candidate = fieldsOf(listOf(fields['candidates'])[0]);
    for (const part of listOf(fieldsOf(candidate['content'])['parts'])) {
      events.push(...this.#readPart(fieldsOf(part)));
    }
    this.#reason = stringOf(candidate['finishReason']) ?? this.#reason;
    if (this.#reason === 'MALFORMED_FUNCTION_CALL' || this.#reason === 'UNEXPECTED_TOOL_CALL') {
      const message = `the model made a tool call that is none (${this.#reason})`;
      withUsage(this.#usage, () => {
        throw new LLMError('output_parse', message);
      });
    }
    return events;
  }

  #readPart(part: Fields): ChatEvent[] {
    const thoughtSignature = stringOf(part['thoughtSignature']);
    const own = thoughtSignature === undefined ? {} : { thoughtSignature };
    const text = stringOf(part['text']);
    if (text !== undefined) {
      const type = part['thought'] === true ? 'reasoning' : 'text';
      const meta =
        Object.keys(own).length > 0 || type === 'reasoning' ? { gemini: own } : undefined;
      const events = this.#writer.text(type, text, meta);
      // A signature ends what it signs.
      return thoughtSignature === undefined ? events : [...events, ...this.#writer.endText()];
    }
    const call = fieldsOf(part['functionCall']);
    const name = stringOf(call['name']);
    if (name !== undefined) {
      this.#hasCall = true;
      const id = stringOf(call['id']);
      const meta: ProviderMeta = { gemini: { ...own, ...(id ? { id } : {}) } };
      const input = jsonOf(call['args'] ?? {});
      return this.#writer.part({ type: 'tool-call', id: id ?? makeCallId(), name, input, meta });
    }
    const code = part['executableCode'] ?? part['codeExecutionResult'];
    if (code !== undefined) return this.#readCode(part);
    const inline = fieldsOf(part['inlineData']);
    const data = stringOf(inline['data']);
    if (data === undefined) return [];
    return this.#writer.part({
      type: 'file',
      mediaType: stringOf(inline['mimeType']) ?? 'application/octet-stream',
      data: Buffer.from(data, 'base64'),
      ...(thoughtSignature === undefined ? {} : { meta: { gemini: own } }),
    });
  }

  /** Code that Gemini ran by itself, as a call of a tool that has its result already. */
  #readCode(part: Fields): ChatEvent[] {
    const name = 'code_execution';
    const call = part['executableCode'];
    if (call !== undefined) {
      this.#codeId = makeCallId();
      const meta = { gemini: { providerExecuted: true, part: jsonOf(part) } };
      const input = jsonOf(call);
      return this.#writer.part({ type: 'tool-call', id: this.#codeId, name, input, meta });
    }
    const output = jsonOf(part['codeExecutionResult']);
    const meta = { gemini: { part: jsonOf(part) } };
    return this.#writer.part({ type: 'tool-result', id: this.#codeId, name, output, meta });
  }

  /** The last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    if (this.#reason === undefined) return [];
    const reason = this.#reason;
    return [
      ...this.#writer.end(reason === 'MAX_TOKENS'),
      {
        type: 'finish',
        reason: this.#finishReason(reason),
        rawReason: reason,
        usage: this.#usage,
      },
    ];
  }

  /** Gemini says STOP after tool calls, too. */
  #finishReason(reason: string): FinishReason {
    if (reason === 'MAX_TOKENS') return 'length';
    if (FILTERED.has(reason)) return 'content-filter';
    if (reason !== 'STOP') return 'unknown';
    return this.#hasCall ? 'tool-calls' : 'stop';
  }
}

/** Candidates are counted without thoughts. */
function usageOf(usage: Fields): Usage | undefined {
  const prompt = numberOf(usage['promptTokenCount']);
  if (prompt === undefined) return undefined;
  const thoughts = numberOf(usage['thoughtsTokenCount']);
  const cached = numberOf(usage['cachedContentTokenCount']);
  return {
    inputTokens: prompt + (numberOf(usage['toolUsePromptTokenCount']) ?? 0),
    outputTokens: (numberOf(usage['candidatesTokenCount']) ?? 0) + (thoughts ?? 0),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    raw: jsonOf(usage),
  };
}
