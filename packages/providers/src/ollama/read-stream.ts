import type { ChatEvent, ChatWarning, Usage } from '../models/events.ts';
import {
  fieldsOf,
  jsonOf,
  listOf,
  numberOf,
  stringOf,
  textAt,
  type Fields,
} from '../json/fields.ts';
import { withUsage } from '../adapter-kit/estimate-usage.ts';
import { readFinish } from '../adapter-kit/finish-reasons.ts';
import { pictureOf } from '../adapter-kit/media.ts';
import { makeCallId, PartWriter } from '../adapter-kit/part-writer.ts';

/** Reads the chunks of one answer. */
export class ChunkReader {
  readonly #writer = new PartWriter(true);
  readonly #warnings: readonly ChatWarning[];
  #hasStarted = false;
  #hasCall = false;
  readonly #ids = new Set<string>();

  constructor(warnings: readonly ChatWarning[]) {
    this.#warnings = warnings;
  }

  /** Returns the events of a chunk; the last chunk ends the answer. */
  read(chunk: unknown): ChatEvent[] {
    const fields = fieldsOf(chunk);
    const message = fieldsOf(fields['message']);
    const events: ChatEvent[] = [];
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const model = stringOf(fields['model']);
      events.push({ type: 'start', ...(model ? { model } : {}), warnings: this.#warnings });
    }
    const thinking = textAt(message, 'thinking', 'reasoning_content', 'reasoning');
    const content = stringOf(message['content']);
    if (thinking) events.push(...this.#writer.said('reasoning', thinking));
    if (content) events.push(...this.#writer.said('text', content));
    if (message['images'] || fields['image']) {
      for (const image of [listOf(message['images']), fields['image'] ?? []].flat()) {
        const picture = pictureOf(image);
        if (picture) events.push(...this.#writer.part(picture));
      }
    }
    for (const call of listOf(message['tool_calls'])) {
      const called = fieldsOf(fieldsOf(call)['function']);
      this.#hasCall = true;
      const name = stringOf(called['name']) ?? '';
      const given = stringOf(fieldsOf(call)['id']) ?? '';
      // Some servers say it again with the last line.
      if (given !== '' && this.#ids.has(given)) continue;
      this.#ids.add(given);
      const id = given || makeCallId();
      const input = jsonOf(called['arguments'] ?? called['parameters'] ?? {});
      // Servers of the same protocol send the arguments as a text.
      if (typeof input === 'string') events.push(...this.#writer.toolCall(id, { id, name, input }));
      else events.push(...this.#writer.part({ type: 'tool-call', id, name, input }));
    }
    if (fields['done'] === true) events.push(...this.#end(fields));
    return events;
  }

  #end(fields: Fields): ChatEvent[] {
    const rawReason = stringOf(fields['done_reason']) || undefined;
    const usage = usageOf(fields);
    const said = rawReason === undefined ? 'stop' : withUsage(usage, () => readFinish(rawReason));
    return [
      ...withUsage(usage, () => this.#writer.end(said === 'length')),
      {
        type: 'finish',
        reason: said === 'stop' && this.#hasCall ? 'tool-calls' : said,
        ...(rawReason === undefined ? {} : { rawReason }),
        usage,
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
