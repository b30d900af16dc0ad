import { readdir } from 'node:fs/promises';
import { inspect } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { messageOf, type Storage } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/open-project.ts';

// Arguments that plain JavaScript can pass and TypeScript would not.
const TEXT: readonly unknown[] = [undefined, null, 7, {}, ['main']];
const MAYBE_TEXT = TEXT.slice(1);
const NULLABLE = [7, {}, ['main']];
const TEXTS: readonly unknown[] = [undefined, null, 7, {}, 'main', [7], [undefined]];
const MAYBE_TEXTS = TEXTS.slice(1);
const IDS: readonly unknown[] = [undefined, null, 7, {}, [7]];
const IDS_OR_NONE = [7, {}, [7], [null]];
const OPTIONS: readonly unknown[] = [null, 7, 'main', ['main'], { nobodyReadsThis: 1 }];
const REQUIRED = [undefined, ...OPTIONS];
const FLAG = [null, 7, 'yes', {}];
const OBJECT = [null, 7, 'x', []];
const FUNCTION = [null, 7, 'x', {}];
const COUNT = [null, -1, 0.5, Number.NaN, '7', {}];

interface Given {
  /** Nodes one after the other. */
  readonly a: string;
  readonly b: string;
  /** The mistake. */
  readonly bad: never;
}
type Call = (vizprompt: VizPrompt, given: Given) => unknown;

