import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlowGraph, VizPrompt, type StoredNode } from '@vizprompt/core';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { ConversationLog } from '@vizprompt/talktable';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Program, runProgram } from '../support/program.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-debate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function start(folder: string, ...args: readonly string[]): Program {
  return new Program('debate/main.ts', { args: [folder, ...args] });
}

/** Runs it to its end. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { code, stdout, stderr } = await runProgram(tmpdir(), 'debate/main.ts', { args, env });
  return { code, output: stdout + stderr };
}

interface Kept {
  readonly talk: string;
  /** Number, status and how often it was asked for. */
  readonly turns: readonly string[];
  /** The nodes of the project, in the order of speaking. */
  readonly nodes: readonly StoredNode[];
}

/** Returns the content of the folder when no program is at work in it. */
async function keptIn(folder: string): Promise<Kept> {
  await using log = await ConversationLog.open(join(folder, 'talk.db'));
  const [talk, ...others] = await log.conversations();
  expect(others).toEqual([]);
  const turns: string[] = [];
  const said: string[] = [];
  for await (const { number, status, attempt, text } of log.turns(talk?.id ?? '')) {
    turns.push(`${number} ${status} ${attempt}`);
    said.push(text);
  }
  await using vizprompt = await VizPrompt.open(folder, { lock: 'read-only' });
  const [summary] = await vizprompt.listFlows();
  const graph = new FlowGraph(await vizprompt.getFlow(summary?.id ?? ''));
  const line = graph.lineTo(graph.leaves()[0] ?? '');
  expect(graph.leaves()).toHaveLength(1);
  const nodes = await Promise.all(line.map((id) => vizprompt.getNode(id)));
  // A turn that was broken off is in the log, and a node as well.
  expect(nodes.map(({ response }) => response)).toEqual(said);
  return { talk: talk?.status ?? '', turns, nodes };
}

/** A round is two participants and the moderator; before and after them the moderator opens and closes. */
const ROUNDS = 4;
const WHOLE = Array.from({ length: 3 * ROUNDS + 2 }, (_, number) => `${number} done 1`);

describe('the debate', () => {
  it('runs without any key, ends when nothing new comes, and becomes a flow and a page', async () => {
    const folder = await temporaryFolder();
    const talk = await run([folder, '--delay-ms', '0']);
    expect(talk.code).toBe(0);
    expect(talk.output).toMatch(/0 司会: .*\n\n1 猫派: .*\n\n2 犬派: .*\n\n3 司会: /s);
    expect(talk.output).toContain('done: similarity, 8 turns');
    expect(talk.output).toContain('The flow 「人は猫と犬のどちらと暮らすべきか」 has 14 nodes');
    const kept = await keptIn(folder);
    expect(kept).toMatchObject({ talk: 'done', turns: WHOLE });
    expect(kept.nodes.map(({ speaker }) => speaker).slice(0, 5)).toEqual([
      '司会',
      '猫派',
      '犬派',
      '司会',
      '猫派',
    ]);
    expect(kept.nodes[2]?.prompt).toContain('猫派: 静かな夜に');
    const page = await readFile(join(folder, 'debate.html'), 'utf8');
    expect(page).toContain('<title>人は猫と犬のどちらと暮らすべきか</title>');
    expect(page).toContain('>2 猫派: 静かな夜に膝の上で眠る猫ほど');
    expect(page).toContain('>14 司会: どちらにも、誰かを待つ時間がありました');
  });

  it('continues after Ctrl+C, after a second one, and after its death: no turn is lost or doubled', async () => {
    const folder = await temporaryFolder();
    const paused = start(folder, '--delay-ms', '500');
    await paused.said(/1 猫派: /);
    paused.child.kill('SIGINT');
    expect((await paused.ended).code).toBe(0);
    expect(paused.output).toContain('Run this again to continue.');
    expect(await keptIn(folder)).toMatchObject({ talk: 'paused', turns: ['0 done 1', '1 done 1'] });

    const stopped = start(folder, '--delay-ms', '1500');
    await stopped.said(/2 犬派: ./);
    stopped.child.kill('SIGINT');
    await stopped.said(/pausing/);
    stopped.child.kill('SIGINT');
    expect((await stopped.ended).code).toBe(0);
    expect(stopped.output).not.toContain('1 猫派');
    const turns = ['0 done 1', '1 done 1', '2 aborted 1'];
    expect(await keptIn(folder)).toMatchObject({ talk: 'stopped', turns });

    const killed = start(folder, '--delay-ms', '1500');
    await killed.said(/2 犬派: ./);
    killed.child.kill('SIGKILL');
    await killed.ended;

    expect((await run([folder, '--delay-ms', '0'])).code).toBe(0);
    const whole = WHOLE.with(2, '2 done 3');
    expect(await keptIn(folder)).toMatchObject({ talk: 'done', turns: whole });
  });

  it('asks a real model in place of all stand-ins', async () => {
    const folder = await temporaryFolder();
    await using llm = await startFakeLLM({ answer: '同じことを申します。' });
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${llm.url}/v1` };
    const args = [folder, '--topic', '鳥か魚か', '--model', 'openai:tiny'];
    const talk = await run(args, env);
    expect(talk.code).toBe(0);
    expect(talk.output).toContain('The flow 「鳥か魚か」');
    const { turns } = await keptIn(folder);
    expect(llm.requests).toHaveLength(turns.length);
    expect(JSON.stringify(llm.requests[1]?.body)).toContain('あなたは「猫派」です');
  });

  it('says in one sentence what is wrong', async () => {
    const folder = await temporaryFolder();
    const talk = await run([folder, '--model', 'nowhere:m']);
    expect(talk.code).toBe(1);
    expect(talk.output).toMatch(/there is no provider 'nowhere'/);
    const other = await run([folder, '--config', 'none.yaml']);
    expect(other.code).toBe(1);
    expect(other.output).toContain('none.yaml: it cannot be read');
  });
});
