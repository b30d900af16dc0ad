import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, listAt, textAt } from '@vizprompt/providers/internal';
import { askedBy, newId, resultText, startEvents, type Call, type Protocol } from './protocol.ts';

/** Responses of OpenAI. */
export const responses: Protocol = {
  read(url, body) {
    if (!url.includes('/responses')) return undefined;
    const items = listAt(body, 'input').filter(isJsonObject);
    // The calls of one answer are several items: an id says which answer it was.
    const seen = new Set<string>();
    return askedBy(
      items.map((item) => {
        const answer = /^call_\d+_/.exec(textAt(item, 'call_id') ?? '')?.[0];
        const isCall = textAt(item, 'type')?.endsWith('_call') === true && answer !== undefined;
        const hasCalls = isCall && !seen.has(answer + lastText(items, item));
        if (isCall) seen.add(answer + lastText(items, item));
        // A message of an agent to its subagent has a type of its own.
        const role = item['type'] === 'agent_message' ? 'user' : (textAt(item, 'role') ?? '');
        const isResult = textAt(item, 'type')?.endsWith('_call_output') === true;
        const results = isResult ? [resultText(item['output'])] : [];
        return { role, text: textOf(item), hasCalls, results };
      }),
      // If a model writes code that calls tools, the request lists the tools elsewhere.
      true,
    );
  },
  write(response, { think, say, calls, step }, _url, body) {
    const send = startEvents(response);
    const id = newId('resp_');
    const output = [
      ...(think === undefined ? [] : [reasoningOf(think)]),
      ...(say === undefined ? [] : [messageOf(say)]),
      ...calls.map((call) => callOf(call, step)),
    ];
    const emit = (type: string, more: JsonObject): void => send({ type, ...more }, type);
    const model = textAt(body, 'model') ?? 'fake';
    const base = { id, object: 'response', model };
    emit('response.created', { response: { ...base, status: 'in_progress', output: [] } });
    for (const [output_index, item] of output.entries()) {
      emit('response.output_item.added', { output_index, item });
      emit('response.output_item.done', { output_index, item });
    }
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
    };
    emit('response.completed', { response: { ...base, status: 'completed', output, usage } });
    response.end();
  },
};

/** Distinguishes the same step of two questions. */
function lastText(items: readonly JsonObject[], item: JsonObject): string {
  const before = items.slice(0, items.indexOf(item));
  return String(before.filter(({ role }) => role === 'user').length);
}

function textOf(item: JsonObject): string {
  const { content } = item;
  if (typeof content === 'string') return content;
  return listAt(item, 'content')
    .filter(isJsonObject)
    .map((part) => textAt(part, 'text', 'encrypted_content') ?? '')
    .join('\n');
}

function reasoningOf(text: string): JsonObject {
  return {
    type: 'reasoning',
    id: newId('rs_'),
    summary: [{ type: 'summary_text', text }],
    encrypted_content: newId('gAAAA'),
  };
}

function messageOf(text: string): JsonObject {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: newId('msg_'), role: 'assistant', status: 'completed', content };
}

function callOf({ name, input, text, namespace }: Call, step: number): JsonObject {
  const call_id = newId(`call_${step}_`, 16);
  if (text !== undefined) {
    return {
      type: 'custom_tool_call',
      id: newId('ctc_'),
      call_id,
      name,
      input: text,
      status: 'completed',
    };
  }
  return {
    type: 'function_call',
    id: newId('fc_'),
    call_id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(input),
    status: 'completed',
  };
}
