import type { NodePart, VizPrompt } from '@vizprompt/core';
import { LLMError, textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { openProject, testProject } from '../support/open-project.ts';

const EDITOR = 'あなたは「厳しい」編集者です。\r\n]]> \u0000 \ud83d مرحبا 🐈';

/** How instructions are kept. */
function kept(value: string): NodePart {
  return { type: 'data', kind: 'text', value, role: 'system' };
}

function recordingModel(...answers: readonly (string | LLMError)[]) {
  const model = scriptedModel((_, call) => answers[call] ?? `answer ${call}`);
  const told = (call: number): string[] => {
    const messages = model.calls[call]?.messages ?? [];
    return messages.flatMap((message) => (message.role === 'system' ? [textOf(message)] : []));
  };
  return { model, told };
}

async function headOf(vizprompt: VizPrompt): Promise<string> {
  return (await vizprompt.getFlow()).head ?? '';
}

describe('instructions', () => {
  it('come before all else, are stored as sent, and not sent again unasked', async () => {
    const { model, told } = recordingModel();
    const { vizprompt, reopen } = await testProject({ model });
    const node = await vizprompt.chat({ prompt: '読んで', instructions: EDITOR }).node();
    const [first] = model.calls[0]?.messages ?? [];
    expect([first?.role, first && textOf(first)]).toEqual(['system', EDITOR]);
    expect(node).toMatchObject({ prompt: '読んで', promptParts: [kept(EDITOR)] });
    const plain = await vizprompt.chat({ prompt: '次' }).node();
    expect(plain.promptParts).toEqual([]);
    expect(told(1).join('\n')).not.toContain('編集者');
    const again = await reopen();
    expect((await again.getNode(node.id)).promptParts).toEqual([kept(EDITOR)]);
    expect((await again.check()).findings).toEqual([]);
  });

  it('are on the disk before the model is asked', async () => {
    const { model } = recordingModel(new LLMError('network', 'gone'));
    const vizprompt = await openProject({ model });
    await expect(vizprompt.chat({ prompt: 'x', instructions: EDITOR }).node()).rejects.toThrow(
      'gone',
    );
    const node = await vizprompt.getNode(await headOf(vizprompt));
    expect(node).toMatchObject({ status: 'failed', promptParts: [kept(EDITOR)] });
  });

  it('are those of the node when it is asked again, unless others are given', async () => {
    const { model, told } = recordingModel();
    const vizprompt = await openProject({ model });
    const data = new Uint8Array([1, 2, 3]);
    const attachments = [{ data, mediaType: 'image/png', fileName: 'cat.png' }];
    const { id } = await vizprompt.chat({ prompt: '一', instructions: EDITOR, attachments }).node();
    const retried = await vizprompt.retry(id).node();
    const edited = await vizprompt.edit(id, '二', { instructions: '詩人です。' }).node();
    const freed = await vizprompt.retry(id, { instructions: '' }).node();
    expect([told(1), told(2), told(3)]).toEqual([[EDITOR], ['詩人です。'], []]);
    expect(retried.promptParts).toMatchObject([kept(EDITOR), { type: 'file' }]);
    expect(edited.promptParts).toMatchObject([kept('詩人です。'), { type: 'file' }]);
    expect(freed.promptParts).toMatchObject([{ type: 'file' }]);
    expect(model.calls.every(({ messages }) => messages.at(-1)?.parts.length === 2)).toBe(true);
  });

  it('stay the first message where a model turns out to have no tools', async () => {
    const model = scriptedModel(
      ({ tools }) => (tools ? new LLMError('unsupported', 'no tools') : 'はい。'),
      { capabilities: { tools: true } },
    );
    const vizprompt = await openProject({ model });
    await vizprompt.chat({ prompt: '猫は？', instructions: EDITOR }).node();
    const texts = model.calls[1]?.messages.map((message) => textOf(message));
    expect(texts).toEqual([EDITOR, expect.stringContaining('詳細を知りたい'), '猫は？']);
  });

  it('are the same when an answer continues, and stored next to it where they differ', async () => {
    const { model, told } = recordingModel('一、', '二、', '三、', '四、', '五。');
    const vizprompt = await openProject({ model });
    const { id } = await vizprompt.chat({ prompt: '数えて', instructions: EDITOR }).node();
    const plain = await vizprompt.continue(id).node();
    expect(plain).toMatchObject({ response: '一、二、', responseParts: [] });
    await vizprompt.continue(id, { instructions: '早口で。' }).node();
    await vizprompt.continue(id).node();
    const node = await vizprompt.continue(id, { instructions: '' }).node();
    expect([1, 2, 3, 4].map(told)).toEqual([[EDITOR], ['早口で。'], ['早口で。'], []]);
    expect(node.response).toBe('一、二、三、四、五。');
    expect(node.promptParts).toEqual([kept(EDITOR)]);
    const [before, after] = [node.responseParts[1], node.responseParts.at(-2)];
    expect([before, after]).toEqual([kept('早口で。'), kept('')]);
    const ranges = node.responseParts.flatMap((part) =>
      part.type === 'text' ? [node.response.slice(part.start, part.end)] : [],
    );
    expect(ranges).toEqual(['一、二、', '三、', '四、', '五。']);
  });

  it('go to other programs as a message of the system, and come back', async () => {
    const { model } = recordingModel('はい。');
    const vizprompt = await openProject({ model });
    await vizprompt.chat({ prompt: '問い', instructions: '短く。' }).node();
    const messages = await vizprompt.exportFlow('main', { format: 'openai' });
    expect(JSON.parse(messages)).toEqual([
      { role: 'system', content: '短く。' },
      { role: 'user', content: '問い' },
      { role: 'assistant', content: 'はい。' },
    ]);
    const json = await vizprompt.exportFlow('main', { format: 'json' });
    const other = await testProject();
    await other.vizprompt.importConversations(JSON.parse(json));
    const [hit] = await other.vizprompt.searchNodes({ text: '問い' });
    expect((await other.vizprompt.getNode(hit?.id ?? '')).promptParts).toEqual([kept('短く。')]);
  });

  it('that were imported belong to another model: they are not sent when it is asked again', async () => {
    const { model, told } = recordingModel();
    const vizprompt = await openProject({ model });
    await vizprompt.importConversations([
      { role: 'system', content: 'You are a pirate.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Arr!' },
    ]);
    const [hit] = await vizprompt.searchNodes({ text: 'Hello' });
    const node = await vizprompt.getNode(hit?.id ?? '');
    expect(node.promptParts[0]).toMatchObject({ role: 'system', value: 'You are a pirate.' });
    await vizprompt.retry(node.id).node();
    expect(told(0)).toEqual([]);
  });

  it('count towards the budget, and say so where they are too long for it', async () => {
    const { model } = recordingModel();
    const vizprompt = await openProject({ model });
    await vizprompt.createNode({ prompt: 'before', response: 'long. '.repeat(500) });
    const instructions = 'Answer in three lines. '.repeat(20);
    const { text, messages, report } = await vizprompt.buildContext({
      prompt: 'x',
      instructions,
      budget: 200,
    });
    expect(messages.map((message) => textOf(message))).toContain(instructions);
    expect(text.startsWith(`${instructions}\n\n`)).toBe(true);
    expect(Math.max(report.tokens, report.textTokens)).toBeLessThanOrEqual(200);
    const tooLong = vizprompt.chat({ prompt: 'x', instructions, budget: 50 }).node();
    await expect(tooLong).rejects.toThrow(
      /^the prompt and the instructions exceed the budget of 50 tokens by \d+$/,
    );
    expect((await vizprompt.getFlow()).nodes).toHaveLength(1);
    expect(model.calls).toEqual([]);
  });
});
