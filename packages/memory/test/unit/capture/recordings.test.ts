import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { problemsOf } from '../../agents/compare.ts';
import { expectedFacts } from '../../agents/expected.ts';
import { AGENTS, nameOf } from '../../agents/programs/all.ts';
import { RECORDED_HOME } from '../../agents/record.ts';
import { SCENES } from '../../agents/scenes.ts';
import { openMemory } from '../../support/capture/open-memory.ts';

/** Output of `npm run test:agents -- --record FOLDER`, named after the agent, its version and the scene. */
const FOLDER = fileURLToPath(new URL('../../fixtures/agents', import.meta.url));
const NAME = /^(?<agent>[a-z-]+)-\d+\.\d+\.\d+-(?<scene>[a-z]+)\.jsonl$/;

it.each(readdirSync(FOLDER))('%s becomes what was said and done', async (file) => {
  const { agent: name, scene: played } = NAME.exec(file)?.groups ?? {};
  const agent = AGENTS.find((one) => nameOf(one) === name);
  const scene = SCENES.find((one) => one.name === played);
  if (!agent || !scene) throw new Error(`no agent or scene of ${file}`);
  const store = await openMemory();
  const report = await store.importTranscript(join(FOLDER, file));
  expect(report.unknown).toEqual({});
  const workspace = join(RECORDED_HOME, 'project');
  const { outputs } = scene;
  const facts = expectedFacts(agent, scene, workspace);
  expect(await problemsOf(store, facts, { workspace, outputs })).toEqual([]);
});
