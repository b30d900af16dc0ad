import { FlowGraph, type ChatTurnEvent } from '@vizprompt/core';
import { LLMError, textOf, type Part } from '@vizprompt/providers';
import { compose, retry } from '@vizprompt/providers/middleware';
import { ollama } from '@vizprompt/providers/ollama';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { scriptedModel, startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openProject, testProject } from '../support/open-project.ts';

async function eventsOf(turn: AsyncIterable<ChatTurnEvent>): Promise<ChatTurnEvent[]> {
  const events: ChatTurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

describe('chat', () => {
  it('keeps the prompt before the answer begins, and the answer with its cost', async () => {
    const model = scriptedModel(['はい、とても好きです。', 'かわいいからです。']);
    const vizprompt = await openProject({ model });
    const events: ChatTurnEvent[] = [];
    for await (const event of vizprompt.chat({ prompt: '猫は好き？' })) {
      events.push(event);
      if (event.type !== 'asked') continue;
      expect(model.calls).toHaveLength(0);
      expect(await vizprompt.getNode(event.node.id)).toMatchObject({
        prompt: '猫は好き？',
        response: '',
        status: 'pending',
      });
    }
    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(texts.join('')).toBe('はい、とても好きです。');
    expect(events.at(-1)).toMatchObject({
      type: 'answered',
      finishReason: 'stop',
      node: { response: 'はい、とても好きです。', status: 'done', model: 'script' },
    });
    const second = await vizprompt.chat({ prompt: 'なぜ？' }).node();
    expect(second.stats.assistant).toMatchObject({ count: expect.any(Number) });
    expect(second.stats.user?.count).toBeGreaterThan(0);
    const flow = await vizprompt.getFlow();
    expect(flow).toMatchObject({ head: second.id, connections: [{ to: second.id }] });
    const sent = model.calls[1]?.messages.map((message) => textOf(message));
    expect(sent).toEqual(['猫は好き？', 'はい、とても好きです。', 'なぜ？']);
  });

  it('asks again next to a node, with the same prompt or another, and the head follows', async () => {
    const model = scriptedModel((_request, call) => `answer ${call}`);
    const vizprompt = await openProject({ model });
    const root = await vizprompt.chat({ prompt: 'root' }).node();
    const first = await vizprompt.chat({ prompt: 'first' }).node();
    const again = await vizprompt.retry(first.id).node();
    const edited = await vizprompt.edit(first.id, 'edited').node();
    const otherRoot = await vizprompt.edit(root.id, 'other root').node();
    expect([again.prompt, edited.prompt]).toEqual(['first', 'edited']);
    expect(again.response).toBe('answer 2');
    const flow = await vizprompt.getFlow();
    const graph = new FlowGraph(flow);
    expect(graph.children(root.id)).toEqual([first.id, again.id, edited.id]);
    expect(graph.roots()).toEqual([root.id, otherRoot.id]);
    expect(flow.head).toBe(otherRoot.id);
    expect((await vizprompt.getNode(first.id)).response).toBe('answer 1');
  });

  it('continues from several nodes, and from none', async () => {
    const model = scriptedModel((_request, call) => `answer ${call}`);
    const vizprompt = await openProject({ model });
    const root = await vizprompt.chat({ prompt: 'root' }).node();
    const a = await vizprompt.chat({ prompt: 'a', from: root.id, branchName: '案' }).node();
    const b = await vizprompt.chat({ prompt: 'b', from: root.id }).node();
    const merge = await vizprompt.chat({ prompt: 'both', from: [a.id, b.id] }).node();
    await vizprompt.chat({ prompt: 'alone', from: null }).node();
    const graph = new FlowGraph(await vizprompt.getFlow());
    expect(graph.parents(merge.id)).toEqual([a.id, b.id]);
    expect(graph.roots()).toHaveLength(2);
    expect(model.calls.at(-1)?.messages).toHaveLength(1);
  });

  it('keeps what had come of an answer that fails or is stopped, marked', async () => {
    const llm = await startFakeLLM({ answer: '一つ目の文。二つ目の文。三つ目の文。' });
    onTestFinished(() => llm.close());
    const model = ollama({ model: 'm', host: llm.url });
    const vizprompt = await openProject({ model });
    llm.fail({ type: 'reset', afterChunks: 2 });
    await expect(vizprompt.chat({ prompt: 'a' }).node()).rejects.toMatchObject({ code: 'network' });
    const failed = await vizprompt.getNode((await vizprompt.getFlow()).head ?? '');
    expect(failed).toMatchObject({ prompt: 'a', status: 'failed', model: 'm' });
    expect('一つ目の文。二つ目の文。'.startsWith(failed.response)).toBe(true);
    expect(failed.response.length).toBeGreaterThan(0);
    expect(failed.responseParts).toMatchObject([
      { type: 'text', start: 0 },
      { type: 'data', kind: 'error', value: { code: 'network' } },
    ]);
    expect(failed.stats.assistant?.count).toBeGreaterThan(0);

    const controller = new AbortController();
    const stopped = (async () => {
      for await (const event of vizprompt.chat({ prompt: 'b', signal: controller.signal })) {
        if (event.type === 'text') controller.abort();
      }
    })();
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    expect(await vizprompt.getNode((await vizprompt.getFlow()).head ?? '')).toMatchObject({
      prompt: 'b',
      status: 'aborted',
    });

    for await (const event of vizprompt.chat({ prompt: 'c' })) if (event.type === 'text') break;
    const left = await vizprompt.getNode((await vizprompt.getFlow()).head ?? '');
    expect(left).toMatchObject({ prompt: 'c', status: 'aborted' });
    expect(left.response.length).toBeGreaterThan(0);
  });

  it('keeps the arrived part of answers when the project is closed, with or without a reader', async () => {
    const llm = await startFakeLLM({ answer: '一つの文。'.repeat(100), chunkDelayMs: 5 });
    onTestFinished(() => llm.close());
    const { vizprompt, reopen } = await testProject({
      model: ollama({ model: 'm', host: llm.url }),
    });
    const read = vizprompt.chat({ prompt: 'a' });
    const paused = vizprompt.chat({ prompt: 'b' })[Symbol.asyncIterator]();
    let hasRead = false;
    const readAll = async (): Promise<void> => {
      for await (const { type } of read) hasRead ||= type === 'text';
    };
    const reading = readAll().catch((error: unknown) => error);
    const isText = async (): Promise<boolean> => (await paused.next()).value.type === 'text';
    while (!(await isText()));
    await expect.poll(() => hasRead).toBe(true);
    const again = await reopen();
    expect(await reading).toMatchObject({ code: 'aborted' });
    const nodes = await Promise.all(
      (await again.getFlow()).nodes.map(({ id }) => again.getNode(id)),
    );
    expect(nodes.map(({ prompt }) => prompt).toSorted()).toEqual(['a', 'b']);
    for (const { status, response } of nodes) {
      expect(status).toBe('aborted');
      expect('一つの文。'.repeat(100).startsWith(response)).toBe(true);
      expect(response).not.toBe('');
    }
    await expect(paused.next()).rejects.toMatchObject({ code: 'aborted' });
  });

  it('says the same when it is stopped before the model is asked, and leaves no node', async () => {
    const model = scriptedModel(['unheard']);
    const vizprompt = await openProject({ model });
    await vizprompt.createNode({ prompt: 'before' });
    const turn = vizprompt.chat({ prompt: 'a', signal: AbortSignal.abort() });
    await expect(turn.node()).rejects.toMatchObject({ name: 'LLMError', code: 'aborted' });
    expect(model.calls).toHaveLength(0);
    expect((await vizprompt.getFlow()).nodes).toHaveLength(1);
  });

  it('marks an answer that no caller waited for', async () => {
    const vizprompt = await openProject({ model: scriptedModel(['unheard']) });
    for await (const event of vizprompt.chat({ prompt: 'a' })) if (event.type === 'asked') break;
    const head = (await vizprompt.getFlow()).head ?? '';
    expect(await vizprompt.getNode(head)).toMatchObject({ response: '', status: 'aborted' });
  });

  it('gives the node before, while and after its events are read, and its failure', async () => {
    const model = scriptedModel(['one', 'two', new LLMError('network', 'gone'), 'four']);
    const vizprompt = await openProject({ model });
    const first = vizprompt.chat({ prompt: 'a' });
    expect(await first.node()).toBe(await first.node());
    const second = vizprompt.chat({ prompt: 'b' });
    for await (const _ of second) void second.node();
    expect(await second.node()).toMatchObject({ response: 'two', status: 'done' });
    const third = vizprompt.chat({ prompt: 'c' });
    await expect(eventsOf(third)).rejects.toMatchObject({ code: 'network' });
    await expect(third.node()).rejects.toMatchObject({ code: 'network' });
    const fourth = vizprompt.chat({ prompt: 'd' });
    for await (const event of fourth) if (event.type === 'text') break;
    await expect(fourth.node()).rejects.toMatchObject({ code: 'aborted' });
  });

  it('continues an answer that was cut off', async () => {
    const cut = new LLMError('network', 'gone');
    const model = scriptedModel([
      { parts: [{ type: 'text', text: '一、二、' }], finishReason: 'length' },
      '三、四。',
      cut,
      'all of it',
    ]);
    const vizprompt = await openProject({ model });
    const node = await vizprompt.chat({ prompt: '数えて' }).node();
    const whole = await vizprompt.continue(node.id).node();
    expect(whole).toMatchObject({ id: node.id, response: '一、二、三、四。', status: 'done' });
    expect(model.calls[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect((await vizprompt.getFlow()).nodes).toHaveLength(1);

    await expect(vizprompt.chat({ prompt: 'x' }).node()).rejects.toBe(cut);
    const head = (await vizprompt.getFlow()).head ?? '';
    expect(await vizprompt.continue(head).node()).toMatchObject({
      response: 'all of it',
      status: 'done',
    });
  });

  it('sends pictures, and again when it is asked again', async () => {
    const model = scriptedModel(['タマです。', 'ミケです。']);
    const vizprompt = await openProject({ model });
    const data = new Uint8Array([1, 2, 3]);
    const attachments = [{ data, mediaType: 'image/png', fileName: 'cat.png' }];
    const node = await vizprompt.chat({ prompt: 'この猫は？', attachments }).node();
    await vizprompt.retry(node.id).node();
    for (const { messages } of model.calls) {
      const file = messages.at(-1)?.parts.find((part) => part.type === 'file');
      expect(file).toMatchObject({ mediaType: 'image/png', name: 'cat.png' });
      expect(Array.from(file?.data as Uint8Array)).toEqual([1, 2, 3]);
    }
  });

  it('keeps a prompt that fails once it is asked, and says so where nothing was written', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const keyless = createModelRegistry().model('openai:m');
    const vizprompt = await openProject();
    const early = vizprompt.chat({ prompt: '猫は？', model: keyless }).node();
    await expect(early).rejects.toMatchObject({
      code: 'auth',
      message: expect.stringMatching(/^nothing was written: .*OPENAI_API_KEY/),
    });
    expect(await vizprompt.listFlows()).toEqual([]);

    const late = vizprompt.chat({ prompt: '猫は？', model: compose(keyless, retry()) }).node();
    await expect(late).rejects.toMatchObject({ code: 'auth' });
    const [hit] = await vizprompt.searchNodes({});
    const kept = await vizprompt.getNode(hit?.id ?? '');
    expect(kept).toMatchObject({ prompt: '猫は？', response: '', status: 'failed' });
    const answered = await vizprompt.retry(kept.id, { model: scriptedModel(['はい']) }).node();
    expect(answered).toMatchObject({ prompt: '猫は？', response: 'はい' });
  });

  it('says what is missing', async () => {
    const vizprompt = await openProject();
    await expect(vizprompt.chat({ prompt: 'x' }).node()).rejects.toThrow('there is no model');
    await expect(
      vizprompt.retry('00000000-0000-4000-8000-000000000000').node(),
    ).rejects.toMatchObject({ code: 'node-not-found' });
    expect(await vizprompt.searchNodes({})).toEqual([]);
  });
});

describe('details on demand', () => {
  const secret = '合言葉は「夜の海」です。';

  async function longTalk(model: ReturnType<typeof scriptedModel>) {
    const vizprompt = await openProject({ model });
    const first = await vizprompt.createNode({ prompt: '合言葉は？', response: secret });
    for (let turn = 0; turn < 12; turn++) {
      await vizprompt.createNode({ prompt: `話題 ${turn}`, response: '長い話。'.repeat(60) });
    }
    await vizprompt.build({ model: null });
    return { vizprompt, first };
  }

  it('are given by a tool where the model has tools, and are part of the record', async () => {
    const call: Part = { type: 'tool-call', id: 'c1', name: 'show_node', input: { id: '1' } };
    const model = scriptedModel([[call], '夜の海です。'], { capabilities: { tools: true } });
    const { vizprompt, first } = await longTalk(model);
    const events = await eventsOf(vizprompt.chat({ prompt: '最初の話の中身は？', budget: 500 }));
    expect(events.filter(({ type }) => type === 'detail')).toEqual([
      { type: 'detail', ids: ['1'] },
    ]);
    expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(['show_node']);
    expect(JSON.stringify(model.calls[1]?.messages.at(-1))).toContain(secret);
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'answered', node: { response: '夜の海です。' } });
    const node = await vizprompt.getNode((await vizprompt.getFlow()).head ?? '');
    expect(node.responseParts).toMatchObject([
      { type: 'tool-call', tool: 'show_node' },
      { type: 'tool-result', tool: 'show_node', output: expect.stringContaining(secret) },
      { type: 'text', start: 0, end: 6 },
    ]);
    expect(first.response).toBe(secret);
  });

  it('are given in words otherwise, and only so often', async () => {
    const model = scriptedModel(() => '[1]の詳細を知りたい');
    const { vizprompt } = await longTalk(model);
    const node = await vizprompt
      .chat({ prompt: '最初の話の中身は？', budget: 500, maxDetails: 2 })
      .node();
    expect(model.calls).toHaveLength(3);
    expect(model.calls[0]?.tools).toBeUndefined();
    expect(model.calls[0]?.messages.map((message) => textOf(message)).join('\n')).toContain(
      '詳細を知りたい',
    );
    expect(textOf(model.calls[1]?.messages.at(-1) ?? [])).toContain(secret);
    expect(node.response).toBe('[1]の詳細を知りたい');
    expect(node.responseParts.filter(({ type }) => type === 'tool-result')).toHaveLength(2);
  });

  it.each([
    '「[番号]の詳細を知りたい」と指示できます。',
    'say "show me [number]"',
    '「[番号」の詳細を知りたい',
  ])('are not asked for by an answer that quotes how to ask: %s', async (answer) => {
    const model = scriptedModel(() => answer);
    const { vizprompt } = await longTalk(model);
    const node = await vizprompt.chat({ prompt: 'どう尋ねるのですか？', budget: 500 }).node();
    expect(model.calls).toHaveLength(1);
    expect(node.response).toBe(answer);
  });

  it('are asked for in words when the model turns out to have no tools', async () => {
    const model = scriptedModel(
      ({ tools }) => (tools ? new LLMError('unsupported', 'no tools') : 'ok'),
      { capabilities: { tools: true } },
    );
    const { vizprompt } = await longTalk(model);
    expect((await vizprompt.chat({ prompt: '続き' }).node()).response).toBe('ok');
  });

  it('are refused for nodes that are not there', async () => {
    const model = scriptedModel(['show me [99]', 'well']);
    const vizprompt = await openProject({ model });
    await vizprompt.chat({ prompt: 'hello there' }).node();
    expect(textOf(model.calls[1]?.messages.at(-1) ?? [])).toBe('There is no node [99].');
  });
});
