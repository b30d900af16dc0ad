import type { LanguageModelV3StreamPart, SharedV3Warning } from '@ai-sdk/provider';
import type { ChatEvent, DeltaEvent, PartEvent, ToolCallDeltaEvent } from '../models/events.ts';
import { metadataOf } from './json.ts';
import { writeReason, writeUsage } from './usage.ts';
import { writePart, writeWarning } from './write-content.ts';

/** Turns the events of a stream into the pieces of the AI SDK. */
export class StreamWriter {
  readonly #warnings: readonly SharedV3Warning[];
  /** Text blocks that have begun. */
  readonly #texts = new Set<number>();
  /** Input of tool calls; an array while the name is not known yet. */
  readonly #calls = new Map<number, string[] | 'open'>();

  /** @param warnings - The options of the call that could not be kept. */
  constructor(warnings: readonly SharedV3Warning[]) {
    this.#warnings = warnings;
  }

  write(event: ChatEvent): LanguageModelV3StreamPart[] {
    switch (event.type) {
      case 'start': {
        const { id, model } = event;
        const warnings = [...this.#warnings, ...event.warnings.map((each) => writeWarning(each))];
        return [
          { type: 'stream-start', warnings },
          {
            type: 'response-metadata',
            ...(id === undefined ? {} : { id }),
            ...(model === undefined ? {} : { modelId: model }),
          },
        ];
      }
      case 'text-delta':
      case 'reasoning-delta':
        return this.#delta(event);
      case 'tool-call-delta':
        return this.#callInput(event);
      case 'part':
        return this.#part(event);
      default: {
        const { reason, rawReason, usage, meta } = event;
        return [
          {
            type: 'finish',
            finishReason: writeReason(reason, rawReason),
            usage: writeUsage(usage),
            ...metadataOf(meta),
          },
        ];
      }
    }
  }

  #delta({ type, index, text }: DeltaEvent): LanguageModelV3StreamPart[] {
    const id = String(index);
    const delta: LanguageModelV3StreamPart = { type, id, delta: text };
    if (this.#texts.has(index)) return [delta];
    this.#texts.add(index);
    return [{ type: type === 'text-delta' ? 'text-start' : 'reasoning-start', id }, delta];
  }

  #callInput({ index, id, name, inputDelta }: ToolCallDeltaEvent): LanguageModelV3StreamPart[] {
    const delta = { type: 'tool-input-delta', id } as const;
    const held = this.#calls.get(index) ?? [];
    if (held === 'open') return [{ ...delta, delta: inputDelta }];
    if (name === '') {
      this.#calls.set(index, [...held, inputDelta]);
      return [];
    }
    this.#calls.set(index, 'open');
    return [
      { type: 'tool-input-start', id, toolName: name },
      { ...delta, delta: held.join('') + inputDelta },
    ];
  }

  #part({ index, part }: PartEvent): LanguageModelV3StreamPart[] {
    if (part.type === 'text' || part.type === 'reasoning') {
      const begun = this.#texts.has(index)
        ? []
        : this.#delta({ type: `${part.type}-delta`, index, text: part.text });
      return [...begun, { type: `${part.type}-end`, id: String(index), ...metadataOf(part.meta) }];
    }
    const whole = writePart(part);
    if (part.type !== 'tool-call' || this.#calls.get(index) !== 'open') return [whole];
    return [{ type: 'tool-input-end', id: part.id }, whole];
  }
}
