import { describe, expect, it } from 'vitest';
import { testProject } from '../support/open-project.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SIZE = Buffer.from(PNG, 'base64').length;
const shown = { type: 'file', mediaType: 'image/png', size: SIZE };
const ask = { role: 'user', content: 'show it' };
const end = { role: 'assistant', content: 'There.' };

/** A picture that a tool gave back, in the forms of several APIs. */
const RESULTS: readonly (readonly [of: string, source: object])[] = [
  [
    'OpenAI Responses',
    [
      ask,
      { type: 'function_call', call_id: 'c', name: 'shot', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
      },
      end,
    ],
  ],
  [
    'Anthropic',
    [
      ask,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'shot', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            ],
          },
        ],
      },
      end,
    ],
  ],
  [
    'AI SDK',
    [
      { id: 'q', role: 'user', parts: [{ type: 'text', text: 'show it' }] },
      {
        id: 'a',
        role: 'assistant',
        parts: [
          {
            type: 'tool-shot',
            toolCallId: 'c',
            state: 'output-available',
            input: {},
            output: {
              type: 'content',
              value: [{ type: 'media', mediaType: 'image/png', data: PNG }],
            },
          },
          { type: 'text', text: 'There.' },
        ],
      },
    ],
  ],
  [
    'MCP in a message of a tool',
    [
      ask,
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'shot', arguments: '{}' } }] },
      {
        role: 'tool',
        tool_call_id: 'c',
        content: [{ type: 'image', mimeType: 'image/png', data: PNG }],
      },
      end,
    ],
  ],
  [
    'Gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'show it' }] },
        { role: 'model', parts: [{ functionCall: { name: 'shot', args: {} } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'shot',
                response: { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] },
              },
            },
          ],
        },
        { role: 'model', parts: [{ text: 'There.' }] },
      ],
    },
  ],
  [
    'Claude Code, which writes it twice',
    [
      {
        type: 'user',
        uuid: '1',
        parentUuid: null,
        sessionId: 's',
        message: { role: 'user', content: 'show it' },
      },
      {
        type: 'assistant',
        uuid: '2',
        parentUuid: '1',
        sessionId: 's',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'Read', input: {} }],
        },
      },
      {
        type: 'user',
        uuid: '3',
        parentUuid: '2',
        sessionId: 's',
        message: {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c',
              content: [
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              ],
            },
          ],
        },
        toolUseResult: { type: 'image', file: { base64: PNG, type: 'image/png' } },
      },
      {
        type: 'assistant',
        uuid: '4',
        parentUuid: '3',
        sessionId: 's',
        message: { role: 'assistant', content: [{ type: 'text', text: 'There.' }] },
      },
    ],
  ],
];

describe('a picture that a tool gave back', () => {
  it.each(RESULTS)('is an attachment after the result: %s', async (_of, source) => {
    const { vizprompt } = await testProject();
    const { flows } = await vizprompt.importConversations(source);
    const [flow] = flows;
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    expect(nodes).toHaveLength(1);
    const { prompt, response, responseParts } = await vizprompt.getNode(nodes[0]?.id ?? '');
    expect([prompt, response]).toEqual(['show it', 'There.']);
    const files = responseParts.filter(({ type }) => type === 'file');
    expect(files).toMatchObject([shown]);
    const result = responseParts.findIndex(({ type }) => type === 'tool-result');
    expect(responseParts[result + 1]).toBe(files[0]);
    // The bytes are stored once, and the result names them.
    expect(JSON.stringify(responseParts)).not.toContain(PNG);
    const [file] = files;
    const path = file?.type === 'file' ? file.path : undefined;
    expect(JSON.stringify(responseParts[result])).toContain(path);
    for (const format of ['chatgpt', 'json'] as const) {
      const { vizprompt: other } = await testProject();
      const exported = await vizprompt.exportFlow(flow?.id ?? '', { format });
      const [copy] = (await other.importConversations(JSON.parse(exported) as object)).flows;
      const [only] = (await other.getFlow(copy?.id ?? '')).nodes;
      const again = await other.getNode(only?.id ?? '');
      expect([again.prompt, again.response]).toEqual([prompt, response]);
      expect(again.responseParts.filter(({ type }) => type === 'file')).toMatchObject([{ path }]);
    }
    // Models accept a call only with its result right after it.
    const messages = JSON.parse(
      await vizprompt.exportFlow(flow?.id ?? '', { format: 'openai' }),
    ) as readonly { readonly role: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('is left as it came where it is no picture', async () => {
    const { vizprompt } = await testProject();
    const output = { media_type: 'text/plain', data: 'abcd'.repeat(40), note: 'words' };
    const { flows } = await vizprompt.importConversations([
      ask,
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: [output] },
      end,
    ]);
    const [node] = (await vizprompt.getFlow(flows[0]?.id ?? '')).nodes;
    const { responseParts } = await vizprompt.getNode(node?.id ?? '');
    expect(responseParts).toContainEqual(expect.objectContaining({ output: [output] }));
  });
});
