import type { PartWriter } from '../adapter-kit/part-writer.ts';
import type { Sources } from '../adapter-kit/sources.ts';
import {
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  parseJson,
  stringOf,
  type Fields,
} from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ChatEvent } from '../models/events.ts';

/** Context that all blocks of an answer share. */
export interface BlockContext {
  readonly writer: PartWriter;
  readonly sources: Sources;
  /** Names of tools that the server ran, by the ids of their calls. */
  readonly ran: Map<string, string>;
  /** Gives a tool its name back. */
  readonly nameOf: (wireName: string) => string;
}

/** A block of content while it comes. */
export interface OpenBlock {
  delta(delta: Fields): ChatEvent[];
  end(): ChatEvent[];
}

/**
 * Begins a block of content; the events of what it holds already are the first of its `delta`s.
 *
 * @param key - Distinguishes the blocks of all messages of an answer.
 */
export function openBlock(block: Fields, key: string, context: BlockContext): OpenBlock {
  const type = stringOf(block['type']) ?? '';
  if (type === 'text') return textBlock(block, context);
  if (type === 'thinking') return thinkingBlock(context);
  if (type === 'tool_use') return callBlock(block, key, context);
  if (type === 'redacted_thinking') {
    const meta = { anthropic: { redactedData: stringOf(block['data']) ?? '' } };
    return whole(() => context.writer.part({ type: 'reasoning', text: '', meta }));
  }
  if (type.endsWith('_tool_use')) return runBlock(block, context);
  return type.endsWith('_tool_result')
    ? whole(() => runResult(block, context))
    : otherBlock(block, context);
}

/** Returns the delta by which a block would have said what it holds from the beginning, as in answers that came as a whole. */
export function firstDelta(block: Fields): Fields | undefined {
  const { type } = block;
  if (type === 'text' && block['text'] !== '') return { type: 'text_delta', text: block['text'] };
  return type === 'thinking' ? { type: 'thinking_delta', ...block } : undefined;
}

function whole(end: () => ChatEvent[]): OpenBlock {
  return { delta: () => [], end };
}

function textBlock(block: Fields, { writer, sources }: BlockContext): OpenBlock {
  const citations: JsonValue[] = [];
  const cite = (citation: unknown): void => {
    citations.push(jsonOf(citation));
    sources.add(sourceOf(fieldsOf(citation)));
  };
  for (const citation of listOf(block['citations'])) cite(citation);
  return {
    delta({ text, citation }) {
      if (citation !== undefined) cite(citation);
      return typeof text === 'string' && text !== '' ? writer.said('text', text) : [];
    },
    end() {
      if (citations.length === 0) return writer.endText();
      return [...writer.text('text', '', { anthropic: { citations } }), ...writer.endText()];
    },
  };
}

/** Returns a citation with its place under the names that all sources have. */
function sourceOf(citation: Fields): Fields {
  const {
    source,
    start_char_index: char,
    start_page_number: page,
    start_block_index: block,
  } = citation;
  const from = char ?? page ?? block;
  const url =
    citation['url'] ?? (typeof source === 'string' && URL.canParse(source) ? source : undefined);
  return {
    ...citation,
    ...(url === undefined ? {} : { url }),
    ...(from === undefined ? {} : { start_index: from }),
  };
}

/** A thought goes back with its signature, which is all that there is where the thought is not shown. */
function thinkingBlock({ writer }: BlockContext): OpenBlock {
  return {
    delta({ thinking, signature }) {
      const events =
        typeof thinking === 'string' && thinking !== ''
          ? writer.said('reasoning', thinking).concat(writer.text('reasoning', '', UNSIGNED))
          : [];
      if (typeof signature !== 'string' || signature === '') return events;
      return [...events, ...writer.text('reasoning', '', { anthropic: { signature } })];
    },
    end: () => writer.endText(),
  };
}

/** Servers of others do not sign. */
const UNSIGNED = { anthropic: {} };

function callBlock(block: Fields, key: string, { writer, nameOf }: BlockContext): OpenBlock {
  const { caller, toolset_name: toolset } = block;
  const own: JsonObject = {
    ...(caller === undefined || fieldsOf(caller)['type'] === 'direct'
      ? {}
      : { caller: jsonOf(caller) }),
    ...(typeof toolset === 'string' ? { toolset_name: toolset } : {}),
  };
  const begin = {
    id: stringOf(block['id']),
    name: nameOf(stringOf(block['name']) ?? ''),
    ...(Object.keys(own).length > 0 ? { meta: { anthropic: own } } : {}),
  };
  let hasBegun = false;
  let hasInput = false;
  return {
    delta({ partial_json: input }) {
      const piece = jsonTextOf(input);
      hasInput ||= piece !== '';
      const events = writer.toolCall(key, { ...(hasBegun ? {} : begin), input: piece });
      hasBegun = true;
      return events;
    },
    end() {
      const input = hasInput || emptied(block['input']) ? '' : JSON.stringify(block['input']);
      return hasBegun && input === ''
        ? []
        : writer.toolCall(key, { ...(hasBegun ? {} : begin), input });
    },
  };
}

/** Returns a piece of JSON; gateways send the whole object in its place. */
function jsonTextOf(piece: unknown): string {
  return isRecord(piece) ? JSON.stringify(piece) : (stringOf(piece) ?? '');
}

function emptied(input: unknown): boolean {
  return input === undefined || input === null || Object.keys(Object(input)).length === 0;
}

/** Opens the block of a tool that the server runs: its call is sent back unchanged. */
function runBlock(block: Fields, { writer, ran }: BlockContext): OpenBlock {
  let json = '';
  return {
    delta({ partial_json: piece }) {
      json += jsonTextOf(piece);
      return [];
    },
    end() {
      const input = parseJson(json) ?? jsonOf(block['input'] ?? {});
      const [id, name] = [stringOf(block['id']) ?? '', stringOf(block['name']) ?? 'tool'];
      ran.set(id, name);
      const record = jsonOf({ ...block, input });
      const meta = { anthropic: { providerExecuted: true, block: record } };
      return writer.part({ type: 'tool-call', id, name, input, meta });
    },
  };
}

function runResult(block: Fields, { writer, ran }: BlockContext): ChatEvent[] {
  const id = stringOf(block['tool_use_id']) ?? '';
  const content = jsonOf(block['content'] ?? null);
  const kind = stringOf(fieldsOf(content)['type']) ?? '';
  const isError = block['is_error'] === true || kind.endsWith('_error');
  return writer.part({
    type: 'tool-result',
    id,
    name: ran.get(id) ?? (stringOf(block['type']) ?? '').replace(/_tool_result$/, ''),
    output: content,
    ...(isError ? { isError } : {}),
    meta: { anthropic: { providerExecuted: true, block: jsonOf(block) } },
  });
}

/** A kind of block that is new goes back as it came. */
function otherBlock(block: Fields, { writer }: BlockContext): OpenBlock {
  let record = jsonOf(block);
  return {
    delta(delta) {
      record = merged(record, delta);
      return [];
    },
    end: () => [
      ...writer.endText(),
      ...writer.text('text', '', { anthropic: { block: record } }),
      ...writer.endText(),
    ],
  };
}

/** Texts are pieces; all else replaces what was there. */
function merged(record: JsonValue, { type: _, ...delta }: Fields): JsonValue {
  const before = isJsonObject(record) ? record : {};
  const changed = Object.entries(delta).map(([key, value]) => {
    const known = before[key];
    return [
      key,
      typeof known === 'string' && typeof value === 'string' ? known + value : jsonOf(value),
    ];
  });
  return { ...before, ...Object.fromEntries(changed) };
}
