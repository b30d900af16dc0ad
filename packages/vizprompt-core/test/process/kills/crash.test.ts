import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { VizPrompt } from '@vizprompt/core';
import { expect, it } from 'vitest';
import { startWriter, type Acknowledgement } from '../../support/start-children.ts';
import { temporaryFolder } from '../../support/open-project.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 3);

it(
  'loses nothing that was acknowledged when killed at any moment, and opens repaired',
  { timeout: 180_000 + ROUNDS * 20_000 },
  async () => {
    const folder = await temporaryFolder();
    const nodes = new Set<string>();
    const inFlow = new Map<string, string>();
    const changed = new Map<string, string>();
    const deleted = new Set<string>();
    const acknowledge = (message: Acknowledgement): void => {
      if (message.node) nodes.add(message.node);
      if (message.node && message.flow) inFlow.set(message.node, message.flow);
      if (message.changed) changed.set(message.changed, message.response ?? '');
      if (message.deleted) deleted.add(message.deleted);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const child = startWriter([folder, `writer${round % 3}`], acknowledge);
      // The first three messages are nodes; from then on any moment will do.
      for (let left = 3 + Math.floor(Math.random() * 15); left > 0; left--) {
        await once(child, 'message');
      }
      await sleep(Math.random() * 30);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;

      await using vizprompt = await VizPrompt.open(folder);
      expect(await vizprompt.problems()).toEqual([]);
      const flows = new Map<string, ReadonlySet<string>>();
      for (const { id, alias } of await vizprompt.listFlows()) {
        const flow = await vizprompt.getFlow(id);
        flows.set(alias ?? id, new Set(flow.nodes.map((node) => node.id)));
      }
      for (const id of nodes) {
        if (deleted.has(id)) continue;
        const node = await vizprompt.getNode(id).catch(() => undefined);
        // The last deletion may have happened and not been acknowledged.
        if (!node && [...nodes].at(-1) === id) {
          deleted.add(id);
          continue;
        }
        expect(node?.id).toBe(id);
        expect(flows.get(inFlow.get(id) ?? 'main')?.has(id)).toBe(true);
      }
      for (const [id, response] of changed) {
        expect((await vizprompt.getNode(id)).response).toBe(response);
      }
      for (const id of deleted) expect(await vizprompt.getNodeVersions(id)).toEqual([]);
      await expectMapsToFit(vizprompt, folder);
    }
    expect(nodes.size).toBeGreaterThanOrEqual(ROUNDS * 3);
  },
);

async function expectMapsToFit(vizprompt: VizPrompt, folder: string): Promise<void> {
  const { readFile, readdir } = await import('node:fs/promises');
  const map = await readFile(`${folder}/metadata/node_map.tsv`, 'utf8');
  const files = (await readdir(`${folder}/nodes`, { recursive: true }))
    .filter((name) => name.endsWith('.xml'))
    .toSorted();
  const listed = map
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('\t')[0] ?? '');
  expect(listed.toSorted()).toEqual(files);
  const found = await vizprompt.searchNodes({ limit: 100_000 });
  expect(found).toHaveLength(files.length);
}
