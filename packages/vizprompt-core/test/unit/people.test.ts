import { scriptedModel } from '@vizprompt/providers/testing';
import { LLMError, textOf } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

function answers(...texts: readonly string[]): ReturnType<typeof scriptedModel> {
  return scriptedModel(texts);
}

describe('a conversation of several people', () => {
  it('says in contexts who said what, where it is more than one', async () => {
    const vizprompt = await openProject({ model: answers('Tea.', 'Milk.', 'Both.') });
    await vizprompt.chat({ prompt: 'What do I like?', speaker: 'Ann', related: 0 }).node();
    const alone = await vizprompt.buildContext({ prompt: 'And?', speaker: 'Ann' });
    expect(alone.messages.map((message) => textOf(message))).toEqual([
      'What do I like?',
      'Tea.',
      'And?',
    ]);
    await vizprompt.chat({ prompt: 'And I?', speaker: 'ボブ', related: 0 }).node();
    const both = await vizprompt.buildContext({ prompt: 'And both?', speaker: 'Ann' });
    expect(both.messages.map((message) => textOf(message))).toEqual([
      'Ann: What do I like?',
      'Tea.',
      'ボブ: And I?',
      'Milk.',
      'Ann: And both?',
    ]);
    const { text } = await vizprompt.buildContext({ prompt: 'x', speaker: 'Ann', budget: 60 });
    expect(text).toContain('ボブ: And I?');
  });

  it('names agents where several answer, and the asking person in imports', async () => {
    const vizprompt = await openProject();
    await vizprompt.createNode({ prompt: 'Q', response: 'one', speaker: 'A', askedBy: 'Ann' });
    await vizprompt.createNode({
      prompt: 'hello there',
      promptParts: [
        { type: 'text', start: 0, end: 5, name: 'Ann' },
        { type: 'text', start: 6, end: 11, name: 'Bob' },
      ],
      response: 'two',
      speaker: 'B',
    });
    const { messages } = await vizprompt.buildContext({ prompt: 'x' });
    expect(messages.map((message) => textOf(message))).toEqual([
      'Ann: Q',
      'A: one',
      'Ann: hello Bob: there',
      'B: two',
      'x',
    ]);
  });

  it('keeps the asker of an answer that is generated again, and forgets a person', async () => {
    const vizprompt = await openProject({ model: answers('one', 'two') });
    const file = { data: new Uint8Array([1]), mediaType: 'image/png' };
    const node = await vizprompt
      .chat({ prompt: 'secret', speaker: 'Ann', attachments: [file] })
      .node();
    const again = await vizprompt.retry(node.id).node();
    expect(again.promptParts.map(({ type, name }) => [type, name])).toEqual([
      ['text', 'Ann'],
      ['file', 'Ann'],
    ]);
    await vizprompt.eraseSpeaker({ speaker: 'Ann' });
    expect((await vizprompt.getNode(again.id)).prompt).toBe('[erased]');
    expect((await vizprompt.getNode(again.id)).promptParts.map(({ type }) => type)).toEqual([
      'text',
    ]);
  });

  it('answers prompts of a flow one after the other on request', async () => {
    const vizprompt = await openProject({ model: answers('1', '2', '3') });
    const ask = (prompt: string): Promise<unknown> =>
      vizprompt.chat({ prompt, queue: true, related: 0 }).node();
    await Promise.all(['a', 'b', 'c'].map(ask));
    const flow = await vizprompt.getFlow();
    expect(flow.connections).toHaveLength(2);
    const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(nodes.map(({ prompt, response }) => prompt + response)).toEqual(['a1', 'b2', 'c3']);
  });

  it('continues after a prompt that fails, and without one that was stopped while it waited', async () => {
    const vizprompt = await openProject({
      model: scriptedModel([new LLMError('rate_limit', 'down'), 'ok']),
    });
    const stop = new AbortController();
    const first = vizprompt.chat({ prompt: 'a', queue: true }).node();
    const second = vizprompt.chat({ prompt: 'b', queue: true, signal: stop.signal }).node();
    const third = vizprompt.chat({ prompt: 'c', queue: true }).node();
    stop.abort();
    expect(await Promise.allSettled([first, second, third])).toMatchObject([
      { reason: { code: 'rate_limit' } },
      { reason: { code: 'aborted' } },
      { value: { response: 'ok' } },
    ]);
    expect((await vizprompt.getFlow()).nodes).toHaveLength(2);
  });
});
