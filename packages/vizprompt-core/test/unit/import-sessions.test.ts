import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayJournal } from '../../src/import/vscode-journal.ts';
import { openProject, shapeOf, testProject, type TestProject } from '../support/open-project.ts';

const lines = (records: readonly unknown[]): string =>
  records.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');

/** Imports lines, twice: the second time must add nothing. */
async function importLines(
  records: readonly unknown[],
): Promise<TestProject & { readonly warnings: string[]; readonly messages: number }> {
  const project = await testProject();
  await project.write('session.jsonl', lines(records));
  const file = join(project.folder, 'session.jsonl');
  const report = await project.vizprompt.importConversations(file);
  expect(report.conversations).toMatchObject({ total: 1, imported: 1 });
  const again = await project.vizprompt.importConversations(file);
  expect(again).toMatchObject({
    conversations: { unchanged: 1 },
    nodes: { created: 0, updated: 0 },
    connections: { created: 0 },
  });
  return {
    ...project,
    warnings: report.warnings.map(({ reason }) => reason),
    messages: report.messages.total,
  };
}

describe('a session of pi', () => {
  const time = '2026-01-02T03:04:05.678Z';
  const session = { type: 'session', version: 3, id: 's-1', timestamp: time, cwd: '/work' };
  const said = (id: string, parentId: string | null, message: object): object => ({
    type: 'message',
    id,
    parentId,
    timestamp: time,
    message,
  });
  const answer = (text: string, extra: object = {}): object => ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    model: 'claude-sonnet',
    stopReason: 'stop',
    ...extra,
  });

  it('becomes pairs along its tree; entries that say nothing are passed', async () => {
    const { vizprompt, messages, warnings } = await importLines([
      session,
      { type: 'model_change', id: 'm', parentId: null, timestamp: time, modelId: 'x' },
      said('u1', 'm', { role: 'user', content: '質問 🐈' }),
      said(
        'a1',
        'u1',
        answer('見る', {
          content: [
            { type: 'thinking', thinking: '考え', thinkingSignature: 's' },
            { type: 'text', text: '見る' },
            { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' } },
          ],
        }),
      ),
      said('t1', 'a1', {
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'read',
        content: [{ type: 'text', text: '中身' }],
        isError: true,
      }),
      said('a2', 't1', answer('見た')),
      { type: 'label', id: 'l', parentId: 'a2', timestamp: time, targetId: 'u1', label: '始まり' },
      said('u2', 'l', { role: 'user', content: [{ type: 'text', text: '続き' }] }),
      said('a3', 'u2', answer('', { stopReason: 'aborted' })),
      {
        type: 'branch_summary',
        id: 'b',
        parentId: 'a2',
        timestamp: time,
        fromId: 'a3',
        summary: '要約',
      },
      said('u3', 'b', { role: 'user', content: '別の道' }),
      said('x', 'u3', { role: 'bashExecution', command: 'ls', output: '' }),
      said('a4', 'x', answer('はい')),
      { type: 'session_info', id: 'i', parentId: 'a4', timestamp: time, name: '猫の仕事' },
    ]);
    expect(warnings).toEqual([]);
    expect(messages).toBe(10);
    expect(await shapeOf(vizprompt)).toEqual({
      nodes: ['質問 🐈 / 見る\n\n見た', '続き / ', '別の道 / はい'],
      edges: ['質問 🐈 / 見る\n\n見た → 続き / ', '質問 🐈 / 見る\n\n見た → 別の道 / はい'],
    });
    const flow = await vizprompt.getFlow('猫の仕事');
    expect(flow).toMatchObject({ source: 'pi:s-1', created: time });
    const [first, second] = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(first?.responseParts).toMatchObject([
      { type: 'reasoning', text: '考え' },
      { type: 'text' },
      { type: 'tool-call', id: 'c', tool: 'read', input: { path: 'a' } },
      { type: 'tool-result', id: 'c', tool: 'read', isError: true },
      { type: 'text' },
    ]);
    expect(first?.promptParts).toContainEqual(
      expect.objectContaining({ kind: 'label', value: '始まり' }),
    );
    expect(second?.status).toBe('aborted');
  });

  it('may be of version 1, without links, and end in a line that was being written', async () => {
    const { vizprompt, warnings } = await importLines([
      { ...session, version: undefined },
      { type: 'message', timestamp: time, message: { role: 'user', content: 'Q' } },
      { type: 'message', timestamp: time, message: answer('A') },
      '{"type":"mess',
    ]);
    expect((await shapeOf(vizprompt)).nodes).toEqual(['Q / A']);
    expect(warnings).toEqual([expect.stringMatching(/^session\.jsonl, line 4: it is no JSON/)]);
  });

  it('is separated from the next where several are in one file', async () => {
    const { vizprompt, folder, write } = await testProject();
    const row = said('u', null, { role: 'user', content: 'Q' });
    await write('all.jsonl', lines([session, row, { ...session, id: 's-2' }, row]));
    const report = await vizprompt.importConversations(join(folder, 'all.jsonl'));
    expect(report.conversations).toMatchObject({ total: 2, imported: 2 });
  });
});

