import { setTimeout as sleep } from 'node:timers/promises';
import { VizPromptError, type StoredNode, type VizPrompt } from '@vizprompt/core';

/** How soon the work of others is seen, in milliseconds. Events of a project are those of one process. */
export const POLL_MS = 200;

/** Returns the nodes of the main flow, by any member: those that are there, then those that come. */
export async function* followNodes(
  vizprompt: VizPrompt,
  signal: AbortSignal,
): AsyncGenerator<StoredNode> {
  const seen = new Set<string>();
  while (!signal.aborted) {
    // The main flow is made with its first node.
    const main = (await vizprompt.listFlows()).find(({ alias }) => alias === 'main');
    const nodes = main ? (await vizprompt.getFlow(main.id)).nodes : [];
    for (const { id } of nodes) {
      if (seen.has(id)) continue;
      const node = await vizprompt.getNode(id).catch(notYet);
      if (!node || node.status === 'pending') continue; // its answer is on the way
      seen.add(id);
      yield node;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** A flow names a node a moment before the index that all share knows it. */
function notYet(error: unknown): undefined {
  if (!VizPromptError.isInstance(error) || error.code !== 'node-not-found') throw error;
}
