import { type Expected, type ServerAnswer } from './form.ts';
import type { MessagesRow } from './messages-streams.ts';
import { begin, blockEvents, end, message, named } from './messages-events.ts';

const hello = { type: 'text', text: '猫だ。' };
const half = { type: 'text', text: 'half an' };
const raw = (text: string): ServerAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: text,
});

const call = { type: 'tool_use', id: 'toolu_1', name: 'w', input: { at: '猫' } };
const asked = { type: 'tool-call', id: 'toolu_1', name: 'w', input: { at: '猫' } };
const calls: Expected = { finish: 'tool-calls', parts: [asked] };
const open = (block: object, ...deltas: readonly object[]): string =>
  [
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
  ]
    .map(named)
    .join('');
const input = (...pieces: readonly string[]): object[] =>
  pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
const toolUse = end({ stop_reason: 'tool_use' });
const empty = { ...call, input: {} };

/** Calls of tools. */
export const MESSAGES_CALLS: readonly MessagesRow[] = [
  [
    'an input in pieces',
    raw(begin() + open(empty, ...input('', '{"at":', '"猫"}')) + toolUse),
    calls,
  ],
  [
    'an input as an object',
    raw(begin() + open(empty, { type: 'input_json_delta', partial_json: { at: '猫' } }) + toolUse),
    calls,
  ],
  ['an input at the beginning', raw(begin() + open(call) + toolUse), calls],
  [
    'no input',
    raw(begin() + open(empty) + toolUse),
    { finish: 'tool-calls', parts: [{ ...asked, input: {} }] },
  ],
  [
    'an empty piece of input',
    raw(begin() + open(empty, ...input('')) + toolUse),
    { finish: 'tool-calls', parts: [{ ...asked, input: {} }] },
  ],
  [
    '`{}` before the input',
    raw(begin() + open(empty, ...input('{}', '{"at":"猫"}')) + toolUse),
    calls,
  ],
  [
    'no id',
    raw(begin() + open({ type: 'tool_use', name: 'w', input: { at: '猫' } }) + toolUse),
    { finish: 'tool-calls', parts: [{ type: 'tool-call', name: 'w' }] },
  ],
  ['`end_turn` after a call', raw(begin() + open(call) + end({ stop_reason: 'end_turn' })), calls],
  [
    '`tool_calls` at the end (LiteLLM)',
    raw(begin() + open(call) + end({ stop_reason: 'tool_calls' })),
    calls,
  ],
  [
    'an input that is not JSON',
    raw(begin() + open(empty, ...input('{"at": 猫')) + toolUse),
    { code: 'output_parse' },
  ],
  [
    'an input that is cut by the limit',
    raw(
      begin() +
        blockEvents(half) +
        named({ type: 'content_block_start', index: 1, content_block: empty }) +
        named({
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json: '{"at":"' },
        }) +
        end({ stop_reason: 'max_tokens' }),
    ),
    { finish: 'length', text: 'half an' },
  ],
  [
    'two calls',
    message([call, { ...call, id: 'toolu_2', input: {} }], { stop_reason: 'tool_use' }),
    { finish: 'tool-calls', parts: [asked, { ...asked, id: 'toolu_2', input: {} }] },
  ],
];

const cited = (citation: object): ServerAnswer => message([{ ...hello, citations: [citation] }]);
const sourced = (source: object): Expected => ({
  text: '猫だ。',
  parts: [{ type: 'text' }, { type: 'source', ...source }],
});