const calls: readonly (readonly [what: string, wrong: readonly unknown[], call: Call])[] = [
  ['on', TEXT, (v, { bad }) => v.on(bad, () => 0)],
  ['on', FUNCTION, (v, { bad }) => v.on('node:created', bad)],
  ['once', FUNCTION, (v, { bad }) => v.once('node:created', bad)],
  ['watch', OPTIONS, (v, { bad }) => v.watch(bad)],
  ['watch: onError', FUNCTION, (v, { bad }) => v.watch({ onError: bad })],
  ['check', OPTIONS, (v, { bad }) => v.check(bad)],
  ['repair', [undefined, null, 7, {}, ['main'], [{}]], (v, { bad }) => v.repair(bad)],
  ['repair: options', OPTIONS, (v, { bad }) => v.repair([], bad)],
  ['repair: missingNodes', MAYBE_TEXT, (v, { bad }) => v.repair([], { missingNodes: bad })],

  ['getNode', TEXT, (v, { bad }) => v.getNode(bad)],
  ['getNodeVersions', TEXT, (v, { bad }) => v.getNodeVersions(bad)],
  ['createNode', REQUIRED, (v, { bad }) => v.createNode(bad)],
  ['createNode: prompt', TEXT, (v, { bad }) => v.createNode({ prompt: bad })],
  ['createNode: response', MAYBE_TEXT, (v, { bad }) => v.createNode({ prompt: '', response: bad })],
  ['createNode: model', MAYBE_TEXT, (v, { bad }) => v.createNode({ prompt: '', model: bad })],
  ['createNode: tags', MAYBE_TEXTS, (v, { bad }) => v.createNode({ prompt: '', tags: bad })],
  ['createNode: id', MAYBE_TEXT, (v, { bad }) => v.createNode({ prompt: '', id: bad })],
  [
    'createNode: timestamp',
    MAYBE_TEXT,
    (v, { bad }) => v.createNode({ prompt: '', timestamp: bad }),
  ],
  [
    'createNode: stats',
    [...OBJECT, { user: {} }, { user: { count: '1', duration: 0, rate: 0 } }, { nobody: {} }],
    (v, { bad }) => v.createNode({ prompt: '', stats: bad }),
  ],
  [
    'createNode: parts',
    [null, {}, [7], [{}], [{ type: 'text' }], [{ type: 'data', kind: 'x', value: 1n }]],
    (v, { bad }) => v.createNode({ prompt: '', responseParts: bad }),
  ],
  [
    'createNode: promptParts',
    [
      [{ type: 'file', data: new Uint8Array(3) }],
      [{ type: 'data', kind: 'x', bytes: Buffer.from('x') }],
    ],
    (v, { bad }) => v.createNode({ prompt: '', promptParts: bad }),
  ],
  [
    'createNode: attachments',
    [null, {}, ['a.png'], [{ data: 'a', mediaType: 'text/plain' }], [{ data: new Uint8Array(1) }]],
    (v, { bad }) => v.createNode({ prompt: '', attachments: bad }),
  ],
  ['createNode: placement', OPTIONS, (v, { bad }) => v.createNode({ prompt: '' }, bad)],
  ['createNode: flow', NULLABLE, (v, { bad }) => v.createNode({ prompt: '' }, { flow: bad })],
  ['createNode: after', IDS_OR_NONE, (v, { bad }) => v.createNode({ prompt: '' }, { after: bad })],
  [
    'createNode: branchName',
    MAYBE_TEXT,
    (v, { bad }) => v.createNode({ prompt: '' }, { branchName: bad }),
  ],
  ['updateNode', TEXT, (v, { bad }) => v.updateNode(bad, { prompt: 'x' })],
  ['updateNode: patch', REQUIRED, (v, { a, bad }) => v.updateNode(a, bad)],
  ['updateNode: prompt', MAYBE_TEXT, (v, { a, bad }) => v.updateNode(a, { prompt: bad })],
  ['updateNode: summary', MAYBE_TEXT, (v, { a, bad }) => v.updateNode(a, { summary: bad })],
  ['updateNode: tags', MAYBE_TEXTS, (v, { a, bad }) => v.updateNode(a, { tags: bad })],
  ['updateNode: options', OPTIONS, (v, { a, bad }) => v.updateNode(a, { tags: ['x'] }, bad)],
  [
    'updateNode: ifVersion',
    [null, 7, {}, []],
    (v, { a, bad }) => v.updateNode(a, {}, { ifVersion: bad }),
  ],
  ['deleteNode', TEXT, (v, { bad }) => v.deleteNode(bad)],
  ['deleteNode: options', OPTIONS, (v, { a, bad }) => v.deleteNode(a, bad)],
  ['deleteNode: join', FLAG, (v, { a, bad }) => v.deleteNode(a, { join: bad })],

  ['createFlow', REQUIRED, (v, { bad }) => v.createFlow(bad)],
  ['createFlow: name', TEXT, (v, { bad }) => v.createFlow({ name: bad })],
  ['createFlow: alias', MAYBE_TEXT, (v, { bad }) => v.createFlow({ name: 'n', alias: bad })],
  ['createFlow: id', MAYBE_TEXT, (v, { bad }) => v.createFlow({ name: 'n', id: bad })],
  [
    'createFlow: description',
    MAYBE_TEXT,
    (v, { bad }) => v.createFlow({ name: 'n', description: bad }),
  ],
  ['getFlow', MAYBE_TEXT, (v, { bad }) => v.getFlow(bad)],
  ['updateFlow', TEXT, (v, { bad }) => v.updateFlow(bad, { description: 'x' })],
  ['updateFlow: patch', REQUIRED, (v, { bad }) => v.updateFlow('main', bad)],
  ['updateFlow: head', NULLABLE, (v, { bad }) => v.updateFlow('main', { head: bad })],
  [
    'updateFlow: description',
    MAYBE_TEXT,
    (v, { bad }) => v.updateFlow('main', { description: bad }),
  ],
  ['updateFlow: meta', OBJECT, (v, { bad }) => v.updateFlow('main', { meta: bad })],
  ['updateFlow: owner', MAYBE_TEXT, (v, { bad }) => v.updateFlow('main', { owner: bad })],
  ['ensureFlow', REQUIRED, (v, { bad }) => v.ensureFlow(bad)],
  ['listFlows', OPTIONS, (v, { bad }) => v.listFlows(bad)],
  ['listFlows: owner', NULLABLE, (v, { bad }) => v.listFlows({ owner: bad })],
  ['updateFlow: options', OPTIONS, (v, { bad }) => v.updateFlow('main', { name: 'x' }, bad)],
  ['deleteFlow', TEXT, (v, { bad }) => v.deleteFlow(bad)],
  ['deleteFlow: options', OPTIONS, (v, { bad }) => v.deleteFlow('main', bad)],
  ['addNodeToFlow', TEXT, (v, { a, bad }) => v.addNodeToFlow(bad, a)],
  ['addNodeToFlow: id', TEXT, (v, { bad }) => v.addNodeToFlow('main', bad)],
  [
    'addNodeToFlow: after',
    IDS_OR_NONE,
    (v, { a, bad }) => v.addNodeToFlow('main', a, { after: bad }),
  ],
  ['removeNodeFromFlow', TEXT, (v, { a, bad }) => v.removeNodeFromFlow(bad, a)],
  ['removeNodeFromFlow: id', TEXT, (v, { bad }) => v.removeNodeFromFlow('main', bad)],
  [
    'removeNodeFromFlow: join',
    FLAG,
    (v, { a, bad }) => v.removeNodeFromFlow('main', a, { join: bad }),
  ],
  ['connectNodes: from', TEXT, (v, { b, bad }) => v.connectNodes(bad, b)],
  ['connectNodes: to', TEXT, (v, { a, bad }) => v.connectNodes(a, bad)],
  ['connectNodes: flow', MAYBE_TEXT, (v, { a, b, bad }) => v.connectNodes(a, b, { flow: bad })],
  ['disconnectNodes: from', TEXT, (v, { b, bad }) => v.disconnectNodes(bad, b)],
  ['disconnectNodes: to', TEXT, (v, { a, bad }) => v.disconnectNodes(a, bad)],
  ['disconnectNodes: options', OPTIONS, (v, { a, b, bad }) => v.disconnectNodes(a, b, bad)],
  ['createBranch', TEXT, (v, { bad }) => v.createBranch(bad, { prompt: 'x' })],
  ['createBranch: node', REQUIRED, (v, { a, bad }) => v.createBranch(a, bad)],
  ['createBranch: options', OPTIONS, (v, { a, bad }) => v.createBranch(a, { prompt: 'x' }, bad)],
  ['rebuildFlow', TEXT, (v, { a, bad }) => v.rebuildFlow(bad, [a])],
  ['rebuildFlow: ids', TEXTS, (v, { bad }) => v.rebuildFlow('main', bad)],

  ['searchNodes', REQUIRED, (v, { bad }) => v.searchNodes(bad)],
  ['searchNodes: text', MAYBE_TEXT, (v, { bad }) => v.searchNodes({ text: bad })],
  ['searchNodes: tags', MAYBE_TEXTS, (v, { bad }) => v.searchNodes({ tags: bad })],
  ['searchNodes: keywords', MAYBE_TEXTS, (v, { bad }) => v.searchNodes({ keywords: bad })],
  ['searchNodes: model', MAYBE_TEXT, (v, { bad }) => v.searchNodes({ model: bad })],
  ['searchNodes: after', MAYBE_TEXT, (v, { bad }) => v.searchNodes({ after: bad })],
  ['searchNodes: limit', COUNT, (v, { bad }) => v.searchNodes({ limit: bad })],
  ['build', OPTIONS, (v, { bad }) => v.build(bad)],
  ['build: model', [7, 'gpt-5', {}], (v, { bad }) => v.build({ model: bad })],
  ['build: concurrency', COUNT, (v, { bad }) => v.build({ concurrency: bad })],
  ['buildSummary', TEXT, (v, { bad }) => v.buildSummary(bad)],
  ['buildSummary: options', OPTIONS, (v, { a, bad }) => v.buildSummary(a, bad)],
  ['buildContext', REQUIRED, (v, { bad }) => v.buildContext(bad)],
  ['buildContext: prompt', TEXT, (v, { bad }) => v.buildContext({ prompt: bad })],
  ['buildContext: flow', MAYBE_TEXT, (v, { bad }) => v.buildContext({ prompt: '', flow: bad })],
  ['buildContext: node', IDS_OR_NONE, (v, { bad }) => v.buildContext({ prompt: '', node: bad })],
  ['buildContext: budget', COUNT, (v, { bad }) => v.buildContext({ prompt: '', budget: bad })],
  ['buildContext: pin', MAYBE_TEXTS, (v, { bad }) => v.buildContext({ prompt: '', pin: bad })],
  ['exportFlow', TEXT, (v, { bad }) => v.exportFlow(bad, { format: 'json' })],
  ['exportFlow: options', REQUIRED, (v, { bad }) => v.exportFlow('main', bad)],
  ['exportFlow: format', TEXT, (v, { bad }) => v.exportFlow('main', { format: bad })],
  [
    'exportFlow: leaf',
    MAYBE_TEXT,
    (v, { bad }) => v.exportFlow('main', { format: 'openai', leaf: bad }),
  ],
  ['toText', MAYBE_TEXT, (v, { bad }) => v.toText(bad)],
  [
    'toText: width',
    [null, -1, Number.NaN, '7', {}],
    (v, { bad }) => v.toText('main', { width: bad }),
  ],
  ['importConversations', [undefined, null, 7, true], (v, { bad }) => v.importConversations(bad)],
  ['importConversations: options', OPTIONS, (v, { bad }) => v.importConversations([], bad)],
  [
    'importConversations: format',
    MAYBE_TEXT,
    (v, { bad }) => v.importConversations([], { format: bad }),
  ],

  ['chat', REQUIRED, (v, { bad }) => v.chat(bad)],
  ['chat: prompt', TEXT, (v, { bad }) => v.chat({ prompt: bad })],
  ['chat: from', IDS_OR_NONE, (v, { bad }) => v.chat({ prompt: '', from: bad })],
  ['chat: model', [null, 7, 'gpt-5', {}], (v, { bad }) => v.chat({ prompt: '', model: bad })],
  ['chat: signal', [null, 7, {}], (v, { bad }) => v.chat({ prompt: '', signal: bad })],
  ['chat: maxDetails', COUNT, (v, { bad }) => v.chat({ prompt: '', maxDetails: bad })],
  ['retry', TEXT, (v, { bad }) => v.retry(bad)],
  ['retry: options', OPTIONS, (v, { a, bad }) => v.retry(a, bad)],
  ['edit', TEXT, (v, { bad }) => v.edit(bad, 'x')],
  ['edit: prompt', TEXT, (v, { a, bad }) => v.edit(a, bad)],
  ['continue', TEXT, (v, { bad }) => v.continue(bad)],

  ['relink', TEXT, (v, { a, bad }) => v.structure.relink(bad, { to: a })],
  ['relink: options', REQUIRED, (v, { b, bad }) => v.structure.relink(b, bad)],
  ['relink: to', [undefined, ...NULLABLE], (v, { b, bad }) => v.structure.relink(b, { to: bad })],
  ['insertBetween: parent', TEXT, (v, { a, b, bad }) => v.structure.insertBetween(bad, b, a)],
  ['insertBetween: child', TEXT, (v, { a, b, bad }) => v.structure.insertBetween(a, bad, b)],
  [
    'insertBetween: node',
    [undefined, null, 7, {}, []],
    (v, { a, b, bad }) => v.structure.insertBetween(a, b, bad),
  ],
  ['deleteNodes', IDS, (v, { bad }) => v.structure.deleteNodes(bad)],
  ['deleteNodes: files', FLAG, (v, { a, bad }) => v.structure.deleteNodes(a, { files: bad })],
  ['prune', TEXT, (v, { bad }) => v.structure.prune(bad)],
  ['prune: dryRun', FLAG, (v, { a, bad }) => v.structure.prune(a, { dryRun: bad })],
  ['keepPath', TEXT, (v, { bad }) => v.structure.keepPath(bad)],
  ['keepPath: options', OPTIONS, (v, { a, bad }) => v.structure.keepPath(a, bad)],
  ['splitFlow', TEXT, (v, { bad }) => v.structure.splitFlow(bad)],
  ['splitFlow: name', MAYBE_TEXT, (v, { b, bad }) => v.structure.splitFlow(b, { name: bad })],
  ['extract', TEXT, (v, { bad }) => v.structure.extract(bad)],
  ['extract: alias', MAYBE_TEXT, (v, { b, bad }) => v.structure.extract(b, { alias: bad })],
  ['tailFork', TEXT, (v, { bad }) => v.structure.tailFork(bad)],
  ['tailFork: options', OPTIONS, (v, { b, bad }) => v.structure.tailFork(b, bad)],
  ['copySubtree', TEXT, (v, { bad }) => v.structure.copySubtree(bad)],
  [
    'copySubtree: after',
    IDS_OR_NONE,
    (v, { b, bad }) => v.structure.copySubtree(b, { after: bad }),
  ],
  ['mergeByStructure', TEXTS, (v, { bad }) => v.structure.mergeByStructure(bad, { prompt: 'x' })],
  [
    'mergeByStructure: node',
    REQUIRED,
    (v, { a, b, bad }) => v.structure.mergeByStructure([a, b], bad),
  ],
  [
    'mergeByContent: a',
    TEXT,
    (v, { b, bad }) => v.structure.mergeByContent(bad, b, { accept: () => true }),
  ],
  [
    'mergeByContent: options',
    REQUIRED,
    (v, { a, b, bad }) => v.structure.mergeByContent(a, b, bad),
  ],
  [
    'mergeByContent: accept',
    FUNCTION,
    (v, { a, b, bad }) => v.structure.mergeByContent(a, b, { accept: bad }),
  ],
  ['undo', OPTIONS, (v, { bad }) => v.structure.undo(bad)],
  ['redo', OPTIONS, (v, { bad }) => v.structure.redo(bad)],
  ['forget', OPTIONS, (v, { bad }) => v.structure.forget(bad)],
  ['forget: step', MAYBE_TEXT, (v, { bad }) => v.structure.forget({ step: bad })],
];

