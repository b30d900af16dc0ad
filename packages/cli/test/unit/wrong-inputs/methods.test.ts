import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import {
  CodedError,
  messageOf,
  type ChatModel,
  type EmbeddingModel,
  type VectorStore,
} from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { openaiEmbeddings } from '@vizprompt/providers/openai';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings, scriptedModel } from '@vizprompt/providers/testing';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import { loadRagConfig, NovelService, SegmentBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { ConversationLog, ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';

/** A call with a member that no input has, or `null` where no argument is an object of named members. */
type Calls<Subject> = Readonly<Record<string, ((subject: Subject, bad: never) => unknown) | null>>;

interface Case<Subject extends object> {
  readonly open: () => Promise<Subject>;
  readonly calls: Calls<Subject>;
}

function caseOf<Subject extends object>(one: Case<Subject>): Case<Subject> {
  return one;
}

const EVENT = { type: 'thinking', data: { content: 'a' } };
const TALK = {
  topic: 'cats',
  participants: [
    { name: 'A', model: 'x:y' },
    { name: 'B', model: 'x:y' },
  ],
};
const MODEL = scriptedModel([]);
const REGISTRY = {
  specVersion: 1,
  model: () => MODEL,
  embeddings: () => hashEmbeddings(),
} as never;

const CASES = {
  VizPrompt: caseOf<VizPrompt>({
    open: async () => VizPrompt.open({ storage: await inMemoryStorage() }),
    calls: {
      on: null,
      once: null,
      problems: null,
      refresh: null,
      watch: (v, bad) => v.watch(bad),
      check: (v, bad) => v.check(bad),
      repair: (v, bad) => v.repair([], bad),
      restoreBatch: null,
      createNode: (v, bad) => v.createNode({ prompt: 'a', ...(bad as object) }),
      getNode: null,
      getNodeVersions: null,
      updateNode: (v, bad) => v.updateNode('a', bad),
      deleteNode: (v, bad) => v.deleteNode('a', bad),
      createFlow: (v, bad) => v.createFlow({ name: 'a', ...(bad as object) }),
      ensureFlow: (v, bad) => v.ensureFlow({ name: 'a', ...(bad as object) }),
      getFlow: (v, bad) => v.getFlow(bad),
      listFlows: (v, bad) => v.listFlows(bad),
      updateFlow: (v, bad) => v.updateFlow('main', bad),
      deleteFlow: (v, bad) => v.deleteFlow('main', bad),
      addNodeToFlow: (v, bad) => v.addNodeToFlow('main', 'a', bad),
      removeNodeFromFlow: (v, bad) => v.removeNodeFromFlow('main', 'a', bad),
      connectNodes: (v, bad) => v.connectNodes('a', 'b', bad),
      disconnectNodes: (v, bad) => v.disconnectNodes('a', 'b', bad),
      createBranch: (v, bad) => v.createBranch('a', { prompt: 'b' }, bad),
      rebuildFlow: (v, bad) => v.rebuildFlow('main', [], bad),
      readThread: (v, bad) => v.readThread(bad),
      editThread: null,
      chat: (v, bad) => v.chat({ prompt: 'a', model: MODEL, ...(bad as object) }),
      retry: (v, bad) => v.retry('a', bad),
      edit: (v, bad) => v.edit('a', 'b', bad),
      continue: (v, bad) => v.continue('a', bad),
      buildContext: (v, bad) => v.buildContext({ prompt: 'a', ...(bad as object) }),
      searchNodes: (v, bad) => v.searchNodes(bad),
      listTags: null,
      build: (v, bad) => v.build(bad),
      buildSummary: (v, bad) => v.buildSummary('a', bad),
      importConversations: (v, bad) => v.importConversations([], bad),
      exportFlow: (v, bad) => v.exportFlow('main', { format: 'json', ...(bad as object) }),
      toText: (v, bad) => v.toText('main', bad),
      recorder: null,
      retriever: null,
      eraseSpeaker: (v, bad) => v.eraseSpeaker({ speaker: 'a', ...(bad as object) }),
      vacuum: (v, bad) => v.vacuum(bad),
      close: null,
    },
  }),
  StructureEditor: caseOf<VizPrompt['structure']>({
    open: async () => (await VizPrompt.open({ storage: await inMemoryStorage() })).structure,
    calls: {
      relink: (s, bad) => s.relink('a', bad),
      insertBetween: (s, bad) => s.insertBetween('a', 'b', 'c', bad),
      deleteNodes: (s, bad) => s.deleteNodes('a', bad),
      prune: (s, bad) => s.prune('a', bad),
      keepPath: (s, bad) => s.keepPath('a', bad),
      splitFlow: (s, bad) => s.splitFlow('a', bad),
      extract: (s, bad) => s.extract('a', bad),
      tailFork: (s, bad) => s.tailFork('a', bad),
      copySubtree: (s, bad) => s.copySubtree('a', bad),
      mergeByStructure: (s, bad) => s.mergeByStructure(['a', 'b'], { prompt: 'c' }, bad),
      mergeByContent: (s, bad) =>
        s.mergeByContent('a', 'b', { accept: () => true, ...(bad as object) }),
      undo: (s, bad) => s.undo(bad),
      redo: (s, bad) => s.redo(bad),
      history: null,
      forget: (s, bad) => s.forget(bad),
    },
  }),
  MemoryStore: caseOf<MemoryStore>({
    open: async () => MemoryStore.open({ storage: await inMemoryStorage() }),
    calls: {
      on: null,
      once: null,
      startSession: (m, bad) => m.startSession(bad),
      endSession: null,
      currentSession: null,
      listSessions: (m, bad) => m.listSessions(bad),
      getSession: null,
      updateSession: (m, bad) => m.updateSession('a', bad),
      deleteSession: (m, bad) => m.deleteSession('a', bad),
      log: (m, bad) => m.log('a', 'thinking', { content: 'a' }, bad),
      logMany: (m, bad) => m.logMany('a', [EVENT as never], bad),
      events: (m, bad) => m.events('a', bad).page(),
      follow: (m, bad) => m.follow('a', bad),
      getEvent: null,
      knownEvents: null,
      search: (m, bad) => m.search('a', bad),
      searchSessions: (m, bad) => m.searchSessions('a', bad),
      recall: (m, bad) => m.recall(bad),
      retriever: (m, bad) => m.retriever(bad),
      editFile: (m, bad) => m.editFile(bad),
      recordEdit: (m, bad) => m.recordEdit(bad),
      pendingIntentions: (m, bad) => m.pendingIntentions(bad),
      files: (m, bad) => m.files(bad),
      fileHistory: (m, bad) => m.fileHistory('a', bad),
      fileAt: (m, bad) => m.fileAt('a', bad),
      embedEvents: (m, bad) => m.embedEvents(bad),
      stats: (m, bad) => m.stats(bad),
      forget: (m, bad) => m.forget({ event: 'a' }, bad),
      eraseSpeaker: (m, bad) => m.eraseSpeaker({ speaker: 'a', ...(bad as object) }),
      applyRetention: (m, bad) => m.applyRetention(bad),
      redact: (m, bad) => m.redact(bad),
      vacuum: null,
      exportJson: (m, bad) => m.exportJson(bad),
      exportHtml: (m, bad) => m.exportHtml(bad),
      exportFile: (m, bad) => m.exportFile('a', bad),
      importJson: (m, bad) => m.importJson([], bad),
      backup: null,
      check: (m, bad) => m.check(bad),
      recorder: (m, bad) => m.recorder(bad),
      importTranscript: (m, bad) => m.importTranscript('a.jsonl', bad),
      ingestHooks: (m, bad) => m.ingestHooks(bad),
      joinWorkspaces: null,
      leaveWorkspaces: null,
      workspaceGroup: null,
      close: null,
    },
  }),
  NovelService: caseOf<NovelService>({
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'novels-'));
      await mkdir(join(folder, 'novels', 'a'), { recursive: true });
      await writeFile(join(folder, 'novels', 'a', 'novel.json'), '{ "title": "A" }');
      const config = await loadRagConfig({ cwd: folder, env: {} });
      return NovelService.open({ config, analyzer: segmenterAnalyzer() });
    },
    calls: {
      listProjects: null,
      getProject: null,
      list: (n, bad) => n.list('a', 'contents', bad),
      read: (n, bad) => n.read('a', 'contents', bad),
      search: (n, bad) => n.search('a', 'b', bad),
      searchAll: (n, bad) => n.searchAll('a', 'b', bad),
      proposeFusion: (n, bad) => n.proposeFusion('a', [], bad),
      index: (n, bad) => n.index('a', bad),
      watch: (n, bad) => n.watch('a', bad),
      add: (n, bad) => n.add('a', 'contents', 'b.md', 'c', bad),
      close: null,
    },
  }),
  WorkflowEngine: caseOf<WorkflowEngine>({
    open: async () => WorkflowEngine.open({ storage: await inMemoryStorage(), files: [] }),
    calls: {
      webhook: null,
      on: null,
      once: null,
      start: (w, bad) => w.start('a', {}, bad),
      resume: (w, bad) => w.resume('a', bad),
      attach: (w, bad) => w.attach('a', bad),
      fork: (w, bad) => w.fork('a', 'b', {}, bad),
      answer: (w, bad) => w.answer('a', 1, bad),
      cancel: null,
      run: null,
      runs: (w, bad) => w.runs(bad),
      dryRun: (w, bad) => w.dryRun('a', {}, bad),
      toMermaid: (w, bad) => w.toMermaid('a', bad),
      toHtml: (w, bad) => w.toHtml('a', bad),
      startSchedules: (w, bad) => w.startSchedules(bad),
      close: null,
    },
  }),
  ConversationManager: caseOf<ConversationManager>({
    open: async () =>
      ConversationManager.open(TALK, {
        storage: await inMemoryStorage(),
        registry: REGISTRY,
      }),
    calls: {
      on: null,
      start: (t, bad) => t.start(bad),
      resume: (t, bad) => t.resume('a', bad),
      pause: (t, bad) => t.pause(bad),
      stop: (t, bad) => t.stop(bad),
      signal: null,
      say: (t, bad) => t.say('a', bad),
      conversations: null,
      conversation: null,
      turns: null,
      follow: (t, bad) => t.follow('a', bad),
      awaited: null,
      exportConversation: null,
      analyze: null,
      close: null,
    },
  }),
  ConversationLog: caseOf<ConversationLog>({
    open: async () => {
      const storage = await inMemoryStorage();
      await ConversationManager.open(TALK, { storage, registry: REGISTRY });
      return ConversationLog.open(storage);
    },
    calls: {
      conversations: null,
      conversation: null,
      turns: null,
      follow: (t, bad) => t.follow('a', bad),
      awaited: null,
      exportConversation: null,
      analyze: null,
      close: null,
    },
  }),
  SegmentBackend: caseOf<SegmentBackend>({
    open: async () =>
      SegmentBackend.open({
        folder: await mkdtemp(join(tmpdir(), 'index-')),
        analyzer: segmenterAnalyzer(),
      }),
    calls: {
      index: (b, bad) => b.index([], bad),
      expectMany: null,
      documents: null,
      stats: null,
      compact: (b, bad) => b.compact(bad),
      add: (b, bad) => b.add([], bad),
      removeByFile: null,
      updateFile: (b, bad) => b.updateFile({ novelId: 'a', filePath: 'b', text: 'c' }, bad),
      updateFiles: (b, bad) => b.updateFiles([], [], bad),
      writeDocuments: (b, bad) => b.writeDocuments([], bad),
      updateChunks: (b, bad) => b.updateChunks({ novelId: 'a', filePath: 'b' }, [], bad),
      search: (b, bad) => b.search('a', bad),
      searchChosen: (b, bad) => b.searchChosen('a', bad, async () => new Set()),
      searchAll: (b, bad) => b.searchAll('a', bad),
      // For classes that extend it.
      indexInGroups: null,
      answer: null,
      write: null,
      release: null,
      stampOf: null,
      assertOpen: null,
      close: null,
    },
  }),
  ChatModel: caseOf<ChatModel>({
    open: async () => scriptedModel(['a']),
    calls: {
      stream: (m, bad) => m.stream({ prompt: 'a', ...(bad as object) }),
      generate: (m, bad) => m.generate({ prompt: 'a', ...(bad as object) }),
      countTokens: null,
    },
  }),
  EmbeddingModel: caseOf<EmbeddingModel>({
    open: async () => openaiEmbeddings({ model: 'a', apiKey: 'b' }),
    calls: { embed: (m, bad) => m.embed({ values: ['a'], ...(bad as object) }) },
  }),
  VectorStore: caseOf<VectorStore>({
    open: async () =>
      quantizedVectors({ database: (await inMemoryStorage()).cache, dimensions: 2 }),
    calls: {
      upsert: (v, bad) => v.upsert([], bad),
      delete: (v, bad) => v.delete([], bad),
      query: (v, bad) => v.query(new Float32Array([1, 0]), bad),
      count: (v, bad) => v.count(undefined, bad),
      purge: null,
      close: null,
    },
  }),
  TextIndex: caseOf<TextIndex>({
    open: async () => {
      const { database } = await inMemoryStorage();
      await database.execute('CREATE TABLE note (id INTEGER PRIMARY KEY)');
      return createTextIndex(database, {
        name: 'note_text',
        fields: { text: 1 },
        table: 'note',
        key: 'id',
      });
    },
    calls: {
      put: null,
      putNew: null,
      remove: null,
      optimize: null,
      settle: null,
      check: null,
      rebuild: null,
      search: (t, bad) => t.search('a', bad),
      match: (t, bad) => t.match('a', bad),
      snippet: (t, bad) => t.snippet('a', 'b', bad),
    },
  }),
} as const;

