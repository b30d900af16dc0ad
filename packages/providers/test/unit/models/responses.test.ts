import { LLMError, textMessage, type Message, type Part, type Tool } from '@vizprompt/providers';
import { runTools, type RunnableTool } from '@vizprompt/providers/generate';
import { openaiResponses, type OpenAIResponsesOptions } from '@vizprompt/providers/openai';
import type { FakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import { created, ends, events, piece } from '../../support/models/forms/responses/response.ts';

const question = textMessage('user', '京都の天気は？');
const tool: Tool = { name: 'weather', parameters: { type: 'object', properties: {} } };

function responses(llm: FakeLLM, options: Partial<OpenAIResponsesOptions> = {}) {
  return openaiResponses({ model: 'gpt-5', apiKey: KEY, baseURL: `${llm.url}/v1`, ...options });
}

const thinkAndCall: readonly Part[] = [
  { type: 'reasoning', text: '調べる。' },
  { type: 'tool-call', id: 'call_1', name: 'weather', input: { city: '京都' } },
];

describe('a request', () => {
  it('stores nothing, and asks for reasoning that can go back', async () => {
    const llm = await fakeServer();
    await responses(llm).generate({
      messages: [textMessage('system', '短く。'), question],
      tools: [tool],
      toolChoice: { tool: 'weather' },
      reasoning: 'xhigh',
      maxOutputTokens: 100,
      output: { type: 'json' },
    });
    expect(llm.requests[0]?.path).toBe('/v1/responses');
    expect(llm.requests[0]?.body).toEqual({
      model: 'gpt-5',
      input: [
        { role: 'system', content: 'Answer with one JSON object and nothing else.' },
        { role: 'system', content: '短く。' },
        { role: 'user', content: '京都の天気は？' },
      ],
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 100,
      reasoning: { effort: 'xhigh', summary: 'auto' },
      text: { format: { type: 'json_object' } },
      tools: [{ type: 'function', name: 'weather', parameters: tool.parameters, strict: false }],
      tool_choice: { type: 'function', name: 'weather' },
    });
  });

  it('says what the API has no field for', async () => {
    const llm = await fakeServer();
    const request = { messages: [question], stop: ['。'], seed: 1, topK: 2 };
    const { warnings } = await responses(llm).generate(request);
    expect(warnings.map(({ field }) => field)).toEqual(['stop', 'seed', 'topK']);
  });

  it('has the tools of the server, and asks for what they found', async () => {
    const llm = await fakeServer();
    const model = responses(llm, { serverTools: [{ type: 'web_search' }] });
    await model.generate({
      messages: [question],
      tools: [tool],
      toolChoice: { tool: 'web_search' },
      providerOptions: {
        openai: {
          tools: [{ type: 'code_interpreter', container: { type: 'auto' } }],
          include: ['message.output_text.logprobs'],
          reasoning: { context: 'all_turns' },
          metadata: { a: 'b' },
        },
      },
      reasoning: 'low',
    });
    expect(llm.requests[0]?.body).toMatchObject({
      tools: [
        { type: 'function' },
        { type: 'web_search' },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
      tool_choice: { type: 'web_search' },
      include: [
        'reasoning.encrypted_content',
        'web_search_call.action.sources',
        'code_interpreter_call.outputs',
        'message.output_text.logprobs',
      ],
      reasoning: { effort: 'low', summary: 'auto', context: 'all_turns' },
      metadata: { a: 'b' },
    });
  });

  it('takes what Chat Completions calls by other names', async () => {
    const llm = await fakeServer();
    const own = { reasoning_effort: 'max', verbosity: 'low', max_completion_tokens: 64 };
    const providerOptions = { openai: { ...own, reasoning: { context: 'auto' } } };
    await responses(llm).generate({ messages: [question], providerOptions });
    const { body } = llm.requests[0] ?? {};
    expect(body).toMatchObject({
      reasoning: { effort: 'max', context: 'auto' },
      text: { verbosity: 'low' },
      max_output_tokens: 64,
    });
    for (const name of Object.keys(own)) expect(body).not.toHaveProperty(name);
  });

  it('takes pictures, documents and sound', async () => {
    const llm = await fakeServer();
    const data = new Uint8Array([1, 2, 3]);
    const parts: readonly Part[] = [
      { type: 'text', text: 'これは？' },
      { type: 'file', mediaType: 'image/png', data },
      { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') },
      { type: 'file', mediaType: 'application/pdf', data, name: 'a.pdf' },
      { type: 'file', mediaType: 'application/pdf', data: new URL('https://example.com/a.pdf') },
      { type: 'file', mediaType: 'audio/wav', data },
    ];
    await responses(llm).generate({ messages: [{ role: 'user', parts }] });
    expect(llm.requests[0]?.body['input']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'これは？' },
          { type: 'input_image', image_url: 'data:image/png;base64,AQID', detail: 'auto' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' },
          {
            type: 'input_file',
            filename: 'a.pdf',
            file_data: 'data:application/pdf;base64,AQID',
          },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'input_audio', input_audio: { data: 'AQID', format: 'wav' } },
        ],
      },
    ]);
  });
});

