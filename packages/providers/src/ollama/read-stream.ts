import type { ChatEvent, ChatWarning, Usage } from '../chat/events.ts';
import { fieldsOf, jsonOf, listOf, numberOf, stringOf, type Fields } from '../json/fields.ts';
import { makeCallId, PartWriter } from '../wire/part-writer.ts';

/** Reads the chunks of one answer. */
export class ChunkReader {
  readonly #writer = new PartWriter();
  readonly #warnings: readonly ChatWarning[];
  #hasStarted = false;
  #hasCall = false;

  constructor(warnings: readonly ChatWarning[]) {
    this.#warnings = warnings;
  }

  /** The events of a chunk; the last chunk ends the answer. */
  read(chunk: unknown): ChatEvent[] {
    const fields = fieldsOf(chunk);
    const message = fieldsOf(fields['message']);
    const events: ChatEvent[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const model = stringOf(fields['model']);
      events.push({ type: 'start', ...(model ? { model } : {}), warnings: this.#warnings });
    }
    const [thinking, content] = [stringOf(message['thinking']), stringOf(message['content'])];
    if (thinking) events.push(...this.#writer.text('reasoning', thinking));
    if (content) events.push(...this.#writer.text('text', content));
    for (const call of listOf(message['tool_calls'])) {
      const called = fieldsOf(fieldsOf(call)['function']);
      this.#hasCall = true;
      events.push(
        ...this.#writer.part({
          type: 'tool-call',
          id: stringOf(fieldsOf(call)['id']) || makeCallId(),
          name: stringOf(called['name']) ?? '',
          input: jsonOf(called['arguments'] ?? {}),
        }),
      );
    }
    if (fields['done'] === true) events.push(...this.#end(fields));
    return events;
  }

  #end(fields: Fields): ChatEvent[] {
    const rawReason = stringOf(fields['done_reason']);
    const reason = rawReason === 'length' ? 'length' : this.#hasCall ? 'tool-calls' : 'stop';
    return [
      ...this.#writer.end(),
      {
        type: 'finish',
        reason,
        ...(rawReason === undefined ? {} : { rawReason }),
        usage: usageOf(fields),
      },
    ];
  }
}

function usageOf(fields: Fields): Usage {
  const input = numberOf(fields['prompt_eval_count']);
  const output = numberOf(fields['eval_count']);
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
}
