import { FlowGraph, VizPrompt } from '@vizprompt/core';
import type { Part, Turn } from '@vizprompt/providers';
import { inMemoryStorage, localFileStore } from '@vizprompt/providers/node';
import { JSDOM } from 'jsdom';
import { describe, expect, it } from 'vitest';
import { openProject, record, testProject } from '../support/open-project.ts';

function turn(id: string, follows: readonly string[], more: Partial<Turn> = {}): Turn {
  return {
    id,
    conversationId: '討論 1',
    follows,
    kind: 'turn',
    status: 'done',
    speaker: 'A',
    input: [{ type: 'text', text: `問い ${id}` }],
    output: [{ type: 'text', text: `答え ${id}` }],
    startedAt: '2026-01-31T12:00:00.000+09:00',
    endedAt: '2026-01-31T12:00:02.000+09:00',
    ...more,
  };
}

describe('a recorder', () => {
  it('makes a flow of a conversation, branches of parallel turns, and merges', async () => {
    const vizprompt = await openProject();
    const recorder = vizprompt.recorder();
    await recorder.record(turn('1', []));
    await Promise.all(['2', '3', '4'].map((id) => recorder.record(turn(id, ['1']))));
    await recorder.record(turn('5', ['2', '3', '4'], { kind: 'aggregate', speaker: 'judge' }));
    const [flow] = await vizprompt.listFlows();
    expect(flow).toMatchObject({ name: '討論 1', nodes: 5, connections: 6 });
    const graph = new FlowGraph(await vizprompt.getFlow('討論 1'));
    const [root = ''] = graph.roots();
    const [leaf = ''] = graph.leaves();
    expect(graph.children(root)).toHaveLength(3);
    expect(graph.parents(leaf)).toHaveLength(3);
    expect(await vizprompt.getNode(leaf)).toMatchObject({
      prompt: '問い 5',
      response: '答え 5',
      speaker: 'judge',
      tags: ['aggregate'],
      source: 'turn:討論 1:5',
    });
  });

  it('replaces a turn that is recorded again, and keeps what was found out about it', async () => {
    const { heard, on } = record();
    const vizprompt = await openProject({ on });
    const recorder = vizprompt.recorder();
    await recorder.record(turn('1', [], { status: 'pending', output: [] }));
    const [{ id } = { id: '' }] = (await vizprompt.getFlow('討論 1')).nodes;
    expect(await vizprompt.getNode(id)).toMatchObject({ status: 'pending', response: '' });
    await vizprompt.updateNode(id, { tags: ['mine'] });
    const usage = { inputTokens: 10, outputTokens: 4 };
    const times = { startedAt: '2026-01-31T12:00:05Z', endedAt: '2026-01-31T12:00:07Z' };
    await recorder.record(turn('1', [], { usage, model: 'ollama:m', ...times }));
    const node = await vizprompt.getNode(id);
    // It is asked again at another time, and stays where it is in the map.
    expect(node.timestamp).toBe('2026-01-31T12:00:00.000+09:00');
    const { findings } = await vizprompt.check();
    expect(findings.filter(({ code }) => code === 'map-drift')).toEqual([]);
    expect(node.status).toBeUndefined();
    expect(node).toMatchObject({ response: '答え 1', tags: ['mine'], model: 'ollama:m' });
    expect(node.stats).toEqual({
      user: { count: 10, duration: 0, rate: 0 },
      assistant: { count: 4, duration: 2, rate: 2 },
    });
    expect(heard.filter(([name]) => name === 'node:created')).toHaveLength(1);
    expect((await vizprompt.listFlows())[0]?.nodes).toBe(1);
  });

  it('finds what a process wrote that died before it was known', async () => {
    const { vizprompt, folder } = await testProject();
    await using rest = await inMemoryStorage();
    const files = await localFileStore(folder);
    // The files are common; what is known of them is each one's own.
    await using other = await VizPrompt.open({ storage: { ...rest, files } });
    await other.recorder().record(turn('1', [], { status: 'pending', output: [] }));
    await vizprompt.recorder().record(turn('1', []));
    await other.recorder().record(turn('2', ['1'], { status: 'pending', output: [] }));
    await vizprompt.recorder().record(turn('2', ['1']));
    const [flow, ...others] = await vizprompt.listFlows();
    expect(others).toEqual([]);
    expect(flow).toMatchObject({ nodes: 2, connections: 1 });
    expect((await vizprompt.check()).findings).toEqual([]);
    const { nodes } = await vizprompt.getFlow('討論 1');
    const found = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(found.map(({ response }) => response)).toEqual(['答え 1', '答え 2']);
  });

  it('moves a turn that followed others than was thought, and refuses circles', async () => {
    const vizprompt = await openProject();
    const recorder = vizprompt.recorder();
    await recorder.record(turn('1', []));
    await recorder.record(turn('2', ['1']));
    await recorder.record(turn('3', ['2']));
    await recorder.record(turn('3', ['1']));
    const graph = new FlowGraph(await vizprompt.getFlow('討論 1'));
    expect(graph.children(graph.roots()[0] ?? '')).toHaveLength(2);
    await expect(recorder.record(turn('1', ['3']))).rejects.toMatchObject({ code: 'cycle' });
    await expect(recorder.record(turn('9', ['7']))).rejects.toThrow(
      "the turn '9' follows '7', which was not recorded in '討論 1'",
    );
  });

  it('names turns by who speaks, in maps and pages', async () => {
    const vizprompt = await openProject();
    const recorder = vizprompt.recorder();
    await recorder.record(turn('1', [], { speaker: '司会\n者' }));
    await recorder.record(turn('2', ['1'], { speaker: '<b>犬派</b>', output: [] }));
    await vizprompt.addNodeToFlow('討論 1', (await vizprompt.createNode({ prompt: '問い' })).id);
    const titles = ['1 司会 者: 答え 1', '2 <b>犬派</b>: 問い 2', '3 問い'];
    expect(await vizprompt.toText('討論 1')).toBe(
      titles.map((title, at) => `${at === 2 ? '*' : '●'} ${title}\n`).join(''),
    );
    const { document } = new JSDOM(await vizprompt.exportFlow('討論 1', { format: 'html' }), {
      runScripts: 'dangerously',
      beforeParse: (page) => void (page.Element.prototype.scrollIntoView = () => {}),
    }).window;
    const links = [...document.querySelectorAll<HTMLElement>('li a')];
    expect(links.map(({ textContent }) => textContent)).toEqual(titles);
    links[1]?.click();
    const article = document.querySelector('article');
    expect(article?.querySelector('.facts')?.textContent).toMatch(/^<b>犬派<\/b> · /);
    expect([...(article?.querySelectorAll('h3') ?? [])].map((h3) => h3.textContent)).toEqual([
      'プロンプト',
      '<b>犬派</b>',
    ]);
    const markdown = await vizprompt.exportFlow('討論 1', { format: 'markdown' });
    expect(markdown).toContain('## 1. 司会 者: 答え 1\n\n司会 者 · 2026-01-31');
    // Search, merges and continuations still use its prompt.
    expect((await vizprompt.searchNodes({ text: '答え' })).map(({ title }) => title)).toContain(
      '問い 1',
    );
  });

  it('names a turn in which nothing was said yet by who is to speak', async () => {
    const vizprompt = await openProject();
    const recorder = vizprompt.recorder();
    const silent = { speaker: '審判', input: [], output: [], status: 'pending' } as const;
    await recorder.record(turn('1', [], silent));
    const titles = async (): Promise<string[]> =>
      (await vizprompt.searchNodes({})).map(({ title }) => title);
    expect([await titles(), await vizprompt.toText('討論 1')]).toEqual([['審判'], '* 1 審判\n']);
    const said: Part[] = [{ type: 'text', text: '\n　猫派の\n勝ち。' }];
    await recorder.record(turn('1', [], { ...silent, output: said, status: 'done' }));
    expect(await titles()).toEqual(['猫派の 勝ち。']);
    expect(await vizprompt.toText('討論 1')).toBe('* 1 審判: 猫派の 勝ち。\n');
  });

  it('refuses a time that no file could say, and writes nothing', async () => {
    const vizprompt = await openProject();
    const recording = vizprompt.recorder().record(turn('1', [], { startedAt: 'yesterday' }));
    await expect(recording).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(recording).rejects.toThrow("timestamp: 'yesterday' is no time of ISO 8601");
    expect(await vizprompt.listFlows()).toEqual([]);
  });

  it('keeps thoughts, tools, files and errors', async () => {
    const { vizprompt, read } = await testProject();
    const output: Part[] = [
      { type: 'reasoning', text: '考える', meta: { gemini: { thoughtSignature: 's' } } },
      { type: 'text', text: '一' },
      { type: 'tool-call', id: 'c', name: 'search', input: { q: '猫' } },
      { type: 'tool-result', id: 'c', name: 'search', output: ['タマ'], isError: true },
      { type: 'text', text: '二' },
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]), name: 'a.png' },
    ];
    const error = { name: 'LLMError', code: 'network', message: 'gone', context: {} };
    await vizprompt.recorder().record(turn('1', [], { output, status: 'failed', error }));
    const [{ id } = { id: '' }] = (await vizprompt.getFlow('討論 1')).nodes;
    const node = await vizprompt.getNode(id);
    expect(node).toMatchObject({ status: 'failed', response: '一\n\n二' });
    expect(node.responseParts).toMatchObject([
      { type: 'reasoning', text: '考える', meta: { gemini: { thoughtSignature: 's' } } },
      { type: 'text', start: 0, end: 1 },
      { type: 'tool-call', tool: 'search', input: { q: '猫' } },
      { type: 'tool-result', tool: 'search', output: ['タマ'], isError: true },
      { type: 'text', start: 3, end: 4 },
      { type: 'file', fileName: 'a.png', size: 3 },
      { type: 'data', kind: 'error', value: { code: 'network' } },
    ]);
    const file = node.responseParts.find((part) => part.type === 'file');
    expect(await read(file?.path ?? '')).toBe('\u0001\u0002\u0003');
  });
});