/** Kinds of content. */
export const MESSAGES_CONTENT: readonly MessagesRow[] = [
  [
    'a thought with its signature',
    message([{ type: 'thinking', thinking: 'まず', signature: 's' }, hello]),
    {
      reasoning: 'まず',
      text: '猫だ。',
      parts: [{ type: 'reasoning', meta: { anthropic: { signature: 's' } } }, { type: 'text' }],
    },
  ],
  [
    'a thought that is not shown',
    message([{ type: 'thinking', thinking: '', signature: 's' }, hello]),
    {
      reasoning: '',
      parts: [
        { type: 'reasoning', text: '', meta: { anthropic: { signature: 's' } } },
        { type: 'text' },
      ],
    },
  ],
  [
    'a thought that is not signed',
    raw(
      begin() +
        open({ type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'まず' }) +
        end({ stop_reason: 'end_turn' }),
    ),
    { reasoning: 'まず' },
  ],
  [
    'a thought that is hidden',
    message([{ type: 'redacted_thinking', data: 'd' }, hello]),
    {
      parts: [
        { type: 'reasoning', text: '', meta: { anthropic: { redactedData: 'd' } } },
        { type: 'text' },
      ],
    },
  ],
  [
    '`<think>` in the text',
    message([{ type: 'text', text: '<think>まず</think>猫だ。' }]),
    { reasoning: 'まず', text: '猫だ。' },
  ],
  [
    'a citation of characters',
    cited({
      type: 'char_location',
      cited_text: 'c',
      document_index: 0,
      document_title: 'D',
      start_char_index: 1,
      end_char_index: 2,
    }),
    sourced({ title: 'D', text: 'c' }),
  ],
  [
    'a citation of pages',
    cited({
      type: 'page_location',
      cited_text: 'c',
      document_index: 0,
      document_title: 'D',
      start_page_number: 1,
      end_page_number: 2,
    }),
    sourced({ title: 'D', text: 'c' }),
  ],
  [
    'a citation of blocks',
    cited({
      type: 'content_block_location',
      cited_text: 'c',
      document_index: 0,
      document_title: null,
      start_block_index: 1,
      end_block_index: 2,
    }),
    sourced({ text: 'c' }),
  ],
  [
    'a citation of the web',
    cited({
      type: 'web_search_result_location',
      cited_text: 'c',
      url: 'https://a.example',
      title: 'A',
      encrypted_index: 'i',
    }),
    sourced({ url: 'https://a.example', title: 'A', text: 'c' }),
  ],
  [
    'a citation of a search result',
    cited({
      type: 'search_result_location',
      cited_text: 'c',
      source: 'https://a.example',
      title: 'A',
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1,
    }),
    sourced({ url: 'https://a.example', title: 'A', text: 'c' }),
  ],
  [
    'code that the server ran',
    message([
      { type: 'server_tool_use', id: 's', name: 'code_execution', input: { code: '1' } },
      {
        type: 'code_execution_tool_result',
        tool_use_id: 's',
        content: { type: 'code_execution_result', stdout: '1' },
      },
      hello,
    ]),
    {
      text: '猫だ。',
      finish: 'stop',
      parts: [
        { type: 'tool-call', name: 'code_execution' },
        { type: 'tool-result', name: 'code_execution' },
        { type: 'text' },
      ],
    },
  ],
  [
    'a tool of an MCP server',
    message([
      { type: 'mcp_tool_use', id: 's', name: 'find', server_name: 'm', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 's', is_error: true, content: [] },
      hello,
    ]),
    {
      text: '猫だ。',
      parts: [
        { type: 'tool-call', name: 'find' },
        { type: 'tool-result', name: 'find', isError: true },
        { type: 'text' },
      ],
    },
  ],
  [
    'a file in the container',
    message([{ type: 'container_upload', file_id: 'f' }, hello]),
    {
      text: '猫だ。',
      parts: [
        {
          type: 'text',
          text: '',
          meta: { anthropic: { block: { type: 'container_upload', file_id: 'f' } } },
        },
        { type: 'text' },
      ],
    },
  ],
  [
    'a summary of what was said',
    raw(
      begin() +
        open(
          { type: 'compaction', content: '' },
          { type: 'compaction_delta', content: 'a' },
          { type: 'compaction_delta', content: 'b' },
        ) +
        end({ stop_reason: 'end_turn' }),
    ),
    {
      parts: [
        {
          type: 'text',
          text: '',
          meta: { anthropic: { block: { type: 'compaction', content: 'ab' } } },
        },
      ],
    },
  ],
  [
    'a block of an unknown kind',
    message([{ type: 'hologram', depth: 3 }, hello]),
    {
      text: '猫だ。',
      parts: [
        { type: 'text', text: '', meta: { anthropic: { block: { type: 'hologram', depth: 3 } } } },
        { type: 'text' },
      ],
    },
  ],
];