const refused = { name: 'VizPromptError', code: 'invalid-input' };

/** Returns a project with two nodes, one after the other. */
async function openTwoNodes(): Promise<{
  readonly vizprompt: VizPrompt;
  readonly storage: Storage;
  readonly a: string;
  readonly b: string;
  close(): Promise<void>;
}> {
  const storage = await inMemoryStorage();
  const vizprompt = await VizPrompt.open({ storage });
  const close = async (): Promise<void> => {
    await vizprompt.close();
    await storage.close();
  };
  const { id: a } = await vizprompt.createNode({ prompt: 'a', response: 'b' });
  const { id: b } = await vizprompt.createNode({ prompt: 'c', response: 'd' });
  return { vizprompt, storage, a, b, close };
}

/** Returns the same until the test ends. */
async function twoNodes(): ReturnType<typeof openTwoNodes> {
  const project = await openTwoNodes();
  onTestFinished(() => project.close());
  return project;
}

async function contentOf({ files }: Storage): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key, version } of files.list('')) found.push(`${key} ${version}`);
  return found;
}

describe('arguments of another kind', () => {
  // All calls are refused, so one project does for all of them.
  let project: Awaited<ReturnType<typeof openTwoNodes>>;
  beforeAll(async () => {
    project = await openTwoNodes();
  });
  afterAll(() => project.close());

  it.each(calls)('are refused, and nothing is written: %s', async (what, wrong, call) => {
    const { vizprompt, storage, a, b } = project;
    const before = await contentOf(storage);
    for (const bad of wrong) {
      const calling = (async () => call(vizprompt, { a, b, bad: bad as never }))();
      const error: unknown = await calling.catch((reason: unknown) => reason);
      const shown = `${what}(${inspect(bad)})`;
      expect([shown, error]).toMatchObject([shown, refused]);
    }
    expect(await contentOf(storage)).toEqual(before);
  });

  it('are refused by opening and by making a project', async () => {
    for (const bad of [undefined, null, 7, {}, ['main'], { storage: {} }] as never[]) {
      await expect(VizPrompt.open(bad)).rejects.toMatchObject(refused);
    }
    const folder = await temporaryFolder();
    for (const bad of OPTIONS as never[]) {
      await expect(VizPrompt.open(folder, bad)).rejects.toMatchObject(refused);
      await expect(VizPrompt.init(folder, bad)).rejects.toMatchObject(refused);
    }
    for (const bad of TEXT as never[]) {
      await expect(VizPrompt.init(bad)).rejects.toMatchObject(refused);
      await expect(VizPrompt.open(folder, { model: bad ?? null })).rejects.toMatchObject(refused);
    }
    for (const on of [...OBJECT, { 'node:created': 7 }] as never[]) {
      await expect(VizPrompt.open(folder, { on })).rejects.toMatchObject(refused);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('are named, with what was given and what is wanted', async () => {
    const { vizprompt, a } = await twoNodes();
    const message = (call: (bad: never) => Promise<unknown>, bad?: unknown): Promise<string> =>
      call(bad as never).then(String, messageOf);
    expect(await message((bad) => vizprompt.getNode(bad))).toBe(
      'the id of getNode: expected a string, got undefined',
    );
    expect(await message((bad) => vizprompt.updateNode(a, bad), { promt: 'x' })).toMatch(
      /^the patch of updateNode has no option 'promt': is 'prompt' meant\? there are prompt, response, /,
    );
    expect(await message((bad) => vizprompt.rebuildFlow('main', bad), [7])).toBe(
      'the ids of rebuildFlow: expected an array of strings, got one that holds something else',
    );
    expect(await message((bad) => vizprompt.createNode({ prompt: '' }, bad), { after: 7 })).toBe(
      "the option 'after' of createNode: expected a string, or an array of strings, or null, got 7",
    );
    expect(
      await message((bad) => vizprompt.createNode({ prompt: '' }, bad), { after: [7] }),
    ).toMatch(/or null, got one that holds something else$/);
    expect(await message((bad) => VizPrompt.open(bad))).toBe(
      'the first argument of open({ storage }): expected a folder, or OpenOptions with a storage, got undefined',
    );
  });

  it('are refused where a merge is decided', async () => {
    const { vizprompt, a } = await twoNodes();
    const c = await vizprompt.createBranch(a, { prompt: 'e', response: 'f' });
    const { head: b } = await vizprompt.updateFlow('main', { head: a });
    const d = await vizprompt.createBranch(b ?? '', { prompt: 'g', response: 'h' });
    for (const bad of [null, 7, 'yes', { prompt: 7 }] as never[]) {
      const merge = vizprompt.structure.mergeByContent(c.id, d.id, { accept: () => bad });
      await expect(merge).rejects.toMatchObject(refused);
    }
  });

  it('are not what was read from another node, with null for what there is none of', async () => {
    const { vizprompt, a, b } = await twoNodes();
    const part = { type: 'tool-call', id: '1', tool: 'find', input: { q: '猫' } } as const;
    const rich = await vizprompt.createNode(
      { prompt: 'x', response: 'y', responseParts: [part, { type: 'text', start: 0, end: 1 }] },
      { flow: null, after: null },
    );
    const { responseParts, stats, tags } = await vizprompt.getNode(rich.id);
    const flow = await vizprompt.getFlow();
    const changed = { responseParts, stats, tags, response: 'z' };
    const node = await vizprompt.updateNode(b, changed, { ifVersion: await vizprompt.getNode(b) });
    expect(node.responseParts).toEqual(rich.responseParts);
    await vizprompt.addNodeToFlow('main', rich.id, { after: [a, b], ifVersion: flow });
    await vizprompt.structure.relink(b, { to: null });
    expect((await vizprompt.buildContext({ prompt: '', node: null })).report.entries).toEqual([]);
  });
});
