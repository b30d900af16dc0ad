import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import type { Turn } from '@vizprompt/providers';
import { openStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { bigramAnalyzer, SegmentBackend, SqliteFtsBackend } from '@vizprompt/rag';
import { ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { expect } from 'vitest';

/** Words of what Alice said, in stores of all kinds, to look for afterwards. */
export const WORDS: readonly string[] = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711'];
const SAID = `The ${WORDS[0]} is "${WORDS[2]}".\n${WORDS[1]}は北にある。`;
const QUOTE = `You said: ${SAID}\nI agree.`;
function turn(id: string, speaker: string, text: string): Turn {
  return {
    id,
    conversationId: 'talk',
    follows: [],
    kind: 'turn',
    status: 'done',
    speaker,
    input: [{ type: 'text', text: `Alice: ${SAID}` }],
    output: [{ type: 'text', text }],
    startedAt: '2026-01-01T00:00:00.000Z',
  };
}

const TURNS = [turn('1', 'Alice', SAID), turn('2', 'Bob', QUOTE), turn('3', 'Alice', SAID)];

const DOCUMENTS = [
  { novelId: 'n', filePath: 'a.md', text: SAID },
  { novelId: 'n', filePath: 'b.md', text: 'stays here, 残るもの。' },
];

/** Fills a store of each kind with what Alice said, and with copies of it. */
export const FILLS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  async core(folder) {
    await using vizprompt = await VizPrompt.open(folder);
    for (const one of TURNS) await vizprompt.recorder().record(one);
    const node = await vizprompt.createNode({ prompt: SAID, speaker: 'Alice', response: SAID });
    await vizprompt.build();
    await vizprompt.deleteNode(node.id);
  },
  async memory(folder) {
    await using store = await MemoryStore.open({ path: join(folder, 'ptta.db') });
    for (const one of TURNS) await store.recorder().record(one);
    const { id } = await store.startSession({ workspace: '/w' });
    await store.log(id, 'file_edit', {
      action: 'create',
      file_path: 'a',
      new_content: `${SAID}\n`.repeat(50),
      success: true,
    });
  },
  async talktable(folder) {
    await using manager = await ConversationManager.open({
      topic: 't',
      rounds: 2,
      logPath: join(folder, 'log.db'),
      participants: [
        { name: 'Alice', model: scriptedModel(() => SAID) },
        { name: 'Bob', model: scriptedModel(() => QUOTE) },
      ],
    });
    for await (const _ of manager.start());
  },
  async workflow(folder) {
    await using storage = await openStorage(folder);
    await using engine = await WorkflowEngine.open({
      files: {
        prompts: { ask: 'What?' },
        workflows: {
          ask: {
            steps: [
              { id: 'question', type: 'human', prompt_id: 'ask', output_variable: 'answer' },
              {
                id: 'echo',
                type: 'function',
                function: 'echo',
                input_variables: { said: 'answer' },
              },
            ],
          },
        },
      },
      storage,
      functions: { echo: (input) => ({ ...input, quote: JSON.stringify(input) }) },
    });
    const run = await engine.start('ask', 'go', { runId: 'r' });
    await expect.poll(async () => (await engine.run('r')).waiting.length).toBe(1);
    await engine.answer('r', SAID);
    await run.result;
  },
  async rag(folder) {
    await using backend = await SegmentBackend.open({
      folder: join(folder, 'index'),
      analyzer: bigramAnalyzer(),
      mayFork: false,
    });
    for (const one of DOCUMENTS) await backend.updateFile(one);
  },
  async 'rag, SQLite'(folder) {
    const database = sqliteDatabase({ path: join(folder, 'app.db') });
    await using backend = await SqliteFtsBackend.open({ database, analyzer: bigramAnalyzer() });
    for (const one of DOCUMENTS) await backend.updateFile(one);
    await backend.close();
    await database.close();
  },
};
