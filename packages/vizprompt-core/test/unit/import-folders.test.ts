import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinSessions } from '../../src/import/opencode-storage.ts';
import { DEFAULT_LIMITS } from '../../src/limits.ts';
import { zip } from '../fixtures/zip.ts';
import { openProject, shapeOf, temporaryFolder, testProject } from '../support/open-project.ts';

const [a, b, c, d] = [1, 2, 3, 4].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
const flowId = '00000000-0000-4000-8000-00000000000f';
const time = '2025-05-09T06:48:06.533720+09:00';

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('a project of 7shi/vizprompt', () => {
  it('is read from its later form: contents, decimal folders, index.tsv', async () => {
    const node = (id: string | undefined, prompt: string, response: string): string =>
      `<?xml version="1.0" encoding="utf-8"?>
<node id="${id}" timestamp="${time}">
<contents>
<content role="user" count="6" duration="1.2" rate="5.0"><![CDATA[
${prompt}
]]></content>
<content role="assistant" count="14" duration="0.5" rate="28.0"><![CDATA[
${response}
]]></content>
</contents>
<metadata>
<model>gemma3:4b</model>
<summary updated="false" last_built="${time}"/>
<tags>
<tag>猫</tag>
</tags>
</metadata>
</node>
`;
    const folder = await folderOf({
      'nodes/index.tsv': `relpath\tuuid\ttimestamp\n000/000.xml\t${a}\t${time}\n`,
      'nodes/000/000.xml': node(a, '質問\n二行目', '答え 🐈'),
      'nodes/000/001.xml': node(b, '続き', 'はい').replaceAll(/(<\/?)content\b/g, '$1text'),
      'nodes/000/002.xml': node(c, '別の続き', ''),
      'nodes/001/000.xml': node(d, 'どこにもない', 'A'),
      'nodes/001/001.xml': '<node id="x"><contents>',
      'flows/000/000.yaml': `id: ${flowId}
name: 会話
created: '${time}'
updated: '${time}'
description: ''
nodes:
- index: 1
  id: ${a}
- index: 2
  id: ${b}
- index: 3
  id: ${c}
connections:
- from: 1
  to: 2
- from: 1
  to: 3
- from: 3
  to: 1
- from: 3
  to: 9
`,
      'flows/000/001.yaml': 'id: [',
    });
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(folder);
    expect(report.conversations).toEqual({
      total: 3,
      imported: 2,
      updated: 0,
      unchanged: 0,
      skipped: 1,
    });
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      'nodes/001/001.xml was left out: it has no id',
      `the connection ${c} → node 9 leads to no node of the flow: it was left out`,
      `the connection ${c} → ${a} closes a circle: it was left out`,
    ]);
    expect(report.skipped[0]?.entry).toBe('flows/000/001.yaml');
    expect(await shapeOf(vizprompt)).toEqual({
      nodes: ['質問\n二行目 / 答え 🐈', '続き / はい', '別の続き / '],
      edges: ['質問\n二行目 / 答え 🐈 → 続き / はい', '質問\n二行目 / 答え 🐈 → 別の続き / '],
    });
    expect(await vizprompt.getNode(a ?? '')).toMatchObject({
      timestamp: time,
      model: 'gemma3:4b',
      tags: ['猫'],
      stats: {
        user: { count: 6, duration: 1.2, rate: 5 },
        assistant: { count: 14, duration: 0.5, rate: 28 },
      },
      summary: { text: '', isOutdated: true },
    });
    expect((await vizprompt.getNode(d ?? '')).prompt).toBe('どこにもない');
    expect(await vizprompt.importConversations(folder)).toMatchObject({
      conversations: { unchanged: 2, skipped: 1 },
      nodes: { total: 4, created: 0 },
    });
  });

  it('is read from its first form: prompt and response, hexadecimal folders, a map', async () => {
    const node = (
      id: string | undefined,
      timestamp: string,
      prompt: string,
      tags: string,
    ): string =>
      `<node id="${id}" timestamp="${timestamp}">
<prompt><![CDATA[
${prompt}
]]></prompt>
<response><![CDATA[
答え
]]></response>
<metadata>
<model>gpt-4</model>
<summary updated="true" last_built="${time}">要約</summary>
${tags}
<token_count prompt="3" response="5" metadata="7" />
</metadata>
</node>`;
    const folder = await folderOf({
      'metadata/node_map.tsv': `00/00.xml\t${a}\t${time}\n`,
      'nodes/00/00.xml': node(a, time, '古い質問', '<tags>猫, 犬</tags>'),
      'nodes/00/ff.xml': node(a, '2025-06-01T00:00:00+09:00', '質問', '<tags tag="鳥"/>'),
      'nodes/01/00.xml': node(b, time, '続き', '<tags><tag>魚</tag></tags>'),
      'flows/main.yaml': `id: main
name: メインフロー
created: ${time}
nodes:
  - index: 1
    id: ${a}
  - index: 2
    id: ${b}
  - index: 3
    id: ${c}
connections:
  - from: 1
    to: 2
    branch: 枝
`,
    });
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(folder);
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      `nodes/00/00.xml is an older version of node ${a}`,
      '1 nodes of the flow are missing',
    ]);
    const flow = await vizprompt.getFlow('メインフロー');
    expect(flow.connections).toEqual([{ from: a, to: b, branch: '枝' }]);
    const [first, second] = [await vizprompt.getNode(a ?? ''), await vizprompt.getNode(b ?? '')];
    expect([first.prompt, first.tags, second.tags]).toEqual(['質問', ['鳥'], ['魚']]);
    expect(first.summary).toMatchObject({ text: '要約', isOutdated: true });
    expect(first.unknown?.map(({ name }) => name)).toEqual(['token_count']);
  });

  it('may be a project of our own', async () => {
    const from = await testProject();
    await from.vizprompt.createNode({ prompt: 'Q', response: 'A', tags: ['猫'] });
    await from.vizprompt.createNode({
      prompt: '見て',
      attachments: [{ data: Buffer.from('猫の写真'), mediaType: 'image/png' }],
    });
    const { vizprompt, read } = await testProject();
    expect((await vizprompt.importConversations(from.folder)).warnings).toEqual([]);
    expect((await vizprompt.check()).isHealthy).toBe(true);
    expect(await read('nodes/00/00.xml')).toBe(await from.read('nodes/00/00.xml'));
    expect(await read('flows/00/00.yaml')).toBe(await from.read('flows/00/00.yaml'));
  });
});

