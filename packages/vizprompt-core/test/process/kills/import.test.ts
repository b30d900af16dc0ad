import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VizPrompt } from '@vizprompt/core';
import { expect, it } from 'vitest';
import { startImport } from '../../support/start-children.ts';
import { temporaryFolder } from '../../support/open-project.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 3);

const CONVERSATIONS = 150;
const TURNS = 20;

/** Conversations of many bytes, so that the journal is emptied while others are written. */
function exported(): string {
  return JSON.stringify(
    Array.from({ length: CONVERSATIONS }, (_, number) => ({
      uuid: `c${number}`,
      name: `conversation ${number}`,
      chat_messages: Array.from({ length: 2 * TURNS }, (__, at) => ({
        uuid: `c${number}-m${at}`,
        sender: at % 2 === 0 ? 'human' : 'assistant',
        text: `message ${at} of ${number} ${'と続く'.repeat(400)}`,
      })),
    })),
  );
}

it(
  'loses no conversation of an import that was killed at any moment, and none is there in part',
  { timeout: 180_000 + ROUNDS * 30_000 },
  async () => {
    const folder = await temporaryFolder();
    const file = join(await temporaryFolder(), 'conversations.json');
    await writeFile(file, exported());
    for (let round = 0; round < ROUNDS; round++) {
      let saved = 0;
      const child = startImport([folder, file], ({ nodes }) => {
        saved = Math.max(saved, nodes ?? 0);
      });
      const exit = once(child, 'exit');
      await Promise.race([exit, once(child, 'message')]);
      await Promise.race([exit, sleep(Math.random() * 1500)]);
      child.kill('SIGKILL');
      await exit;

      await using vizprompt = await VizPrompt.open(folder);
      expect(await vizprompt.problems()).toEqual([]);
      const flows = await vizprompt.listFlows();
      for (const { id } of flows) {
        const { nodes } = await vizprompt.getFlow(id);
        expect(nodes).toHaveLength(TURNS);
        for (const node of nodes) expect((await vizprompt.getNode(node.id)).id).toBe(node.id);
      }
      expect(flows.length * TURNS).toBeGreaterThanOrEqual(saved);
    }
    const all = CONVERSATIONS * TURNS;
    await using vizprompt = await VizPrompt.open(folder);
    const { nodes } = await vizprompt.importConversations(file);
    expect(nodes.total).toBe(all);
    expect(await vizprompt.searchNodes({ limit: 100_000 })).toHaveLength(all);
  },
);
