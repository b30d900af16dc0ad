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
const TURNS = 8;

it(
  'a team whose process is killed again and again repeats no turn and no call that is in the journal',
  { timeout: 120_000 + ROUNDS * 15_000 },
  async () => {
    await using llm = await startFakeLLM({
      answer: ({ body }) => {
        const text = JSON.stringify(body['messages']);
        const turn = Number(/TURN (\d+)/.exec(text)?.[1]);
        if (!text.includes('"role":"tool"')) {
          return [{ type: 'tool-call', id: `n${turn}`, name: 'note_2', input: { turn } } as const];
        }
        if (turn >= TURNS) return 'done';
        const input = { to: turn % 2 === 1 ? 'b' : 'a', message: `after ${turn}` };
        return [{ type: 'tool-call', id: `h${turn}`, name: 'hand_over', input } as const];
      },
    });
    // A run may end before it was killed often enough.
    for (let kills = 0; kills < ROUNDS;) {
      const folder = await temporaryFolder();
      const member = (id: string) => ({ agent_id: id, prompt_id: 'turn', tools: ['note'] });
      const step = { id: 'team', type: 'team', members: { a: member('a'), b: member('b') } };
      const files = fileOf([step as never], {
        prompts: {
          turn: 'TURN {{ team.turn }}{% for one in team.turns %} {{ one.says }}{% endfor %}',
        },
      });
      const job = { folder, url: llm.url, runId: 'run', files };
      const { kills: more, ...outcome } = await leadKilled(job, ROUNDS - kills, 120);
      kills += more;
      expect(outcome).toEqual({ output: 'done' });
      const database = new Sqlite(join(folder, '.vizprompt/database.db'), { readonly: true });
      const rows = database.prepare('SELECT path FROM workflow_step ORDER BY seq').all();
      database.close();
      const turns = (rows as { path: string }[]).filter(({ path }) => !path.includes(':'));
      expect(turns.map(({ path }) => path)).toEqual(
        Array.from({ length: TURNS }, (_, at) => `team#1/${at + 1}/${at % 2 === 0 ? 'a' : 'b'}`),
      );
      const notes = (await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n');
      expect(new Set(notes).size).toBe(TURNS);
      // A call that was in progress is made once more after each kill, and no other.
      expect(notes.length).toBeLessThanOrEqual(TURNS + more);
      const last = llm.requests.at(-1);
      expect(JSON.stringify(last?.body)).toContain(`TURN ${TURNS} after 1 after 2`);
    }
  },
);