describe('the storage of opencode before 1.2', () => {
  const message = (id: string, created: number, about: object): string =>
    JSON.stringify({ id, sessionID: 'ses_1', time: { created }, ...about });
  const part = (id: string, about: object): string =>
    JSON.stringify({ id, sessionID: 'ses_1', ...about });
  const stored = {
    'storage/project/p.json': JSON.stringify({ id: 'p', worktree: '/w' }),
    'storage/todo/ses_1.json': JSON.stringify([{ id: '1', content: 'a todo', status: 'pending' }]),
    'storage/session/p/ses_1.json': JSON.stringify({
      id: 'ses_1',
      projectID: 'p',
      title: '題',
      time: { created: 1_757_000_000_000, updated: 1_757_000_009_000 },
    }),
    'storage/session/p/ses_2.json': JSON.stringify({
      id: 'ses_2',
      parentID: 'ses_1',
      title: 'empty',
    }),
    'storage/message/ses_1/msg_1.json': message('msg_1', 1_757_000_001_000, { role: 'user' }),
    'storage/message/ses_1/msg_2.json': message('msg_2', 1_757_000_002_000, {
      role: 'assistant',
      parentID: 'msg_1',
      modelID: 'claude-x',
      providerID: 'anthropic',
    }),
    'storage/message/ses_1/msg_3.json': message('msg_3', 1_757_000_003_000, {
      role: 'assistant',
      parentID: 'msg_1',
      modelID: 'claude-x',
      providerID: 'anthropic',
    }),
    'storage/message/ses_1/msg_4.json': message('msg_4', 1_757_000_004_000, { role: 'user' }),
    'storage/message/ses_1/msg_5.json': message('msg_5', 1_757_000_005_000, {
      role: 'assistant',
      parentID: 'msg_4',
      modelID: 'claude-x',
    }),
    'storage/part/msg_1/prt_1.json': part('prt_1', { type: 'text', text: '猫はどこ?' }),
    'storage/part/msg_2/prt_2.json': part('prt_2', { type: 'step-start' }),
    'storage/part/msg_2/prt_3.json': part('prt_3', { type: 'text', text: '見てみます。' }),
    'storage/part/msg_2/prt_4.json': part('prt_4', {
      type: 'tool',
      callID: 'c',
      tool: 'bash',
      state: { status: 'completed', input: { command: 'ls' }, output: 'cat.txt' },
    }),
    'storage/part/msg_3/prt_5.json': part('prt_5', { type: 'text', text: 'ここにいます。' }),
    'storage/part/msg_4/prt_6.json': part('prt_6', { type: 'text', text: 'ありがとう' }),
    'storage/part/msg_5/prt_7.json': part('prt_7', { type: 'text', text: 'どういたしまして' }),
  };

  it('is read as its sessions, each with its messages and their parts', async () => {
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(await folderOf(stored));
    expect(
      report.flows.map(({ name, nodes, connections }) => ({ name, nodes, connections })),
    ).toEqual([{ name: '題', nodes: 2, connections: 1 }]);
    expect(report.skipped).toEqual([
      { entry: 'storage/session/p/ses_2.json', reason: expect.any(String) },
    ]);
    const { nodes } = await vizprompt.getFlow(report.flows[0]?.id);
    expect(await shapeOf(vizprompt)).toEqual({
      nodes: ['猫はどこ? / 見てみます。\n\nここにいます。', 'ありがとう / どういたしまして'],
      edges: ['猫はどこ? / 見てみます。\n\nここにいます。 → ありがとう / どういたしまして'],
    });
    const first = JSON.stringify(await vizprompt.getNode(nodes[0]?.id ?? ''));
    expect(first).toContain('cat.txt');
    expect(first).toContain('claude-x');
  });

  it('is in the order of its names, where an archive lists its files in another', async () => {
    const text = (at: number): string => part(`prt_${at}`, { type: 'text', text: `part ${at}` });
    const files = {
      ...stored,
      'storage/part/msg_5/prt_9.json': text(9),
      'storage/part/msg_5/prt_8.json': text(8),
    };
    const vizprompt = await openProject();
    const archive = join(await temporaryFolder(), 'storage.zip');
    writeFileSync(archive, zip(Object.fromEntries(Object.entries(files).toReversed())));
    await vizprompt.importConversations(archive);
    expect((await shapeOf(vizprompt)).nodes).toEqual([
      '猫はどこ? / 見てみます。\n\nここにいます。',
      'ありがとう / どういたしまして\n\npart 8\n\npart 9',
    ]);
  });

  it('orders messages by their times, not by their names', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations(
      await folderOf({
        ...stored,
        'storage/message/ses_1/msg_0.json': message('msg_0', 1_757_000_006_000, { role: 'user' }),
        'storage/part/msg_0/prt_0.json': part('prt_0', { type: 'text', text: 'last' }),
      }),
    );
    expect((await shapeOf(vizprompt)).nodes.at(-1)).toBe('last / ');
  });

  it('leaves a message whose own file is broken in its place, and warns of it', async () => {
    const vizprompt = await openProject();
    const { warnings } = await vizprompt.importConversations(
      await folderOf({ ...stored, 'storage/message/ses_1/msg_5.json': '{"id":"msg' }),
    );
    expect((await shapeOf(vizprompt)).nodes).toEqual([
      '猫はどこ? / 見てみます。\n\nここにいます。',
      'ありがとう / どういたしまして',
    ]);
    expect(warnings).toEqual([
      {
        entry: 'storage/session/p/ses_1.json, entry 1',
        reason: expect.stringContaining('storage/message/ses_1/msg_5.json'),
      },
    ]);
  });

  it('is skipped where its parts together are beyond the limit, and others are read', async () => {
    const long = part('prt_1', { type: 'text', text: 'x'.repeat(1500) });
    const vizprompt = await openProject({ limits: { entryCharacters: 4000 } });
    const report = await vizprompt.importConversations(
      await folderOf({
        ...stored,
        'storage/session/p/ses_3.json': JSON.stringify({ id: 'ses_3', title: 'long' }),
        'storage/message/ses_3/msg_6.json': message('msg_6', 1, { role: 'user' }),
        'storage/part/msg_6/prt_1.json': long,
        'storage/part/msg_6/prt_2.json': long,
        'storage/part/msg_6/prt_3.json': long,
      }),
    );
    expect(report.flows.map(({ name }) => name)).toEqual(['題']);
    expect(report.skipped).toContainEqual({
      entry: 'storage/session/p/ses_3.json, entry 1',
      reason: expect.stringContaining('more than 4000 characters'),
    });
  });

  it('is joined in linear time where each session has a root of its own', () => {
    const files = Array.from({ length: 40_000 }, (_, at) => [
      `${at}/session/p/ses_${at}.json`,
      `${at}/todo/ses_${at}.json`,
      `${at}/other/todo/ses_${at}.json`,
    ]).flat();
    const open = (): never => {
      throw new Error('it is not opened');
    };
    // Quadratic time would run into the time limit of a test.
    const { about } = joinSessions(
      files.map((name) => ({ name, open })),
      DEFAULT_LIMITS,
    );
    expect(Array.from(about, ({ name }) => name)).toEqual(files.filter((_, at) => at % 3 === 1));
  });

  it('loses no text of a file that is broken, or that belongs to no session', async () => {
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(
      await folderOf({
        ...stored,
        'storage/part/msg_3/prt_5.json': '{"type":"text","text":"ここに',
        'storage/part/msg_9/prt_9.json': part('prt_9', { type: 'text', text: '迷子' }),
      }),
    );
    const whole = await vizprompt.exportFlow(report.flows[0]?.id ?? '', { format: 'json' });
    expect(whole).toContain('ここに');
    const told = JSON.stringify([report.skipped, report.warnings, report.flows, report.texts]);
    expect(told).toContain('msg_9');
  });
});
