import { truncateSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { make, steps } from '../support/random-flows.ts';
import { openProject, randomRuns, shapeOf, testProject } from '../support/open-project.ts';

describe('an export as JSON', () => {
  /** Returns the bytes of all files that hold what was said, nodes by their ids. */
  async function filesOf(folder: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/^(?:nodes|flows|metadata)\/.*\./.test(name)) continue;
      const text = await readFile(join(folder, name), 'utf8');
      const [, id] = /<node id="([^"]*)"/.exec(text) ?? [];
      // The order of the nodes, and when metadata were written, is up to each project.
      const lines = name.startsWith('metadata/') ? text.split('\n').toSorted().slice(1) : [text];
      if (!name.endsWith('node_map.tsv')) {
        found[id ?? name] = lines.filter((line) => !line.startsWith('updated:')).join('\n');
      }
    }
    return found;
  }

  it('brings back the same bytes: ids, texts, connections, branches, tags, metadata', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (made) => {
        const project = await testProject();
        await make(project.vizprompt, made);
        await project.vizprompt.build({ model: null });
        const text = await project.vizprompt.exportFlow('main', { format: 'json' });
        const other = await testProject();
        const report = await other.vizprompt.importConversations(JSON.parse(text) as object);
        expect(report).toMatchObject({ conversations: { imported: 1 }, warnings: [] });
        expect(await other.vizprompt.exportFlow('main', { format: 'json' })).toBe(text);
        await project.vizprompt.close();
        await other.vizprompt.close();
        expect(await filesOf(other.folder)).toEqual(await filesOf(project.folder));
      }),
      { numRuns: randomRuns(2) },
    );
  }, 60_000);

  it('brings back the files that nodes hold, and again gives the same bytes', async () => {
    const vizprompt = await openProject();
    const photo = { data: Buffer.from('猫の写真'), mediaType: 'image/png', fileName: '猫.png' };
    const empty = { data: new Uint8Array(), mediaType: 'text/plain' };
    const all = { data: Uint8Array.from({ length: 256 }, (_, at) => at), mediaType: 'x/y' };
    await vizprompt.createNode({ prompt: '見て', attachments: [photo, empty] });
    await vizprompt.createNode({ prompt: 'もう一度', attachments: [photo, all] });
    await vizprompt.createNode({ prompt: '別の流れ', attachments: [all] }, { flow: null });
    const text = await vizprompt.exportFlow('main', { format: 'json' });

    const other = await testProject();
    const report = await other.vizprompt.importConversations(JSON.parse(text) as object);
    expect(report).toMatchObject({ conversations: { imported: 1 }, warnings: [] });
    expect(await other.vizprompt.exportFlow('main', { format: 'json' })).toBe(text);
    expect((await other.vizprompt.check()).findings).toEqual([]);
    const [node] = await other.vizprompt.searchNodes({ text: '見て' });
    const parts = (await other.vizprompt.getNode(node?.id ?? '')).promptParts;
    const [path] = parts.flatMap((part) => (part.type === 'file' ? [part.path ?? ''] : []));
    expect(await readFile(join(other.folder, path ?? ''))).toEqual(photo.data);
    expect(await other.read('attachments/.gitignore')).toBe('*\n');

    await rm(join(other.folder, path ?? ''));
    expect(await other.vizprompt.importConversations(JSON.parse(text) as object)).toMatchObject({
      conversations: { unchanged: 1 },
      warnings: [],
    });
    expect(await readFile(join(other.folder, path ?? ''))).toEqual(photo.data);
  });

  it('names files only, if that is wanted, and never takes another content for one', async () => {
    const vizprompt = await openProject();
    const data = Buffer.from('猫');
    const node = await vizprompt.createNode({
      prompt: '見て',
      attachments: [{ data, mediaType: 'image/png' }],
    });
    const [part] = node.promptParts;
    const path = part?.type === 'file' ? part.path : '';
    const named = await vizprompt.exportFlow('main', { format: 'json', attachments: 'omit' });
    expect(named).not.toContain('"attachments"');
    expect(named).toContain(path);
    const text = await vizprompt.exportFlow('main', { format: 'json' });
    const forged = text.replace(data.toString('base64'), Buffer.from('犬').toString('base64'));
    for (const [exported, reason] of [
      [named, `attached files were left out: ${path} is not contained`],
      [forged, `attached files were left out: ${path} has another content than it says`],
    ] as const) {
      const other = await testProject();
      const report = await other.vizprompt.importConversations(JSON.parse(exported) as object);
      expect(report.warnings.map((warning) => warning.reason)).toEqual([reason]);
      const { findings } = await other.vizprompt.check();
      expect(findings).toMatchObject([{ code: 'missing-attachment' }]);
    }
    const escaping = JSON.parse(text) as { attachments: object[]; nodes: object[] };
    const outside = [
      { path: '../outside', data: 'AAAA' },
      { path: 'config.yaml', data: 'AAAA' },
      { path: 'attachments/.gitignore', data: 'AAAA' },
      null,
    ];
    const other = await testProject();
    const report = await other.vizprompt.importConversations({
      ...escaping,
      attachments: [...escaping.attachments, ...outside],
      nodes: escaping.nodes.map((one) => ({
        ...one,
        responseParts: outside.slice(0, 3).map((file) => ({ type: 'file', ...file })),
      })),
    });
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      "attachment 5 was left out: it has no 'path' or no 'data'",
    ]);
    expect(await other.read('config.yaml')).not.toContain('\0');
    expect(await other.read('attachments/.gitignore')).toBe('*\n');
  });

  it('refuses files that are too large for it', async () => {
    const { vizprompt, folder } = await testProject();
    const attachments = [{ data: Buffer.from('x'), mediaType: 'x/y' }];
    const node = await vizprompt.createNode({ prompt: '大きい', attachments });
    const [part] = node.promptParts;
    // It takes no room on the disk.
    truncateSync(join(folder, part?.type === 'file' ? (part.path ?? '') : ''), 64_000_001);
    const exporting = vizprompt.exportFlow('main', { format: 'json' });
    await expect(exporting).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(exporting).rejects.toThrow(
      '64000001 bytes, and a document holds 64000000 at most',
    );
    await expect(exporting).rejects.toThrow("attachments: 'omit'");
    const options = { format: 'json', attachments: 'omit' } as const;
    expect(await vizprompt.exportFlow('main', options)).toContain('大きい');
  });

  it('adds nothing the second time, and what the project lacks', async () => {
    const { vizprompt, folder, write } = await testProject();
    const a = await vizprompt.createNode({ prompt: 'a' });
    const b = await vizprompt.createNode({ prompt: 'b' });
    await vizprompt.createNode({ prompt: 'c' });
    await write('flow.json', await vizprompt.exportFlow('main', { format: 'json' }));
    const file = join(folder, 'flow.json');
    expect(await vizprompt.importConversations(file)).toMatchObject({
      conversations: { unchanged: 1 },
      nodes: { total: 3, created: 0 },
    });
    await vizprompt.deleteNode(b.id, { join: false });
    expect(await vizprompt.importConversations(file)).toMatchObject({
      conversations: { updated: 1 },
      nodes: { created: 1 },
      connections: { created: 2 },
    });
    expect((await shapeOf(vizprompt)).edges).toEqual(['a /  → b / ', 'b /  → c / ']);
    expect((await vizprompt.getNode(a.id)).version).toBe(a.version);
  });

  it('takes another alias, and leaves out what makes no sense', async () => {
    const vizprompt = await openProject();
    const node = await vizprompt.createNode({ prompt: 'q' });
    const text = await vizprompt.exportFlow('main', { format: 'json' });
    const exported = JSON.parse(text) as {
      flow: { id: string; alias: string; nodes: object[]; connections: object[] };
      nodes: object[];
    };
    const { flow, nodes } = exported;
    const [one, two, three] = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
    const odd = {
      ...exported,
      flow: {
        ...flow,
        id: crypto.randomUUID(),
        nodes: [
          ...flow.nodes,
          { index: 2, id: one },
          { index: 3, id: two },
          { index: 3, id: three },
        ],
        connections: [
          { from: one, to: two },
          { from: two, to: one },
          { from: one, to: two },
          { from: one, to: 'nowhere' },
        ],
      },
      nodes: [
        ...nodes,
        { ...nodes[0], id: one },
        { ...nodes[0], id: two, timestamp: 'yesterday' },
        { ...nodes[0], id: three },
        { ...nodes[0], id: one, promptParts: [{ type: 'text', start: 0, end: 99 }] },
        null,
      ],
    };
    const report = await vizprompt.importConversations(odd);
    expect(report.conversations).toMatchObject({ total: 1, imported: 1 });
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      `node 3 (${three}) occurs twice in the flow: the first counts`,
      `the connection ${one} → ${two} occurs twice: it was left out`,
      `the connection ${one} → nowhere leads to no node of the flow: it was left out`,
      `the connection ${two} → ${one} closes a circle: it was left out`,
      `node ${two} was left out: timestamp: it is no ISO 8601 time`,
      `node ${three} is not in the flow: it was left out`,
      expect.stringContaining(`node ${one} was left out: promptParts`),
      expect.stringContaining('node 6 was left out'),
      '1 nodes of the flow are missing',
    ]);
    const imported = await vizprompt.getFlow(odd.flow.id);
    expect(imported.alias).toBeUndefined();
    expect((await vizprompt.getNode(node.id)).file).toBe(node.file);
    const { skipped } = await vizprompt.importConversations([
      exported,
      { ...exported, version: 2 },
      { ...exported, flow: { id: 'x' } },
    ]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'its version is 2, and 1 is known',
      'its flow: id: it is no UUID',
    ]);
  });
});