/** The names of the public methods of an object, from all classes that it is of. */
function methodsOf(subject: object): readonly string[] {
  const names = new Set(Object.keys(subject).filter((name) => isMethod(subject, name)));
  for (let type: object = Object.getPrototypeOf(subject); type !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(type)) if (isMethod(type, name)) names.add(name);
    type = Object.getPrototypeOf(type);
  }
  names.delete('constructor');
  return [...names];
}

function isMethod(owner: object, name: string): boolean {
  return typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function';
}

/** Returns the error of a call, or of the first value that it yields. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    const result = call();
    const isStream =
      typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the method
    await (isStream ? (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next() : result);
    return undefined;
  } catch (error) {
    return error;
  }
}

const BAD = { nobodyReadsThis: 1 } as never;

describe.each(Object.entries(CASES))('%s', (_, { open, calls }) => {
  it('has these methods, and refuses members that they do not read', async () => {
    const subject = await open();
    expect(methodsOf(subject).toSorted()).toEqual(Object.keys(calls).toSorted());
    const taken: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      if (call === null) continue;
      // oxlint-disable-next-line no-await-in-loop -- the calls share a subject
      const error = await failureOf(() => Reflect.apply(call, undefined, [subject, BAD]));
      const isRefused = error instanceof CodedError && /^invalid.(input|request)$/.test(error.code);
      if (isRefused && error.message.includes("'nobodyReadsThis'")) continue;
      taken.push(`${name}: ${error === undefined ? 'accepted' : messageOf(error)}`);
    }
    expect(taken).toEqual([]);
  });
});
