import { once } from 'node:events';
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import type { Turn } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { expect, it, onTestFinished } from 'vitest';
import { findWords } from '../../../../providers/test/support/find-words.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711'];
const SAID = `The ${WORDS[0]} is "${WORDS[2]}".\n${WORDS[1]}は北にある。`;
const QUOTE = `You said: ${SAID}\nI agree.`;
/** `npm run test:soak` kills more often: the steps between two kills grow more slowly. */
const DENSITY = process.env['SOAK_ROUNDS'] === undefined ? 2 : 8;
const PROGRAM = fileURLToPath(new URL('../../children/erase-and-die.mjs', import.meta.url));

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

/** Fills a store of each kind with what Alice said, and with copies of it. */
const FILLS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
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
};

it.each(Object.keys(FILLS))(
  'an erasure of %s that is killed again and again is finished by the last call',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'vizprompt-erase-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await FILLS[kind]?.(folder);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    let kills = 0;
    for (let stops = 0; ; stops += 1 + Math.floor(stops / DENSITY)) {
      const child = fork(PROGRAM, [kind, folder, String(stops)], {
        execArgv: [],
        env: { PATH: process.env['PATH'], HOME: folder },
      });
      const [code, signal] = await once(child, 'exit');
      if (code === 0) break;
      expect([kind, stops, signal]).toEqual([kind, stops, 'SIGKILL']);
      kills++;
    }
    expect(kills).toBeGreaterThan(2);
    expect(findWords(folder, WORDS)).toEqual([]);
  },
);
