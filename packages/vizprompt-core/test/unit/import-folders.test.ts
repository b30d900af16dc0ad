import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
