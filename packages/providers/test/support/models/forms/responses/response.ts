import type { ServerAnswer } from '../form.ts';

/** Returns a response as a whole. */
export function response(fields: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'm',
    output: [],
    usage: {
      input_tokens: 9,
      output_tokens: 5,
      total_tokens: 14,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    ...fields,
  };
}

/** Events as OpenAI sends them: each with its kind in a line of its own. */
export function events(...list: readonly object[]): ServerAnswer {
  const body = list
    .map((event) => {
      const type: unknown = Reflect.get(event, 'type');
      return `event: ${String(type)}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

export const created: object = {
  type: 'response.created',
  response: response({ status: 'in_progress', usage: null }),
};

/** The end of a response. */
export function ends(fields: object = {}, kind = 'completed'): object {
  return { type: `response.${kind}`, response: response({ status: kind, ...fields }) };
}

/** Returns a message with a text. */
export function message(text: string, more: object = {}): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], ...more }],
  };
}

export const begins = (item: object, index = 0): object => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});

export const done = (item: object, index = 0): object => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});

/** Returns a piece of a text. */
export function piece(delta: string, more: object = {}): object {
  return {
    type: 'response.output_text.delta',
    output_index: 0,
    item_id: 'msg_1',
    content_index: 0,
    delta,
    ...more,
  };
}

/** A call of the tool `w`. */
export function callOf(input: unknown, more: object = {}): object {
  return {
    id: 'fc_1',
    type: 'function_call',
    call_id: 'call_1',
    name: 'w',
    arguments: input,
    ...more,
  };
}

/** Returns a response of one item, begun and done, with nothing between. */
export function withItem(item: object): ServerAnswer {
  return events(created, begins(item), done(item), ends({ output: [item] }));
}
