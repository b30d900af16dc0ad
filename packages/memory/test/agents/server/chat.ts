import type { JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, textAt } from '@vizprompt/providers/internal';
import { askedBy, newId, resultText, startEvents, writeJson, type Protocol } from './protocol.ts';

/** Chat completions, as most servers have them. */
export const chat: Protocol = {
  read(url, body) {
    if (!url.includes('/completions')) return undefined;
    const messages = listAt(body, 'messages').filter(isJsonObject);
    return askedBy(
      messages.map((message) => ({
        role: textAt(message, 'role') ?? '',
        text: textOf(message['content']),
        hasCalls: listAt(message, 'tool_calls').length > 0,
        results: message['role'] === 'tool' ? [resultText(message['content'])] : [],
      })),
      listAt(body, 'tools').length > 0,
    );
  },
  other: (url) =>
    url.includes('/models')
      ? { object: 'list', data: [{ id: 'fake-1', object: 'model', owned_by: 'me' }] }
      : undefined,
  write(response, { think, say, calls }, _url, body) {
    const model = textAt(body, 'model') ?? 'fake-1';
    const base = { id: newId('chatcmpl-'), created: 1_790_000_000, model };
    const tool_calls = calls.map(({ name, input }, index) => ({
      index,
      id: newId('call_', 16),
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    const asked = calls.length > 0 ? { tool_calls } : {};
    if (body['stream'] !== true) {
      const message = { role: 'assistant', content: say ?? null, ...asked };
      const choices = [{ index: 0, message, finish_reason }];
      writeJson(response, { ...base, object: 'chat.completion', choices, usage });
      return;
    }
    const send = startEvents(response);
    const chunk = { ...base, object: 'chat.completion.chunk' };
    const deltas = [
      { role: 'assistant', content: '' },
      ...(think === undefined ? [] : [{ reasoning_content: think }]),
      ...(say === undefined ? [] : [{ content: say }]),
      ...(calls.length > 0 ? [asked] : []),
    ];
    for (const delta of deltas) {
      send({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
    }
    send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] });
    send({ ...chunk, choices: [], usage });
    send('[DONE]');
    response.end();
  },
};

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  return parts
    .filter(isJsonObject)
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n');
}
