import { textMessage, type Tool } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

const question = textMessage('user', '京都の天気は？');
const tool: Tool = { name: 'weather', parameters: { type: 'object', properties: {} } };

/** Returns a `fetch` that asks a fake server where a host is meant. */
function insteadOf(host: string, url: string): typeof fetch {
  return (input, init) =>
    fetch((input instanceof Request ? input.url : input.toString()).replace(host, url), init);
}

describe('the choice of the protocol', () => {
  /** Returns the paths that are asked, on OpenAI's own host, which the fake server replaces. */
  async function pathsOf(
    model: string,
    request: Parameters<ReturnType<typeof openai>['generate']>[0],
    options: { readonly api?: 'chat' | 'responses'; readonly host?: string } = {},
  ): Promise<string[]> {
    const { host = 'https://api.openai.com', api } = options;
    const llm = await fakeServer();
    const own = openai({
      model,
      apiKey: KEY,
      baseURL: `${host}/v1`,
      api,
      fetch: insteadOf(host, llm.url),
    });
    await own.generate(request);
    return llm.requests.map(({ path }) => path);
  }
  const plain = { messages: [question] };
  const withTools = { ...plain, tools: [tool] };
  const [chat, other] = [['/v1/chat/completions'], ['/v1/responses']];

  it.each([
    ['gpt-5-pro', plain, other],
    ['gpt-5.2-pro-2025-12-11', plain, other],
    ['o1-pro', plain, other],
    ['o3-pro-2025-06-10', plain, other],
    ['gpt-5.1-codex-max', plain, other],
    ['codex-mini-latest', plain, other],
    ['o4-mini-deep-research', plain, other],
    ['computer-use-preview', plain, other],
    ['gpt-5.6-sol', withTools, other],
    ['gpt-5-mini', withTools, other],
    ['o3', withTools, other],
    ['ft:o4-mini-2025-04-16:org::id', withTools, other],
    ['gpt-5.6-sol', plain, chat],
    ['gpt-5-chat-latest', withTools, chat],
    ['gpt-4.1', withTools, chat],
    ['gpt-4o-mini', withTools, chat],
    ['gpt-5', { ...withTools, providerOptions: { openai: { logprobs: true } } }, chat],
    ['gpt-5', { ...withTools, providerOptions: { openai: { reasoning_effort: 'low' } } }, other],
    ['gpt-4o', { ...plain, providerOptions: { openai: { previous_response_id: 'r' } } }, other],
  ])('on OpenAI’s host is for %s by what it is asked', async (model, request, paths) => {
    expect(await pathsOf(model, request)).toEqual(paths);
    expect(await pathsOf(model, request, { host: 'https://eu.api.openai.com' })).toEqual(paths);
    // Other hosts seldom have the Responses API.
    expect(await pathsOf(model, request, { host: 'https://llm.example.com' })).toEqual(chat);
    expect(await pathsOf(model, request, { host: 'https://api.openai.com.evil.example' })).toEqual(
      chat,
    );
    for (const api of ['chat', 'responses'] as const) {
      const forced = api === 'chat' ? chat : other;
      expect(await pathsOf(model, request, { api })).toEqual(forced);
    }
  });

  const refused = (text: string) =>
    ({ type: 'status', status: 404, body: { error: { message: text, code: null } } }) as const;

  it('is remembered where a server wants the other one', async () => {
    const llm = await fakeServer();
    const model = openai({ model: 'only-responses', apiKey: KEY, baseURL: `${llm.url}/v1` });
    llm.fail(refused('This model is only supported in v1/responses.'));
    await model.generate(plain);
    await model.generate(plain);
    expect(llm.requests.map(({ path }) => path)).toEqual([...chat, ...other, ...other]);
  });

  it('stays where the caller forces it, or the server has no such address', async () => {
    const llm = await fakeServer();
    const options = { model: 'forced', apiKey: KEY, baseURL: `${llm.url}/v1` };
    const words = 'This model is only supported in v1/responses';
    llm.fail(refused(words));
    const forced = openai({ ...options, api: 'chat' }).generate(plain);
    await expect(forced).rejects.toThrow(words);
    llm.fail(refused(words), { type: 'status', status: 404 }, refused(words));
    const lost = openai({ ...options, model: 'lost' }).generate(plain);
    await expect(lost).rejects.toThrow(words);
    expect(llm.requests.map(({ path }) => path)).toEqual([...chat, ...chat, ...other, ...chat]);
  });

  it('falls back to Chat Completions for a key that may not ask for responses', async () => {
    const llm = await fakeServer();
    llm.fail({
      type: 'status',
      status: 401,
      body: { error: { message: 'Missing scopes: api.responses.write.' } },
    });
    const host = 'https://api.openai.com';
    const model = openai({
      model: 'gpt-5-nano',
      apiKey: KEY,
      baseURL: `${host}/v1`,
      fetch: insteadOf(host, llm.url),
    });
    await model.generate(withTools);
    expect(llm.requests.map(({ path }) => path)).toEqual([...other, ...chat]);
  });
});
