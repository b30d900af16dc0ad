import type { ServerResponse } from 'node:http';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, textAt } from '@vizprompt/providers/internal';
import {
  askedBy,
  newId,
  resultText,
  startEvents,
  writeJson,
  type Answer,
  type Protocol,
} from './protocol.ts';

/** Messages of Anthropic. */
export const anthropic: Protocol = {
  read(url, body) {
    if (!url.startsWith('/v1/messages') || url.includes('count_tokens')) return undefined;
    const messages = listAt(body, 'messages').filter(isJsonObject);
    return askedBy(
      messages.map((message) => ({
        role: textAt(message, 'role') ?? '',
        text: textOf(message['content']),
        hasCalls: listAt(message, 'content').some(
          (block) => isJsonObject(block) && block['type'] === 'tool_use',
        ),
        results: listAt(message, 'content')
          .filter(isJsonObject)
          .filter((block) => block['type'] === 'tool_result')
          .map((block) => resultText(block['content'])),
      })),
      listAt(body, 'tools').length > 0,
    );
  },
  other: (url) => (url.includes('count_tokens') ? { input_tokens: 100 } : undefined),
  write(response, answer, _url, body) {
    const model = textAt(body, 'model') ?? 'fake';
    const head = { id: newId('msg_'), type: 'message', role: 'assistant', model };
    const usage = { input_tokens: 120, output_tokens: 30, cache_read_input_tokens: 10 };
    const stop_reason = answer.calls.length > 0 ? 'tool_use' : 'end_turn';
    const content = blocksOf(answer);
    if (body['stream'] === true) stream(response, content, { head, usage, stop_reason });
    else writeJson(response, { ...head, content, stop_reason, stop_sequence: null, usage });
  },
};

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  return blocks
    .filter(isJsonObject)
    .map((block) => (block['type'] === 'text' ? textAt(block, 'text') : ''))
    .join('\n');
}

function blocksOf({ think, say, calls }: Answer): readonly JsonObject[] {
  return [
    ...(think === undefined
      ? []
      : [
          {
            type: 'thinking',
            thinking: think,
            signature: Buffer.from(newId('s')).toString('base64'),
          },
        ]),
    ...(say === undefined ? [] : [{ type: 'text', text: say }]),
    ...calls.map(({ name, input }) => ({ type: 'tool_use', id: newId('toolu_'), name, input })),
  ];
}

function stream(
  response: ServerResponse,
  content: readonly JsonObject[],
  { head, usage, stop_reason }: { head: JsonObject; usage: JsonObject; stop_reason: string },
): void {
  const send = startEvents(response);
  const say = (type: string, more: JsonObject): void => send({ type, ...more }, type);
  say('message_start', {
    message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
  });
  for (const [index, block] of content.entries()) {
    const { empty, deltas } = piecesOf(block);
    say('content_block_start', { index, content_block: empty });
    for (const delta of deltas) say('content_block_delta', { index, delta });
    say('content_block_stop', { index });
  }
  say('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage['output_tokens'] ?? 0 },
  });
  say('message_stop', {});
  response.end();
}

function piecesOf(block: JsonObject): { empty: JsonObject; deltas: readonly JsonObject[] } {
  const { thinking, signature, text, input } = block;
  if (thinking !== undefined) {
    return {
      empty: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature: signature ?? '' },
      ],
    };
  }
  if (text !== undefined) {
    return { empty: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] };
  }
  const partial_json = JSON.stringify(input);
  return { empty: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json }] };
}
