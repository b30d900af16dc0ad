import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { fileOf } from '../../../support/engine/flow-parts.ts';
import { leadKilled } from '../../../support/engine/lead-killed.ts';
import { temporaryFolder } from '../../../support/engine/open-engine.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);

/** Each agent calls a tool in three answers, twice in each, and then says what it has heard. */
const AGENTS = ['a', 'b', 'c'];

it(
  'a process that is killed in the middle of tools and branches repeats no call that is in the journal',
  { timeout: 120_000 + ROUNDS * 15_000 },
  async () => {
    await using llm = await startFakeLLM({
      answer: ({ body }) => {
        const done = JSON.stringify(body['messages']).split('"role":"tool"').length - 1;
        if (done >= 6) return 'done';
        return [0, 1].map((at) => {
          return {
            type: 'tool-call',
            id: `${done}-${at}`,
            name: 'note',
            input: { done, at },
          } as const;
        });
      },
    });
    // A run may end before it was killed often enough.
    for (let kills = 0; kills < ROUNDS;) {
      const folder = await temporaryFolder();
      const branch = (id: string) => ({
        steps: [
          {
            id,
            type: 'agent_interaction',
            agent_id: id,
            prompt_id: 'plain',
            tools: ['note'],
            output_variable: id,
          },
        ],
      });
      const branches = Object.fromEntries(AGENTS.map((id) => [id, branch(id)]));
      const files = fileOf([{ id: 'all', type: 'parallel', branches } as never]);
      const job = { folder, url: llm.url, runId: 'run', files };
      const { kills: more, ...outcome } = await leadKilled(job, ROUNDS - kills, 150);
      kills += more;
      expect(outcome.output).toEqual(Object.fromEntries(AGENTS.map((id) => [id, 'done'])));
      const database = new Sqlite(join(folder, '.vizprompt/database.db'), { readonly: true });
      const paths = database
        .prepare("SELECT path FROM workflow_step WHERE path LIKE '%:tool%'")
        .all() as readonly { readonly path: string }[];
      database.close();
      // Three agents, three answers, two calls: each has one row.
      expect(paths).toHaveLength(18);
      const notes = (await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n');
      // A call that was in progress is made once more after each kill, and no other.
      expect(notes.length).toBeLessThanOrEqual(18 + more * 6);
      expect(notes.length).toBeGreaterThanOrEqual(18);
    }
  },
);
