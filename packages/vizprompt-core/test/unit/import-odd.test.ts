import { VizPrompt, VizPromptError } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branched } from '../fixtures/chatgpt.ts';
import { randomRuns } from '../support/open-project.ts';

const time = '2026-01-02T03:04:05.678Z';

/** A small conversation of each format, from which something is to be broken. */
const sources: Readonly<Record<string, unknown>> = {
  chatgpt: [branched().export()],
  claude: [
    {
      uuid: 'c',
      name: '猫',
      chat_messages: [
        { uuid: 'q', sender: 'human', text: 'Q', created_at: time, parent_message_uuid: null },
        {
          uuid: 'a',
          sender: 'assistant',
          content: [
            { type: 'thinking', thinking: 't' },
            { type: 'text', text: 'A' },
          ],
          parent_message_uuid: 'q',
          files: [{ file_uuid: 'f', file_name: 'n' }],
        },
      ],
    },
  ],
  'open-webui': [
    {
      id: 'c',
      chat: {
        history: {
          currentId: 'a',
          messages: {
            q: { id: 'q', parentId: null, childrenIds: ['a'], role: 'user', content: 'Q' },
            a: {
              id: 'a',
              parentId: 'q',
              childrenIds: [],
              role: 'assistant',
              content: '<details type="reasoning">x</details>A',
              output: [{ type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' }],
              files: [{ type: 'file', file: { id: 'f', meta: { size: 1 } } }],
              timestamp: 1_700_000_000,
            },
          },
        },
      },
    },
  ],
  librechat: {
    conversationId: 'c',
    options: { promptPrefix: 'p' },
    messages: [
      {
        messageId: 'q',
        isCreatedByUser: true,
        text: 'Q',
        children: [{ messageId: 'a', text: 'A' }],
      },
      {
        messageId: 'b',
        parentMessageId: 'q',
        createdAt: time,
        content: [
          { type: 'tool_call', tool_call: { id: 'c', name: 'n', args: '{}', output: 'o' } },
        ],
        files: [{ file_id: 'f', bytes: 1 }],
      },
    ],
  },
  openai: {
    messages: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'u' } }] },
      {
        role: 'assistant',
        content: 'A',
        tool_calls: [{ id: 'c', function: { name: 'n', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'R' },
    ],
  },
  pi: [
    { type: 'session', version: 3, id: 's', timestamp: time },
    { type: 'message', id: 'q', parentId: null, message: { role: 'user', content: 'Q' } },
    {
      type: 'message',
      id: 'a',
      parentId: 'q',
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: {} }],
      },
    },
    { type: 'message', id: 'r', parentId: 'a', message: { role: 'toolResult', toolCallId: 'c' } },
    { type: 'label', id: 'l', parentId: 'r', targetId: 'q', label: 'x' },
  ],
  'claude-code': [
    {
      type: 'user',
      uuid: 'q',
      parentUuid: null,
      sessionId: 's',
      timestamp: time,
      message: { content: 'Q' },
    },
    {
      type: 'assistant',
      uuid: 'a',
      parentUuid: 'q',
      sessionId: 's',
      message: {
        id: 'm',
        model: 'x',
        content: [{ type: 'tool_use', id: 'c', name: 'n', input: {} }],
      },
    },
    {
      type: 'user',
      uuid: 'r',
      parentUuid: 'a',
      sessionId: 's',
      message: { content: [{ type: 'tool_result', tool_use_id: 'c', content: 'R' }] },
    },
  ],
  vizprompt: {
    format: 'vizprompt-flow',
    version: 1,
    flow: {
      id: '00000000-0000-4000-8000-00000000000f',
      name: '猫',
      created: time,
      updated: time,
      nodes: [
        { index: 1, id: '00000000-0000-4000-8000-000000000001' },
        { index: 2, id: '00000000-0000-4000-8000-000000000002' },
      ],
      connections: [
        {
          from: '00000000-0000-4000-8000-000000000001',
          to: '00000000-0000-4000-8000-000000000002',
        },
      ],
    },
    nodes: [1, 2].map((at) => ({
      id: `00000000-0000-4000-8000-00000000000${at}`,
      timestamp: time,
      prompt: 'Q',
      response: 'A',
      tags: ['猫'],
      promptParts: [{ type: 'text', start: 0, end: 1, meta: { a: 1 } }],
      unknown: [{ name: 'x', attributes: {}, children: [], text: '' }],
    })),
  },
};

const junk = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e300, '', 'q', 'a', '\ud800', '\0', '__proto__', [], {}, [
    [],
  ]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Returns the same value with something put instead of one of its pieces, or with that piece gone. */
function broken(value: unknown, at: number, put: unknown): unknown {
  let left = at;
  const visit = (piece: unknown): unknown => {
    if (left-- === 0) return put;
    if (Array.isArray(piece)) return piece.map(visit);
    if (typeof piece !== 'object' || piece === null) return piece;
    return Object.fromEntries(Object.entries(piece).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value);
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 1);
}

describe('an odd conversation', () => {
  it.each(Object.keys(sources))(
    'of %s is imported or reported, and leaves the project sound',
    async (format) => {
      const sound = sources[format];
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(), junk), { maxLength: 4 }), async (breaks) => {
          let source = sound;
          for (const [at, put] of breaks) source = broken(source, 1 + (at % sizeOf(source)), put);
          await using vizprompt = await VizPrompt.open({ storage: await inMemoryStorage() });
          try {
            const report = await vizprompt.importConversations(source as object);
            const { total, imported, updated, unchanged, skipped } = report.conversations;
            expect(imported + updated + unchanged + skipped).toBe(total);
            const again = await vizprompt.importConversations(source as object);
            expect(again.nodes.created).toBe(0);
          } catch (error) {
            if (!VizPromptError.isInstance(error) || error.code !== 'import-unreadable')
              throw error;
          }
          for (const { id } of await vizprompt.listFlows()) {
            const flow = await vizprompt.getFlow(id);
            for (const node of flow.nodes) await vizprompt.getNode(node.id).catch(ignoreMissing);
            const exported = await vizprompt.exportFlow(id, { format: 'chatgpt' });
            await vizprompt.exportFlow(id, { format: 'openai' });
            if (flow.nodes.length === 0) continue;
            await using other = await VizPrompt.open({ storage: await inMemoryStorage() });
            const { nodes } = await other.importConversations(JSON.parse(exported) as object);
            expect(nodes.total).toBe(flow.nodes.length);
          }
          // A flow may name nodes that the source did not hold; nothing else may be wrong.
          const problems = await vizprompt.problems();
          expect(problems.filter(({ message }) => !message.includes('is in no file'))).toEqual([]);
        }),
        { numRuns: randomRuns(2) },
      );
    },
  );
});

function ignoreMissing(error: unknown): void {
  if (!VizPromptError.isInstance(error) || error.code !== 'node-not-found') throw error;
}
