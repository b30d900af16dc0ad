// Plays scenes with the coding agents of today, all of them with a fake model, and compares what the memory holds with
// what was said: `npm run test:agents -- [--agent NAME] [--scene NAME] [--way import|hooks] [--latest] [--keep]
// [--record FOLDER] [--write]`. With `--write`, the table goes into docs/agents-tested.md.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MemoryStore } from '@vizprompt/memory';
import { problemsOf } from './compare.ts';
import { expectedFacts } from './expected.ts';
import { install, type Installed } from './install.ts';
import type { Agent } from './programs/agent.ts';
import { AGENTS, nameOf } from './programs/all.ts';
import { record } from './record.ts';
import type { Scene } from './scene.ts';
import { SCENES } from './scenes.ts';
import { Stage } from './stage.ts';
import { writeDocs } from './write-docs.ts';

const { values } = parseArgs({
  options: {
    agent: { type: 'string', multiple: true },
    scene: { type: 'string', multiple: true },
    way: { type: 'string', multiple: true },
    latest: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    record: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const ways = values.way ?? ['import', 'hooks'];
const scenes = SCENES.filter(({ name }) => values.scene?.includes(name) ?? true);
const rows = new Map<string, Map<string, string>>();
let failures = 0;

for (const agent of AGENTS) {
  if (values.agent && !values.agent.includes(agent.install)) continue;
  const installed = await install(agent.install, values.latest);
  const title = `${agent.name} ${installed.version}`;
  const row = new Map<string, string>();
  rows.set(title, row);
  for (const scene of scenes) {
    const isPlayed = scene.questions.every(({ start }) => agent.starts.has(start));
    if (!isPlayed || agent.lacks?.has(scene.name) === true) continue;
    for (const way of ways) await playOnce(agent, installed, scene, way, row, title);
  }
}
printTable();
if (values.write) await writeDocs(rows, scenes);
process.exitCode = failures === 0 ? 0 : 1;

async function playOnce(
  agent: Agent,
  installed: Installed,
  scene: Scene,
  way: string,
  row: Map<string, string>,
  title: string,
  isAgain = false,
): Promise<void> {
  const stage = await Stage.build(agent, installed);
  const check = async (name: string): Promise<void> => {
    const cell = `${scene.name} ${name}`;
    const said = saidOutputs(stage, scene, way === 'hooks');
    const unsaid = (scene.outputs?.length ?? 0) - said.length;
    if (unsaid > 0) process.stdout.write(`${title}, ${cell}: ${unsaid} lines not said\n`);
    const problems = await problemsAt(stage, agent, scene, said).catch((error: unknown) => [
      String(error),
    ]);
    if (problems.length === 0) row.set(cell, 'ok');
    else {
      failures++;
      row.set(cell, `${problems.length} ✗`);
      const shown = problems.length > 12 ? [...problems.slice(0, 12), '…'] : problems;
      process.stdout.write(
        `${title}, ${cell} (${stage.folder}):\n${shown.map((line) => `  ${line}\n`).join('')}${lastOutput(stage)}`,
      );
    }
  };
  try {
    if (way === 'hooks') {
      if (agent.hooks === undefined) return;
      await stage.ptta('setup', agent.hooks);
    }
    await stage.play(scene);
    if (isToRepeat(stage, way, isAgain)) {
      process.stdout.write(`${title}, ${scene.name} ${way}: it hung, once more\n`);
      return await playOnce(agent, installed, scene, way, row, title, true);
    }
    if (way === 'hooks') {
      // A process in the background may still store the last calls.
      await stage.ptta('hooks:ingest');
      await check('hooks');
    }
    await stage.ptta('import').catch((error: unknown) => stage.output.push(String(error)));
    await check(way === 'hooks' ? 'both' : 'import');
    if (values.record !== undefined && way === 'import') {
      await record(stage, values.record, `${nameOf(agent)}-${installed.version}-${scene.name}`);
    }
    for (const host of new Set(stage.models.refused))
      process.stdout.write(`${title} wanted ${host}\n`);
  } catch (error) {
    failures++;
    row.set(`${scene.name} ${way}`, '✗');
    process.stdout.write(`${title}, ${scene.name} ${way}: ${String(error).slice(0, 500)}\n`);
  } finally {
    await stage.models.close();
    if (!values.keep) await rm(stage.folder, { recursive: true, force: true });
    else {
      const file = join(stage.folder, 'requests.json');
      await writeFile(file, JSON.stringify(stage.models.requests, null, 1));
      process.stdout.write(`${stage.folder}\n${stage.output.join('').slice(-300)}\n`);
    }
  }
}

/** Checks whether a scene is played once more: an agent without hooks hangs for a reason of its own. */
function isToRepeat({ hasHung }: Stage, way: string, isAgain: boolean): boolean {
  return hasHung && way === 'import' && !isAgain;
}

/**
 * Returns the lines of outputs that the agent gave to its model or saved: what it lost itself no memory can have. If it
 * gave no result at all, something is wrong, and all lines are returned.
 */
function saidOutputs({ models }: Stage, { outputs = [] }: Scene, isLive: boolean): string[] {
  const lines = models.said.lines({ isLive });
  return outputs.filter((line) => lines.size === 0 || lines.has(line));
}

async function problemsAt(
  stage: Stage,
  agent: Agent,
  scene: Scene,
  outputs: readonly string[],
): Promise<readonly string[]> {
  await using store = await MemoryStore.open({ path: join(stage.home, '.ptta', 'ptta.db') });
  const { workspace } = stage;
  return await problemsOf(store, expectedFacts(agent, scene, workspace), { workspace, outputs });
}

/** Returns the last lines that the agents printed: they show why one failed. */
function lastOutput({ output }: Stage): string {
  const lines = output.join('').trimEnd().split('\n').slice(-20);
  return lines.map((line) => `  | ${line.slice(0, 200)}\n`).join('');
}

function printTable(): void {
  const columns = ['import', 'hooks', 'both'];
  for (const [title, row] of rows) {
    process.stdout.write(
      `\n${title}\n${''.padEnd(12)}${columns.map((name) => name.padEnd(9)).join('')}\n`,
    );
    for (const { name } of scenes) {
      const cells = columns.map((column) => (row.get(`${name} ${column}`) ?? '-').padEnd(9));
      process.stdout.write(`${name.padEnd(12)}${cells.join('')}\n`);
    }
  }
}
