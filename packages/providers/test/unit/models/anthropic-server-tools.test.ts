import { textMessage } from '@vizprompt/providers';
import { anthropic, type AnthropicOptions } from '@vizprompt/providers/anthropic';
import { runTools, defineTool } from '@vizprompt/providers/generate';
import type { FakeLLM, FakeRequest } from '@vizprompt/providers/testing';
import { describe, expect, it, vi } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import { message } from '../../support/models/forms/messages-events.ts';

const QUESTION = textMessage('user', '猫は好き？');
const ask = { messages: [QUESTION] };

function claude(llm: FakeLLM, options: Partial<AnthropicOptions> = {}) {
  return anthropic({ model: 'claude-sonnet-5-5', apiKey: KEY, baseURL: llm.url, ...options });
}

function bodyOf(request: FakeRequest | undefined): Readonly<Record<string, unknown>> {
  return request?.body ?? {};
}

describe('tools that the server runs', () => {
  const search = {
    type: 'server_tool_use',
    id: 'srv_1',
    name: 'web_search',
    input: { query: '猫' },
  };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srv_1',
    content: [
      { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'x' },
    ],
  };
  const citation = {
    type: 'web_search_result_location',
    url: 'https://a.example',
    title: 'A',
    cited_text: '猫は',
    encrypted_index: 'i',
  };
  const cited = { type: 'text', text: '猫だ。', citations: [citation] };

  it('come with their results and sources, and go back as they came', async () => {
    const llm = await fakeServer();
    llm.fail({
      type: 'status',
      status: 200,
      ...message([search, found, cited], {
        stop_reason: 'end_turn',
        container: { id: 'container_1', expires_at: 'later' },
      }),
    });
    const model = claude(llm);
    const { parts, finishReason, text } = await model.generate(ask);
    expect([finishReason, text]).toEqual(['stop', '猫だ。']);
    expect(parts).toMatchObject([
      { type: 'tool-call', id: 'srv_1', name: 'web_search', input: { query: '猫' } },
      { type: 'tool-result', id: 'srv_1', name: 'web_search', output: found.content },
      { type: 'text', text: '猫だ。' },
      { type: 'source', url: 'https://a.example', title: 'A', text: '猫は' },
      { type: 'text', text: '' },
    ]);
    await model.generate({ messages: [QUESTION, { role: 'assistant', parts }, QUESTION] });
    expect(bodyOf(llm.requests[1])).toMatchObject({
      container: 'container_1',
      messages: [{}, { role: 'assistant', content: [search, found, cited] }, {}],
    });
  });

  it('are none of the caller, and errors of theirs are errors', async () => {
    const llm = await fakeServer();
    const error = {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srv_2',
      content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_allowed' },
    };
    const fetching = {
      type: 'server_tool_use',
      id: 'srv_2',
      name: 'web_fetch',
      input: { url: 'u' },
    };
    const blocks = [fetching, error, { type: 'text', text: 'だめでした' }];
    llm.fail({ type: 'status', status: 200, ...message(blocks, { stop_reason: 'end_turn' }) });
    const run = await runTools(claude(llm), ask, [
      defineTool({ name: 'web_fetch', input: { type: 'object' }, execute: () => 'never' }),
    ]);
    expect(run).toMatchObject({ isComplete: true, text: 'だめでした', steps: [{}] });
    expect(run.steps[0]?.parts[1]).toMatchObject({ type: 'tool-result', isError: true });
  });

  it('are continued where the server pauses', async () => {
    const llm = await fakeServer();
    const usage = { input_tokens: 10, output_tokens: 5 };
    const first = message(
      [{ type: 'text', text: '探す。' }, search],
      { stop_reason: 'pause_turn' },
      usage,
    );
    const second = message([found, cited], { stop_reason: 'end_turn' }, usage);
    llm.fail({ type: 'status', status: 200, ...first }, { type: 'status', status: 200, ...second });
    const events: string[] = [];
    for await (const event of claude(llm).stream(ask)) events.push(event.type);
    expect(events.filter((type) => type === 'start' || type === 'finish')).toHaveLength(2);
    llm.fail({ type: 'status', status: 200, ...first }, { type: 'status', status: 200, ...second });
    const { text, usage: spent, finishReason, parts } = await claude(llm).generate(ask);
    expect([text, finishReason]).toEqual(['探す。猫だ。', 'stop']);
    expect(spent).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(parts[2]).toMatchObject({ type: 'tool-result', name: 'web_search' });
    expect(bodyOf(llm.requests[1])['messages']).toMatchObject([
      {},
      { role: 'assistant', content: [{ type: 'text', text: '探す。' }, search] },
    ]);
  });

  it('are continued a number of times only, and then the answer is cut', async () => {
    const llm = await fakeServer();
    const paused = message([{ type: 'text', text: 'あ' }], { stop_reason: 'pause_turn' });
    llm.fail(
      ...Array.from({ length: 40 }, () => ({ type: 'status', status: 200, ...paused }) as const),
    );
    const { finishReason } = await claude(llm).generate(ask);
    expect(finishReason).toBe('length');
    expect(llm.requests).toHaveLength(17);
  });
});

describe('keys', () => {
  it('of the environment are for Anthropic and for the server of the environment', async () => {
    const llm = await fakeServer();
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-of-the-environment');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-environment');
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-secret: of-the-environment');
    await anthropic({ model: 'm', baseURL: llm.url }).generate(ask);
    expect(JSON.stringify(llm.requests[0]?.headers)).not.toContain('of-the-environment');
    vi.stubEnv('ANTHROPIC_BASE_URL', `${llm.url}/v1/`);
    await anthropic({ model: 'm' }).generate(ask);
    expect(llm.requests[1]?.headers).toMatchObject({ 'x-api-key': 'sk-ant-of-the-environment' });
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    await anthropic({ model: 'm' }).generate(ask);
    expect(llm.requests[2]?.headers).toMatchObject({
      authorization: 'Bearer token-of-the-environment',
      'x-secret': 'of-the-environment',
    });
    vi.unstubAllEnvs();
  });
});
