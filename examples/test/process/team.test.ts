import { randomUUID } from 'node:crypto';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { WorkflowEngine } from '@vizprompt/workflow';
import { dbos } from '@vizprompt/workflow/dbos';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { Program } from '../support/program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** Returns a database of its own: the example has fixed names in it, and the test counts. */
async function freshDatabase(): Promise<string> {
  const server = inject('databaseUrl');
  const name = `team_${randomUUID().replaceAll('-', '')}`;
  const run = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`CREATE DATABASE ${name}`);
  onTestFinished(() => run(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

it('two search notes in one index; one is killed while it writes, the other continues', async () => {
  const url = await freshDatabase();
  const member = (name: string): Program =>
    new Program('team/member.ts', { args: [name], env: { DATABASE_URL: url } });
  const [alice, bob] = [member('alice'), member('bob')];
  await Promise.all([alice.said(/is ready/), bob.said(/is ready/)]);
  alice.type('/note 地図は棚の上');
  await alice.said(/has noted 地図は棚の上/);
  bob.type('/find 地図');
  await bob.said(/finds a note of alice: 地図は棚の上/);

  bob.type(`/note ${Array.from({ length: 500 }, (_, at) => `荷物${at}は倉庫`).join('; ')}`);
  await bob.said(/has noted 荷物3は倉庫/);
  bob.child.kill('SIGKILL');
  await bob.ended;
  const noted = bob.output.match(/has noted 荷物/g)?.length ?? 0;
  alice.type('/note 鍵は玄関');
  await alice.said(/has noted 鍵は玄関/);
  alice.type('/find 倉庫');
  const [, found = ''] = await alice.said(/finds (\d+) notes/);
  // The note that was being written when it died is complete or absent.
  expect([noted, noted + 1]).toContain(Number(found));
  const again = member('bob');
  await again.said(/is ready/);
  again.type('/find 鍵');
  await again.said(/finds a note of alice: 鍵は玄関/);
  await Promise.all([alice.typed(), again.typed()]);
});

it('two share a project, a memory and a queue; one is killed, the other continues, and nothing is lost', async () => {
  const url = await freshDatabase();
  const member = (name: string): Program =>
    new Program('team/member.ts', {
      args: [name, '--lease', '3', '--delay-ms', '300'],
      env: { DATABASE_URL: url },
    });
  const [alice, bob] = [member('alice'), member('bob')];
  await Promise.all([alice.said(/is ready/), bob.said(/is ready/)]);

  // Each sees what the other does, while it happens.
  alice.type('合宿はいつ？');
  await bob.said(/sees the event 1 user_message of alice/);
  await bob.said(/sees the node 「合宿はいつ？」 助手です/);
  bob.type('場所はどこ？');
  await alice.said(/sees the node 「場所はどこ？」 助手です/);
  await alice.said(/sees the event 4 assistant_message of bob/);
  bob.type('/find 合宿');
  await bob.said(/finds what alice said: 合宿はいつ/);

  // Each works on one thing at a time: bob gets some of what alice asks for.
  const tasks = ['宿を探す', '車を借りる', '会費を集める'];
  for (const task of tasks) alice.type(`/do ${task}`);
  const [, run = ''] = await bob.said(/works on (\S+)/);
  await alice.said(new RegExp(`asks for ${run}`));
  await bob.said(new RegExp(`plan#1 of ${run} is done`));
  bob.child.kill('SIGKILL');
  await bob.ended;

  // Alice continues, with what bob had begun too.
  alice.type('誰が来る？');
  await alice.said(/sees the node 「誰が来る？」 助手です/);
  await alice.said(new RegExp(`takes over ${run}`));
  await alice.said(new RegExp(`plan#1 of ${run} was done already`));
  await alice.said(new RegExp(`gets from ${run}: 実行係です`));
  const again = member('bob');
  await again.said(/sees the event 6 assistant_message of alice/);
  await again.said(/sees the node 「誰が来る？」/);
  expect(await again.typed()).toContain('sees the node 「合宿はいつ？」');
  await alice.typed();
  expect((await alice.ended).code).toBe(0);
  expect(alice.output.match(/gets from/g)).toHaveLength(tasks.length);

  await using storage = await postgresStorage({ connectionString: url, namespace: 'team' });
  await using vizprompt = await VizPrompt.open({ storage });
  const { nodes } = await vizprompt.getFlow();
  const kept = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
  expect(kept.map(({ prompt, status = 'done' }) => `${prompt} ${status}`)).toEqual([
    '合宿はいつ？ done',
    '場所はどこ？ done',
    '誰が来る？ done',
  ]);
  await using memory = await MemoryStore.open({ storage });
  const { events } = await memory.events('team').page();
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await memory.check()).isOk).toBe(true);

  const queue = { url, namespace: 'team_work' };
  const files = new URL('../../team/flows.yaml', import.meta.url);
  await using engine = await WorkflowEngine.open({ files, runtime: dbos(queue) });
  const runs = await engine.runs();
  expect(runs.map(({ status }) => status)).toEqual(tasks.map(() => 'done'));
  // With any leader of a run, its two turns are a flow of the project, each once.
  const flows = await vizprompt.listFlows();
  const led = flows.filter(({ alias }) => alias !== 'main');
  expect(led.map(({ name }) => name).toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
  expect(led.map((flow) => flow.nodes)).toEqual(tasks.map(() => 2));
  expect((await vizprompt.check()).findings).toEqual([]);
});
