import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatRequest } from '@vizprompt/providers';
import { type ScriptedAnswer, scriptedModel } from '@vizprompt/providers/testing';
import type { WorkflowEngineOptions } from '@vizprompt/workflow';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Fleet } from '../../../support/dbos/fleet.ts';
import { fileOf } from '../../../support/engine/flow-parts.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);
const lease = { leaseMs: 1500, heartbeatMs: 250, maxTakeovers: 1000 };
const AGENTS = ['a', 'b', 'c'];
/** Answers of each agent with two calls of a tool each, and turns of the team. */
const ANSWERS = 4;
const TURNS = 4;

const fleet = new Fleet();
afterAll(() => fleet.stop());
beforeEach(async () => {
  await fleet.leaveAll();
  await fleet.clear();
});

/** Branches whose agents use a tool, and after them a team that does. */
const FILES = fileOf(
  [
    {
      id: 'all',
      type: 'parallel',
      branches: Object.fromEntries(
        AGENTS.map((id) => [
          id,
          {
            steps: [
              {
                id,
                type: 'agent_interaction',
                agent_id: id,
                prompt_id: 'plain',
                tools: ['note'],
                maxToolRounds: ANSWERS + 1,
                output_variable: id,
              },
            ],
          },
        ]),
      ),
    } as never,
    {
      id: 'team',
      type: 'team',
      members: {
        a: { agent_id: 'a', prompt_id: 'turn', tools: ['note'] },
        b: { agent_id: 'b', prompt_id: 'turn', tools: ['note'] },
      },
      maxTurns: TURNS + 1,
    } as never,
  ],
  { prompts: { plain: 'PLAIN', turn: 'TURN {{ team.turn }}' } },
);

function answerOf({ messages }: ChatRequest): ScriptedAnswer {
  const text = JSON.stringify(messages);
  const agent = /You are ([ABC])\./.exec(text)?.[1] ?? '';
  const done = text.split('"type":"tool-result"').length - 1;
  const turn = Number(/TURN (\d+)/.exec(text)?.[1]);
  if (Number.isNaN(turn)) {
    if (done >= ANSWERS * 2) return 'done';
    return [0, 1].map((at) => note(`${agent} ${done + at}`, `${done}-${at}`));
  }
  // A team has a tool 'note' of its own.
  if (done === 0) return [{ ...note(`turn ${turn}`, `n${turn}`), name: 'note_2' }];
  if (turn >= TURNS) return 'done';
  const input = { to: turn % 2 === 1 ? 'b' : 'a', message: `after ${turn}` };
  return [{ type: 'tool-call', id: `h${turn}`, name: 'hand_over', input }];
}

function note(what: string, id: string) {
  return { type: 'tool-call', id, name: 'note', input: { what } } as const;
}

it(
  'workers that are killed in the middle of tools, branches and a team repeat no call that is in the journal',
  { timeout: 120_000 + ROUNDS * 15_000 },
  async () => {
    let calls: string[] = [];
    const tool: NonNullable<WorkflowEngineOptions['tools']>[number] = {
      name: 'note',
      describe: async () => ({ name: 'note', parameters: { type: 'object' } }),
      async run(input) {
        calls.push(/[A-Za-z]+ \d+/.exec(JSON.stringify(input))?.[0] ?? '');
        await sleep(Math.random() * 60);
        return input;
      },
    };
    const model = scriptedModel(async (request) => {
      await sleep(Math.random() * 60);
      return answerOf(request);
    });
    const options: WorkflowEngineOptions = { files: FILES, models: { m: model }, tools: [tool] };
    const engine = await fleet.engine(options);
    let workers = await fleet.workers(2, options, lease);
    for (let kills = 0; kills < ROUNDS;) {
      calls = [];
      const run = await engine.start('flow', '猫');
      const over = new AbortController();
      void run.result.finally(() => over.abort()).catch(() => undefined);
      const isOver = (): boolean => over.signal.aborted;
      while (kills < ROUNDS && !isOver()) {
        const { leads } = await fleet.leaderOf(run.id);
        const leader = workers.find(({ id }) => id === leads);
        await sleep(Math.random() * 400);
        if (!leader) continue;
        await leader.kill();
        kills++;
        // Its last writes may be on their way to the journal.
        await sleep(100);
        const known = new Set(await fleet.toolInputs(run.id));
        const before = calls.length;
        const [next] = await fleet.workers(1, options, lease);
        workers = [...workers.filter((worker) => worker !== leader), ...(next ? [next] : [])];
        await expect.poll(() => isOver() || calls.length > before, { timeout: 20_000 }).toBe(true);
        expect(calls.slice(before).filter((call) => known.has(call))).toEqual([]);
      }
      expect((await run.result).output).toBe('done');
      const inputs = await fleet.toolInputs(run.id);
      expect(new Set(inputs).size).toBe(inputs.length);
      expect(inputs).toHaveLength(AGENTS.length * ANSWERS * 2 + TURNS);
      expect(new Set(calls)).toEqual(new Set(inputs));
      expect(await fleet.resultsOf(run.id)).toHaveLength(1);
    }
  },
);