describe('a session of Claude Code', () => {
  const entry = (uuid: string, parentUuid: string | null, extra: object): object => ({
    uuid,
    parentUuid,
    sessionId: 's-1',
    isSidechain: false,
    timestamp: '2026-01-02T03:04:05.678Z',
    ...extra,
  });
  const user = (
    uuid: string,
    parent: string | null,
    content: unknown,
    extra: object = {},
  ): object => entry(uuid, parent, { type: 'user', message: { role: 'user', content }, ...extra });
  const model = (uuid: string, parent: string, id: string, block: object): object =>
    entry(uuid, parent, {
      type: 'assistant',
      message: { id, role: 'assistant', model: 'claude-sonnet', content: [block] },
    });
  const call = (id: string): object => ({
    type: 'tool_use',
    id,
    name: 'Read',
    input: { file: id },
  });
  const result = (id: string): object[] => [
    { type: 'tool_result', tool_use_id: id, content: `中身 ${id}` },
  ];
  const text = (content: string): object => ({ type: 'text', text: content });

  it('becomes pairs along its tree: an answer in pieces, tools, a rewind', async () => {
    const { vizprompt, messages, warnings } = await importLines([
      { type: 'summary', summary: 'of another session', leafUuid: 'elsewhere' },
      { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
      user('u1', null, '猫を直して 🐈'),
      model('a1', 'u1', 'm1', { type: 'thinking', thinking: '', signature: 'abc' }),
      model('a2', 'a1', 'm1', text('読みます')),
      model('a3', 'a2', 'm1', call('t1')),
      entry('p1', 'a3', { type: 'progress', data: { type: 'hook_progress' } }),
      user('r1', 'p1', result('t1'), { toolUseResult: { type: 'text', file: '猫.ts' } }),
      model('a4', 'r1', 'm2', text('直しました')),
      entry('s1', 'a4', { type: 'system', subtype: 'turn_duration', durationMs: 9 }),
      user('u2', 's1', [text('続き')]),
      user('u2b', 's1', '言い直し'),
      model('a5', 'u2b', 'm3', text('はい')),
    ]);
    expect(warnings).toEqual([
      'entries that say nothing were left out: 1 file-history-snapshot, 1 progress',
    ]);
    expect(messages).toBe(10);
    expect(await shapeOf(vizprompt)).toEqual({
      nodes: ['猫を直して 🐈 / 読みます\n\n直しました', '続き / ', '言い直し / はい'],
      edges: [
        '猫を直して 🐈 / 読みます\n\n直しました → 続き / ',
        '猫を直して 🐈 / 読みます\n\n直しました → 言い直し / はい',
      ],
    });
    const [summary] = await vizprompt.listFlows();
    const flow = await vizprompt.getFlow(summary?.id);
    expect(flow).toMatchObject({ name: '猫を直して 🐈', source: 'claude-code:s-1' });
    const node = await vizprompt.getNode(flow.nodes[0]?.id ?? '');
    expect(node.model).toBe('claude-sonnet');
    expect(node.responseParts).toMatchObject([
      { type: 'reasoning', text: '', meta: { signature: 'abc' } },
      { type: 'text' },
      { type: 'tool-call', id: 't1', tool: 'Read', input: { file: 't1' } },
      { type: 'tool-result', id: 't1', output: '中身 t1', role: 'tool' },
      { type: 'data', kind: 'toolUseResult', value: { file: '猫.ts' }, role: 'tool' },
      { type: 'text' },
    ]);
    const next = await vizprompt.getNode(flow.nodes[1]?.id ?? '');
    expect(next.promptParts).toMatchObject([
      { type: 'data', kind: 'system', role: 'system', value: { subtype: 'turn_duration' } },
      { type: 'text' },
    ]);
  });

  it('has one answer where tools ran at the same time, however their results hang', async () => {
    const { vizprompt } = await importLines([
      user('u1', null, 'Q'),
      model('a1', 'u1', 'm1', call('t1')),
      model('a2', 'a1', 'm1', call('t2')),
      model('a3', 'a2', 'm1', call('t3')),
      user('r1', 'a1', result('t1')),
      user('r2', 'a2', result('t2')),
      user('r3', 'a3', result('t3')),
      model('a4', 'r2', 'm2', text('A')),
    ]);
    expect((await shapeOf(vizprompt)).nodes).toEqual(['Q / A']);
    const [hit] = await vizprompt.searchNodes({});
    const { responseParts } = await vizprompt.getNode(hit?.id ?? '');
    expect(responseParts.map(({ source }) => source)).toEqual([
      'a1',
      'a2',
      'a3',
      'r1',
      'r3',
      'r2',
      'a4',
    ]);
  });

  it('stays a row where the answer waits for each result', async () => {
    const { vizprompt, warnings } = await importLines([
      user('u1', null, 'Q'),
      model('a1', 'u1', 'm1', call('t1')),
      user('r1', 'a1', result('t1')),
      model('a2', 'r1', 'm1', call('t2')),
      user('r2', 'a2', result('t2')),
    ]);
    expect(warnings).toEqual([]);
    expect((await shapeOf(vizprompt)).nodes).toEqual(['Q / ']);
  });

  it('continues after a summary, keeps sidechains apart, and survives broken links', async () => {
    const { vizprompt, warnings } = await importLines([
      user('u1', null, 'Q1'),
      model('a1', 'u1', 'm1', text('A1')),
      entry('c', null, { type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'a1' }),
      user('cs', 'c', '要約', { isCompactSummary: true }),
      user('u2', 'cs', 'Q2'),
      model('a2', 'u2', 'm2', text('A2')),
      user('side', null, '下調べ', { isSidechain: true, agentId: 'x' }),
      user('lost', 'gone', 'Q3'),
      user('o1', 'o2', 'round'),
      user('o2', 'o1', 'and round'),
      user('u1', null, 'Q1'),
      { type: 'custom-title', customTitle: '題', sessionId: 's-1' },
    ]);
    expect((await shapeOf(vizprompt)).edges).toEqual([
      'Q1 / A1 → Q2 / A2',
      'round /  → and round / ',
    ]);
    expect(warnings).toEqual([
      'message u1 comes twice: it counts once',
      'the parent of message lost is missing: it begins a tree of its own',
      '2 messages go round in a circle',
    ]);
    const flow = await vizprompt.getFlow('題');
    const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    const side = nodes.find(({ prompt }) => prompt === '下調べ');
    expect(side?.promptParts[0]?.meta).toEqual({ isSidechain: true, agentId: 'x' });
  });

  it('is found in a folder of sessions, those of its agents as flows of their own', async () => {
    const { vizprompt, folder } = await testProject();
    const sessions = join(folder, 'sessions/s-1/subagents');
    mkdirSync(sessions, { recursive: true });
    writeFileSync(join(folder, 'sessions/s-1.jsonl'), lines([user('u1', null, 'Q')]));
    writeFileSync(
      join(sessions, 'agent-x.jsonl'),
      lines([user('v1', null, 'sub', { isSidechain: true, agentId: 'x' })]),
    );
    const report = await vizprompt.importConversations(join(folder, 'sessions'));
    expect(report.conversations).toMatchObject({ total: 2, imported: 2 });
    const flows = await Promise.all(report.flows.map(({ id }) => vizprompt.getFlow(id)));
    expect(new Set(flows.map(({ source }) => source))).toEqual(
      new Set(['claude-code:s-1', 'claude-code:s-1/x']),
    );
  });

  it('of another program is refused with the types of its lines', async () => {
    const vizprompt = await openProject();
    await expect(
      vizprompt.importConversations([{ type: 'session_note', payload: {} }]),
    ).rejects.toThrow('it is no session of a known format (the types of its lines: session_note)');
  });
});

describe('the journal of a chat of VS Code', () => {
  const begin = {
    kind: 0,
    v: {
      version: 3,
      creationDate: 1_777_000_000_000,
      customTitle: 'an early title',
      responderUsername: 'GitHub Copilot',
      sessionId: 's',
      requests: [],
    },
  };
  const request = (id: string, text: string): object => ({
    requestId: id,
    message: { text },
    response: [],
  });
  const append = (path: readonly unknown[], v: readonly unknown[], more: object = {}): object => ({
    kind: 2,
    k: path,
    v,
    ...more,
  });

  it('is read as the chat that it ends with', async () => {
    const { vizprompt, warnings } = await importLines([
      begin,
      append(['requests'], [request('1', 'the question')]),
      append(['requests', 0, 'response'], [{ value: 'half of ' }, { value: 'an answ' }]),
      append(['requests', 0, 'response'], [{ value: 'an answer' }], { i: 1 }),
      { kind: 1, k: ['customTitle'], v: 'the title' },
      { kind: 1, k: ['requests', 0, 'modelId'], v: 'copilot/gpt-5' },
      append(['requests'], [request('2', 'and then?'), request('3', 'mistaken')]),
      { kind: 3, k: ['requests', 0, 'followups'] },
      append(['requests'], [], { i: 2 }),
    ]);
    expect(warnings).toEqual([]);
    expect((await shapeOf(vizprompt)).nodes.toSorted()).toEqual([
      'and then? / ',
      'the question / half of an answer',
    ]);
    expect(await vizprompt.listFlows()).toMatchObject([{ name: 'the title' }]);
  });

  it('takes time for each of its lines, not for what they replace', () => {
    const appended = Array.from({ length: 300_000 }, (_, at) =>
      append(['requests', 0, 'response'], [{ value: `${at}` }]),
    );
    const first = append(['requests'], [request('1', 'the question')]);
    const chat = replayJournal(JSON.parse(JSON.stringify([begin, first, ...appended])));
    expect(chat?.['requests']).toMatchObject([{ response: { length: 300_000 } }]);
  });

  it('keeps what has no place in it', async () => {
    const { vizprompt } = await importLines([
      begin,
      append(['requests'], [request('1', 'the question')]),
      append(['requests', 7, 'response'], [{ value: 'lost and found' }]),
      { kind: 1, k: ['__proto__', 'polluted'], v: 'a hostile word' },
    ]);
    const [flow] = await vizprompt.listFlows();
    const [node] = (await vizprompt.getFlow(flow?.id ?? '')).nodes;
    const held = JSON.stringify(await vizprompt.getNode(node?.id ?? ''));
    expect(held).toContain('lost and found');
    expect(held).toContain('a hostile word');
    expect({}).not.toHaveProperty('polluted');
  });
});
