import { createTokenEstimator, LLMError, textOf, type ChatModel } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

describe('what a model asks for', () => {
  it('ends, also if the model keeps calling tools that it no longer has', async () => {
    const call = { type: 'tool-call', id: 'c', name: 'show_node', input: { id: '1' } } as const;
    const model = scriptedModel(
      Array.from({ length: 9 }, () => [call]),
      {
        capabilities: { tools: true },
      },
    );
    const vizprompt = await openProject({ model });
    await vizprompt.chat({ prompt: 'x', maxDetails: 2 }).node();
    expect(model.calls.map(({ tools }) => tools?.length)).toEqual([1, 1, undefined]);
  });

  it('has no more tokens than the budget, in all', async () => {
    const model = scriptedModel((_, at) => (at < 2 ? 'show me [1] and show me [2]' : 'thanks'));
    const vizprompt = await openProject({ model });
    await vizprompt.createNode({ prompt: 'long', response: 'one two three '.repeat(2000) });
    await vizprompt.createNode({ prompt: 'short', response: 'all of it' });
    await vizprompt.chat({ prompt: 'go on', budget: 1000 }).node();
    const given = (model.calls[2]?.messages ?? []).map((message) => textOf(message)).slice(-3);
    expect(given[0]).toContain('characters left out');
    expect(given[0]).toContain('all of it');
    const { tokens } = createTokenEstimator().count([given[0], given[2]].join(''));
    expect(tokens).toBeLessThanOrEqual(1000);
  });

  it('is refused where it was excluded, and so is what a retriever finds', async () => {
    const model = scriptedModel(['show me [1]', 'well then']);
    const vizprompt = await openProject({ model });
    const secret = await vizprompt.createNode({ prompt: 'the secret', response: 'is the night' });
    const apart = await vizprompt.createNode({ prompt: 'another secret' }, { after: null });
    const exclude = [secret.id, apart.id];
    const retriever = vizprompt.retriever();
    await vizprompt
      .chat({ prompt: 'what is the other secret?', from: secret.id, exclude, retriever })
      .node();
    expect(JSON.stringify(model.calls)).toContain('There is no node [1].');
    expect(JSON.stringify(model.calls)).not.toMatch(/the night|another secret/);
  });
});

describe('an answer', () => {
  const broken = (fail: () => void): ChatModel => {
    return {
      ...scriptedModel([]),
      async *stream() {
        yield { type: 'text-delta', index: 0, text: 'the begin' };
        fail();
      },
    };
  };

  it('that just stops coming is no whole answer', async () => {
    const vizprompt = await openProject({ model: broken(() => undefined) });
    const asked = vizprompt.chat({ prompt: 'x' }).node();
    await expect(asked).rejects.toMatchObject({ code: 'truncated' });
    const { head = '' } = await vizprompt.getFlow();
    const kept = { status: 'failed', response: 'the begin' };
    expect(await vizprompt.getNode(head)).toMatchObject(kept);
  });

  it('is marked as stopped whatever the model throws then', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const model = broken(() => {
      controller.abort();
      signal.throwIfAborted();
    });
    const vizprompt = await openProject({ model });
    await expect(vizprompt.chat({ prompt: 'x', signal }).node()).rejects.toThrow('aborted');
    const { head = '' } = await vizprompt.getFlow();
    const kept = { status: 'aborted', response: 'the begin' };
    expect(await vizprompt.getNode(head)).toMatchObject(kept);
  });

  it('that is continued becomes the head, and costs as much as both parts', async () => {
    const usage = { inputTokens: 10, outputTokens: 3 };
    const answer = (text: string) => ({ parts: [{ type: 'text' as const, text }], usage });
    const gone = new LLMError('network', 'gone');
    const model = scriptedModel([answer('one, '), gone, answer('two')]);
    const vizprompt = await openProject({ model });
    const first = await vizprompt.chat({ prompt: 'count' }).node();
    await expect(vizprompt.chat({ prompt: 'more' }).node()).rejects.toBe(gone);
    const whole = await vizprompt.continue(first.id).node();
    expect(whole.stats).toMatchObject({ user: { count: 20 }, assistant: { count: 6 } });
    expect((await vizprompt.getFlow()).head).toBe(first.id);
  });

  it('has estimated tokens where the model reports none, and none where nothing was said', async () => {
    const refused = new LLMError('rate_limit', 'slow down');
    const parts = [{ type: 'text' as const, text: 'one two three four' }];
    const vizprompt = await openProject({
      model: scriptedModel([{ parts, usage: {} }, refused]),
    });
    const { stats } = await vizprompt.chat({ prompt: 'count to four' }).node();
    expect(stats.user?.count).toBeGreaterThan(2);
    expect(stats.assistant?.count).toBeGreaterThan(2);
    await expect(vizprompt.chat({ prompt: 'more' }).node()).rejects.toBe(refused);
    const { head = '' } = await vizprompt.getFlow();
    expect((await vizprompt.getNode(head)).stats).toEqual({});
  });

  it('to an edited prompt has its files too', async () => {
    const model = scriptedModel(['a cat', 'a tabby']);
    const vizprompt = await openProject({ model });
    const attachments = [{ data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }];
    const node = await vizprompt.chat({ prompt: 'what is it', attachments }).node();
    const edited = await vizprompt.edit(node.id, 'which cat is it?').node();
    expect(edited.promptParts).toEqual(node.promptParts);
    expect(model.calls[1]?.messages.at(-1)?.parts.map(({ type }) => type)).toEqual([
      'text',
      'file',
    ]);
  });
});