describe('what goes back', () => {
  it('is reasoning with its signature, before the call that it led to', async () => {
    const llm = await fakeServer();
    llm.answer(thinkAndCall, '晴れです。');
    const run: RunnableTool = {
      name: 'weather',
      describe: async () => tool,
      run: async () => ({ sky: '晴れ' }),
    };
    const { text, usage } = await runTools(responses(llm), { messages: [question] }, [run]);
    expect(text).toBe('晴れです。');
    expect(usage.reasoningTokens).toBe(4);
    expect(llm.requests[1]?.body['input']).toEqual([
      { role: 'user', content: '京都の天気は？' },
      {
        type: 'reasoning',
        id: 'rs_fake_1_0',
        summary: [{ type: 'summary_text', text: '調べる。' }],
        encrypted_content: 'signed-1_0',
      },
      {
        type: 'function_call',
        call_id: 'call_1',
        name: 'weather',
        arguments: '{"city":"京都"}',
      },
      { type: 'function_call_output', call_id: 'call_1', output: '{"sky":"晴れ"}' },
    ]);
  });

  it('is no reasoning that nothing follows, or that only the server could know', async () => {
    const llm = await fakeServer();
    const item = { type: 'reasoning', id: 'rs_1', summary: [] };
    const reasoning = (own: object): Part => ({
      type: 'reasoning',
      text: '',
      meta: { openai: { item: { ...item, ...own } } },
    });
    const messages: Message[] = [
      question,
      { role: 'assistant', parts: [reasoning({}), { type: 'text', text: 'はい。' }] },
      question,
      { role: 'assistant', parts: [reasoning({ encrypted_content: 'g' })] },
      question,
    ];
    await responses(llm).generate({ messages });
    const asked = { role: 'user', content: '京都の天気は？' };
    const answered = { role: 'assistant', content: 'はい。' };
    expect(llm.requests[0]?.body['input']).toEqual([asked, answered, asked, asked]);
    // A server that stores knows it by its id.
    await responses(llm, { store: true }).generate({ messages });
    expect(llm.requests[1]?.body['input']).toEqual([asked, item, answered, asked, asked]);
  });

  const round = async (item: object, result?: Part): Promise<unknown> => {
    const llm = await fakeServer();
    const own = { meta: { openai: { item } } } as Pick<Part & { type: 'text' }, 'meta'>;
    llm.answer(
      [
        { type: 'text', text: '', ...own },
        { type: 'text', text: 'はい。' },
      ],
      'いいえ。',
    );
    const { parts } = await responses(llm).generate({ messages: [question] });
    const messages: Message[] = [question, { role: 'assistant', parts }];
    if (result) messages.push({ role: 'tool', parts: [result] });
    await responses(llm).generate({ messages: [...messages, question] });
    const input = llm.requests[1]?.body['input'];
    return Array.isArray(input) ? input.slice(1, -1) : input;
  };
  const said = { role: 'assistant', content: 'はい。' };

  it.each([
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
    { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['a'], results: null },
    { type: 'code_interpreter_call', id: 'ci_1', code: '1', container_id: 'c', outputs: [] },
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 's', tools: [] },
    { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'a', arguments: '{}', output: 'x' },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'g' },
    { type: 'shell_call_output', id: 'sho_1', call_id: 'c', output: [] },
    { type: 'something_new', id: 'x_1', field: { a: [1] } },
  ])('is an item of the server as it came: $type', async (item) => {
    expect(await round(item)).toEqual([item, said]);
  });

  const result = (output: Part & { type: 'tool-result' } extends { output: infer O } ? O : never) =>
    ({ type: 'tool-result', id: 'c', name: 'x', output }) as const;
  const failed = { ...result('no'), isError: true } as const;

  it.each([
    [
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'sql', input: 'SELECT 1' },
      result('1'),
      { type: 'custom_tool_call_output', call_id: 'c', output: '1' },
    ],
    [
      { type: 'computer_call', id: 'cu_1', call_id: 'c', action: { type: 'screenshot' } },
      result('data:image/png;base64,AQID'),
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AQID' },
      },
    ],
    [
      { type: 'computer_call', id: 'cu_1', call_id: 'c', action: { type: 'screenshot' } },
      result({
        output: { type: 'computer_screenshot', file_id: 'f' },
        acknowledged_safety_checks: [],
      }),
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', file_id: 'f' },
        acknowledged_safety_checks: [],
      },
    ],
    [
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'c', action: { type: 'exec' } },
      result('a.txt'),
      { type: 'local_shell_call_output', id: 'c', output: 'a.txt' },
    ],
    [
      { type: 'shell_call', id: 'sh_1', call_id: 'c', action: { commands: ['ls'] } },
      result('a.txt'),
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
    [
      { type: 'apply_patch_call', id: 'apc_1', call_id: 'c', operation: { type: 'delete_file' } },
      failed,
      { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'Error: no' },
    ],
    [
      { type: 'mcp_approval_request', id: 'c', name: 'roll', arguments: '{}', server_label: 's' },
      result(true),
      { type: 'mcp_approval_response', approval_request_id: 'c', approve: true },
    ],
    [
      { type: 'mcp_approval_request', id: 'c', name: 'roll', arguments: '{}', server_label: 's' },
      failed,
      {
        type: 'mcp_approval_response',
        approval_request_id: 'c',
        approve: false,
        reason: 'Error: no',
      },
    ],
    [
      { type: 'tool_search_call', id: 't', call_id: 'c', execution: 'client', arguments: {} },
      result([{ type: 'function', name: 'w' }]),
      {
        type: 'tool_search_output',
        call_id: 'c',
        execution: 'client',
        status: 'completed',
        tools: [{ type: 'function', name: 'w' }],
      },
    ],
    [
      {
        type: 'function_call',
        call_id: 'c',
        name: 'w',
        arguments: '{}',
        caller: { type: 'program', caller_id: 'p' },
      },
      result([{ type: 'input_image', image_url: 'https://example.com/a.png' }]),
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: 'https://example.com/a.png' }],
      },
    ],
  ])('answers a call in its own form: $0.type', async (item, part, answer) => {
    expect(await round(item, part)).toEqual([item, said, answer]);
  });

  it('is nothing that the response to continue has', async () => {
    const llm = await fakeServer();
    const model = responses(llm, { store: true });
    llm.answer(thinkAndCall);
    const { id = '', parts } = await model.generate({ messages: [question], tools: [tool] });
    const messages: Message[] = [
      question,
      { role: 'assistant', parts },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', id: 'call_1', name: 'weather', output: '晴れ' }],
      },
    ];
    const providerOptions = { openai: { previous_response_id: id } };
    await model.generate({ messages, tools: [tool], providerOptions });
    expect(llm.requests[0]?.body).toMatchObject({ store: true });
    expect(llm.requests[0]?.body).not.toHaveProperty('include');
    expect(llm.requests[1]?.body).toMatchObject({
      previous_response_id: id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '晴れ' }],
    });
  });
});

describe('a failed response', () => {
  it('reports the partial answer and its cost', async () => {
    const llm = await fakeServer();
    const failure = { error: { code: 'server_error', message: 'It broke.' } };
    const { headers, body } = events(created, piece('半分'), ends(failure, 'failed'));
    llm.fail({ type: 'status', status: 200, body, ...(headers && { headers }) });
    const error: unknown = await responses(llm)
      .generate({ messages: [question] })
      .catch((thrown: unknown) => thrown);
    expect(LLMError.isInstance(error) && error).toMatchObject({
      code: 'server',
      isRetryable: true,
      outputStarted: true,
      partial: {
        text: '半分',
        usage: { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
      },
    });
  });
});
