import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltContext } from '@vizprompt/core';
import {
  createTokenEstimator,
  loadTokenCounter,
  textOf,
  type Passage,
  type Retriever,
} from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { storeTurns } from '../support/store-turns.ts';
import { openProject, testProject } from '../support/open-project.ts';

const LONG = 'Sentence about nothing in particular, which only makes this answer longer. '.repeat(
  6,
);

function formsOf({ report }: BuiltContext): string[] {
  return report.entries.map(({ label, form, reason }) => `${label} ${form} ${reason}`);
}

function rolesOf({ messages }: BuiltContext): string[] {
  return messages.map(({ role }) => role);
}

describe('a context', () => {
  it('is the prompt alone where there is nothing before it', async () => {
    const vizprompt = await openProject();
    const empty = await vizprompt.buildContext({ prompt: 'こんにちは' });
    expect(rolesOf(empty)).toEqual(['user']);
    expect(empty.report).toMatchObject({ entries: [], exact: false, budget: 8000 });
    await storeTurns(vizprompt, [['first', 'one']]);
    const none = await vizprompt.buildContext({ prompt: 'x', node: null });
    expect(rolesOf(none)).toEqual(['user']);
  });

  it('gives everything in full where it fits, in the form of a conversation', async () => {
    const vizprompt = await openProject();
    await storeTurns(vizprompt, [
      ['Give me three ideas.', '(A) a cat cafe, (B) a night library, (C) a floating sauna.'],
      ['Thanks!', 'You are welcome.'],
    ]);
    const context = await vizprompt.buildContext({ prompt: 'Take the second one.' });
    expect(formsOf(context)).toEqual(['1 full fits', '2 full before-prompt']);
    expect(rolesOf(context)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    const { report } = context;
    expect(report.tokens).toBe(report.everything.tokens);
    expect(report.entries.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(report.tokens);
  });

  it('otherwise gives the newest turns in full, and earlier ones as a line of prompt and answer', async () => {
    const vizprompt = await openProject();
    await storeTurns(vizprompt, [
      ['Where is the depot?', `The depot is in Kobe. ${LONG}`],
      ['What is the weather?', `It rains. ${LONG}`],
    ]);
    await vizprompt.build();
    await storeTurns(vizprompt, [
      ['How was lunch?', `Soup, again. ${LONG}`],
      ['And dinner?', 'Rice.'],
      ['And tea?', 'Green.'],
    ]);
    const context = await vizprompt.buildContext({ prompt: 'Thank you!', budget: 260 });
    expect(formsOf(context)).toEqual([
      '1 summary earlier',
      '2 summary earlier',
      '3 gist earlier',
      '4 full recent',
      '5 full before-prompt',
    ]);
    expect(rolesOf(context)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
    const [system, user, , , assistant, prompt] = context.messages.map((message) =>
      textOf(message),
    );
    expect(system).toContain('[1] Where is the depot? The depot is in Kobe.');
    expect(system).toContain('[3] How was lunch? Soup, again.');
    expect([user, assistant, prompt]).toEqual(['And dinner?', 'Green.', 'Thank you!']);
    const { report } = context;
    expect(report.tokens).toBeLessThan(report.everything.tokens);
    expect(report.entries.every(({ tokens }) => tokens > 0)).toBe(true);
  });

  it('gives those in full again that the prompt is about, after all that stays the same', async () => {
    const vizprompt = await openProject();
    await storeTurns(vizprompt, [
      ['倉庫の話をしましょう。', `${LONG}リチウム電池の棚は十七番です。`],
      ['天気は？', `雨です。${LONG.repeat(8)}`],
      ['昼食は？', LONG],
    ]);
    const budget = 600;
    const before = await vizprompt.buildContext({ prompt: '続けて', budget });
    const context = await vizprompt.buildContext({
      prompt: 'リチウム電池はどの棚ですか？',
      budget,
    });
    expect(formsOf(context)).toEqual(['1 full relevant', '2 gist earlier', '3 full before-prompt']);
    expect(context.messages.slice(0, -2)).toEqual(before.messages.slice(0, -1));
    expect(textOf(context.messages.at(-2)?.parts ?? [])).toMatch(/^参照情報:\n\[1\][^]*十七番/);
    expect(textOf(context.messages[0]?.parts ?? [])).toMatch(/^詳細情報が必要な場合は/);
  });

  it('does not summarize what a node said before it was edited', async () => {
    const vizprompt = await openProject();
    const [first] = await storeTurns(vizprompt, [
      ['The code is 1234.', LONG.repeat(4)],
      ['ok', 'ok'],
    ]);
    await vizprompt.build();
    await vizprompt.updateNode(first?.id ?? '', { prompt: 'The code is 5678.' });
    const context = await vizprompt.buildContext({ prompt: 'x', budget: 200 });
    expect(formsOf(context)[0]).toBe('1 gist earlier');
    expect(context.text).toContain('5678');
    expect(context.text).not.toContain('1234');
  });

  it('has each ancestor of a merge once, the line of the main parent first', async () => {
    const vizprompt = await openProject();
    const make = async (name: string, after: string[] | null): Promise<string> =>
      (await vizprompt.createNode({ prompt: name, response: LONG }, { after, flow: 'main' })).id;
    const root = await make('root', null);
    const a = await make('a', [root]);
    const b = await make('b', [root]);
    const b2 = await make('b2', [b]);
    const merge = await make('merge', [b2, a]);
    const order = (context: BuiltContext): string[] => context.report.entries.map(({ id }) => id);
    expect(order(await vizprompt.buildContext({ prompt: 'x' }))).toEqual([root, b, b2, a, merge]);
    const both = await vizprompt.buildContext({ prompt: 'x', node: [a, b2] });
    expect(order(both)).toEqual([root, a, b, b2]);
    expect(formsOf(both)).toEqual([
      '1 full fits',
      '2 full before-prompt',
      '3 full fits',
      '4 full before-prompt',
    ]);
  });

  it('takes the flow of the node, and says what does not exist', async () => {
    const vizprompt = await openProject();
    const flow = await vizprompt.createFlow({ name: 'other' });
    const node = await vizprompt.createNode({ prompt: 'there' }, { flow: flow.id });
    const context = await vizprompt.buildContext({ prompt: 'x', node: node.id });
    expect(context.report.flow).toBe(flow.id);
    for (const [bad, code] of [
      [{ flow: 'nowhere' }, 'flow-not-found'],
      [{ flow: 'other', node: '9' }, 'node-not-found'],
      [{ pin: ['9'] }, 'node-not-found'],
      [{ references: ['9'] }, 'node-not-found'],
      [{ pin: [node.id], exclude: [node.id] }, 'invalid-input'],
      [{ budget: 0 }, 'invalid-input'],
      [{ budget: 3 }, 'invalid-input'],
    ] as const) {
      const building = vizprompt.buildContext({ prompt: 'a prompt', ...bad });
      await expect(building).rejects.toMatchObject({ code });
    }
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(vizprompt.buildContext({ prompt: 'x', signal })).rejects.toThrow('enough');
    await vizprompt.close();
    await expect(vizprompt.buildContext({ prompt: 'x' })).rejects.toMatchObject({ code: 'closed' });
  });

  it('leaves out what is excluded, and nodes whose file is gone', async () => {
    const { vizprompt, folder } = await testProject();
    const nodes = await storeTurns(vizprompt, [
      ['secret one', LONG],
      ['two', LONG],
      ['three', LONG],
    ]);
    await rm(join(folder, nodes[1]?.file ?? ''));
    await vizprompt.refresh();
    const exclude = [nodes[0]?.id ?? ''];
    const context = await vizprompt.buildContext({ prompt: 'secret', exclude });
    expect(formsOf(context)).toEqual([
      '1 dropped excluded',
      '2 dropped missing',
      '3 full before-prompt',
    ]);
    expect(JSON.stringify(context.messages.slice(0, -1))).not.toContain('secret');
    const bare = await vizprompt.buildContext({ prompt: 'x', exclude: nodes.map(({ id }) => id) });
    expect(rolesOf(bare)).toEqual(['user']);
  });
});

describe('references, pins and passages', () => {
  it('are given in full, ancestors or not, with their tags', async () => {
    const vizprompt = await openProject();
    const away = await vizprompt.createNode(
      { prompt: 'elsewhere', response: 'the answer', tags: ['猫', 'cat'] },
      { flow: null },
    );
    const [first, second] = await storeTurns(vizprompt, [
      ['one', LONG],
      ['two', LONG],
      ['three', LONG],
      ['four', LONG],
    ]);
    const context = await vizprompt.buildContext({
      prompt: 'x',
      references: [away.id, first?.id ?? ''],
      pin: [second?.id ?? ''],
    });
    expect(formsOf(context)).toEqual([
      '1 full reference',
      '2 full pinned',
      '3 full fits',
      '4 full before-prompt',
      'A full reference',
    ]);
    expect(context.text).toContain('3. References:\n[A]: #猫 #cat\nUser: elsewhere');
    expect(textOf(context.messages[0]?.parts ?? [])).toContain('Assistant: the answer');
    expect(context.report.entries.at(-1)).toMatchObject({ id: away.id, isAncestor: false });
  });

  it('say by how much pins exceed the budget', async () => {
    const vizprompt = await openProject();
    const nodes = await storeTurns(vizprompt, [
      ['one', LONG],
      ['two', LONG],
      ['three', 'short'],
    ]);
    const pin = nodes.slice(0, 2).map(({ id }) => id);
    const failure: unknown = await vizprompt
      .buildContext({ prompt: 'x', pin, budget: 150 })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid-input' });
    const excess = Number(/exceed the budget of 150 tokens by (\d+)/.exec(String(failure))?.[1]);
    const fits = await vizprompt.buildContext({ prompt: 'x', pin, budget: 150 + excess });
    expect(fits.messages.filter((message) => textOf(message) === LONG)).toHaveLength(2);
    const tooSmall = vizprompt.buildContext({ prompt: 'x', pin, budget: 149 + excess });
    await expect(tooSmall).rejects.toThrow('tokens by 1');
    await expect(vizprompt.buildContext({ prompt: LONG, budget: 9 })).rejects.toThrow('exceeds');
  });

  it('come from a retriever, which goes before shared words', async () => {
    const vizprompt = await openProject();
    const [first] = await storeTurns(vizprompt, [
      ['The dog of the mayor', LONG],
      ['two', LONG.repeat(8)],
      ['three', LONG],
    ]);
    const passage = (id: string, text: string, kind = 'node'): Passage => {
      return { id, text, score: 1, source: { kind, uri: id } };
    };
    const retriever: Retriever = {
      specVersion: 1,
      retrieve: async () => [
        passage(first?.id ?? '', ''),
        passage('d', 'From a book.', 'document'),
      ],
    };
    const context = await vizprompt.buildContext({ prompt: 'his pet', retriever, budget: 600 });
    expect(formsOf(context)).toEqual([
      '1 full relevant',
      '2 gist earlier',
      '3 full before-prompt',
      'A full retrieved',
    ]);
    expect(context.text).toContain('[A]: From a book.');
  });

  it('lose no attachment silently', async () => {
    const vizprompt = await openProject();
    const attachments = [{ data: Buffer.from('x'), mediaType: 'image/png', fileName: '猫.png' }];
    const away = await vizprompt.createNode({ prompt: 'there', attachments }, { flow: null });
    const old = await vizprompt.createNode({ prompt: 'old', attachments });
    const last = await vizprompt.createNode({ prompt: 'look', attachments });
    const { report } = await vizprompt.buildContext({ prompt: 'x', references: [away.id] });
    expect(report.attachments.map(({ node, part }) => [node, part.fileName])).toEqual([
      [last.id, '猫.png'],
      [old.id, '猫.png'],
      [away.id, '猫.png'],
    ]);
  });
});

describe('a budget', () => {
  it('cuts a node that alone exceeds it in its middle, with a mark', async () => {
    const vizprompt = await openProject();
    const family = '👨‍👩‍👧‍👦';
    const huge = `始まり${`${family}吾輩は猫である。\ud800`.repeat(500)}終わり`;
    await storeTurns(vizprompt, [
      ['以前', 'はい'],
      ['長い文書です', huge],
    ]);
    const counter = await loadTokenCounter();
    const context = await vizprompt.buildContext({ prompt: '要約して', budget: 500, counter });
    expect(formsOf(context)[1]).toBe('2 cut before-prompt');
    const answer = textOf(context.messages.at(-2)?.parts ?? []);
    expect(answer).toMatch(/^始まり.*\n\[… \d+文字を省略 …\]\n.*終わり$/su);
    const [head = '', tail = ''] = answer.split(/\n\[.*\]\n/u);
    expect(huge.startsWith(head) && huge.endsWith(tail)).toBe(true);
    const cut = Number(/(\d+)文字/.exec(answer)?.[1]);
    expect(head.length + cut + tail.length).toBe(huge.length);
    expect(head).not.toMatch(/\u200d$/);
    expect(tail).not.toMatch(/^[\u200d\udc00-\udfff]/);
    expect(context.report.exact).toBe(true);
    expect(context.report.tokens).toBeGreaterThan(400);
  });

  it('joins old summaries into ranges, and in the end drops them', async () => {
    const vizprompt = await openProject();
    const turns = Array.from({ length: 60 }, (_, at) => [`Turn ${at} on cats`, LONG] as const);
    await storeTurns(vizprompt, turns);
    await vizprompt.build();
    const forms = async (budget: number): Promise<Set<string>> => {
      const { report } = await vizprompt.buildContext({ prompt: 'ok', budget });
      expect(report.tokens).toBeLessThanOrEqual(budget);
      return new Set(report.entries.map(({ form }) => form));
    };
    expect(await forms(20_000)).toEqual(new Set(['full']));
    expect(await forms(5000)).toEqual(new Set(['summary', 'full']));
    expect(await forms(1500)).toEqual(new Set(['range', 'summary', 'full']));
    expect(await forms(90)).toEqual(new Set(['dropped', 'cut']));
    const { messages, report } = await vizprompt.buildContext({ prompt: 'ok', budget: 1500 });
    expect(textOf(messages[0]?.parts ?? [])).toMatch(/\n\[1–\d+\] /);
    const everything = report.everything.tokens;
    const all = await vizprompt.buildContext({
      prompt: 'ok',
      budget: 20_000,
      pin: report.entries.map(({ id }) => id),
    });
    expect(Math.abs(all.report.everything.tokens / everything - 1)).toBeLessThan(0.2);
    expect(all.report.tokens).toBe(all.report.everything.tokens);
  });

  it('leaves the beginning as it is while a conversation grows', async () => {
    const vizprompt = await openProject();
    const ids: string[] = [];
    for (let at = 0; at < 40; at++) {
      const prompt = `Question ${at} about ${['cats', 'rain', 'ships', 'tea'][at % 4]}`;
      ids.push((await vizprompt.createNode({ prompt, response: LONG })).id);
    }
    await vizprompt.build();
    const kept: number[] = [];
    let previous: readonly string[] = [];
    for (const [at, node] of ids.entries()) {
      if (at < 10) continue;
      const { messages } = await vizprompt.buildContext({
        node,
        prompt: `And what of ${['ships', 'rain'][at % 2]} in question ${at}?`,
        budget: 1500,
      });
      const sent = messages.map((message) => `${message.role}: ${textOf(message)}`);
      // All that was sent before, but what the prompt was about and the prompt.
      const stable = previous.filter((text) => !/^user: (?:And what|References)/.test(text));
      const isKept = stable.every((text, place) => sent[place] === text);
      if (previous.length > 0) kept.push(isKept ? 1 : 0);
      previous = sent;
    }
    const rewritten = kept.filter((share) => share < 1);
    expect(rewritten.length).toBeLessThan(kept.length / 3);
    expect(rewritten.length).toBeGreaterThan(0);
  });

  it('counts with what it is given', async () => {
    const vizprompt = await openProject();
    await storeTurns(vizprompt, [
      ['one', 'eins'],
      ['two', 'zwei'],
    ]);
    const estimator = createTokenEstimator();
    const counted: string[] = [];
    const counter = {
      count: (text: string) => {
        counted.push(text);
        return { tokens: estimator.count(text).tokens * 3, exact: false };
      },
    };
    const tripled = await vizprompt.buildContext({ prompt: 'three', counter });
    const plain = await vizprompt.buildContext({ prompt: 'three' });
    expect(counted).toContain('three');
    expect(tripled.report.tokens).toBeGreaterThan(plain.report.tokens * 1.3);
  });
});