describe('a retriever', () => {
  it('finds nodes as passages, with filters', async () => {
    const vizprompt = await openProject();
    await vizprompt.createNode({ prompt: '猫の認証', response: 'JWTを使う', tags: ['設計'] });
    await vizprompt.createNode({ prompt: '犬の認証', response: 'セッション', tags: ['運用'] });
    const retriever = vizprompt.retriever();
    const passages = await retriever.retrieve('認証', { k: 5 });
    expect(passages.map(({ text }) => text).toSorted()).toEqual([
      '犬の認証\n\nセッション',
      '猫の認証\n\nJWTを使う',
    ]);
    const [only, none] = await retriever.retrieve('認証', { filter: { tags: '設計' } });
    expect(only).toMatchObject({ title: '猫の認証', source: { kind: 'node', uri: only?.id } });
    expect(none).toBeUndefined();
    await expect(retriever.retrieve('x', { filter: { flow: 'a' } })).rejects.toThrow(
      "nodes cannot be filtered by 'flow'",
    );
    await expect(retriever.retrieve('x', { signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    );
  });
});

it('refuses what is no turn, as plain JavaScript passes it', async () => {
  const vizprompt = await openProject();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
  const half = { id: '1' } as Turn;
  await expect(vizprompt.recorder().record(half)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/^the turn of record: expected a turn with id, /),
  });
});
