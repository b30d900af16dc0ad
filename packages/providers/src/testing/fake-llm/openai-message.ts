import { textOf, type Part } from '../../chat/message.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { toolInput, type FakeReply, type FakeUsage } from './fake-answer.ts';
import { piecesOf } from './pieces.ts';

/** The deltas of a streamed message: of its text, its reasoning and its tool calls. */
export function toDeltas(reply: FakeReply, reasoningField: string): readonly JsonObject[] {
  let calls = 0;
  return reply.parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'tool-call') {
      const index = calls++;
      const { id, name } = part;
      const start = { index, id, type: 'function', function: { name, arguments: '' } };
      const input = piecesOf(toolInput(part, reply.hasBadToolInput), reply.chunkSize);
      return [
        { tool_calls: [start] },
        ...input.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    }
    if (part.type !== 'text' && part.type !== 'reasoning') return [];
    const field = part.type === 'text' ? 'content' : reasoningField;
    return piecesOf(part.text, reply.chunkSize).map((piece) => ({ [field]: piece }));
  });
}

/** The fields that all answers begin with. */
export function head({ number, model }: FakeReply, object: string): JsonObject {
  const created = Math.floor(Date.now() / 1000);
  return { id: `chatcmpl-fake-${number}`, object, created, model };
}

/** A message as a whole. */
export function toMessage(
  { parts, hasBadToolInput }: FakeReply,
  reasoningField: string,
): JsonObject {
  const text = textOf(parts);
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const calls = parts.flatMap((part: Part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.id,
            type: 'function',
            function: { name: part.name, arguments: toolInput(part, hasBadToolInput) },
          },
        ]
      : [],
  );
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === '' ? {} : { [reasoningField]: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Token counts in the words of OpenAI. */
export function toUsage({ input, output, reasoning, cached }: FakeUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
