import { sse, type ServerAnswer } from './form.ts';

/** Returns a named event of the Messages API. */
export function named(event: object): string {
  const type = 'type' in event ? String(event.type) : 'message';
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Returns the beginning of a message. */
export function begin(usage: object = { input_tokens: 3, output_tokens: 1 }): string {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
  return named({ type: 'message_start', message: { ...head, stop_reason: null, usage } });
}

/** Returns the deltas by which a block is streamed, and how it begins. */
function piecesOf(block: Readonly<Record<string, unknown>>): { empty: object; deltas: object[] } {
  switch (block['type']) {
    case 'text': {
      const citations = (block['citations'] ?? []) as object[];
      return {
        empty: { type: 'text', text: '' },
        deltas: [
          ...citations.map((citation) => ({ type: 'citations_delta', citation })),
          { type: 'text_delta', text: block['text'] },
        ],
      };
    }
    case 'thinking':
      return {
        empty: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block['thinking'] },
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    default:
      return 'input' in block
        ? {
            empty: { ...block, input: {} },
            deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }],
          }
        : { empty: block, deltas: [] };
  }
}

/** Returns a block of content in its pieces. */
export function blockEvents(block: object, index: number = 0): string {
  const { empty, deltas } = piecesOf({ ...block });
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
    .map(named)
    .join('');
}

/** The end of a message. */
export function end(delta: object, usage: object = { output_tokens: 2 }): string {
  return named({ type: 'message_delta', delta, usage }) + named({ type: 'message_stop' });
}

/** Returns a message with these blocks, in server-sent events. */
export function message(
  blocks: readonly object[],
  delta: object = { stop_reason: 'end_turn' },
  usage?: object,
): ServerAnswer {
  return sse(
    begin(usage),
    ...blocks.map((block, index) => blockEvents(block, index)),
    end(delta, usage),
  );
}
