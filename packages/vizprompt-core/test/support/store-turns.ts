import type { StoredNode, VizPrompt } from '@vizprompt/core';

/** Stores turns one after the other, and returns their nodes. */
export async function storeTurns(
  vizprompt: VizPrompt,
  turns: readonly (readonly [prompt: string, response: string])[],
): Promise<StoredNode[]> {
  const nodes: StoredNode[] = [];
  for (const [prompt, response] of turns) {
    nodes.push(await vizprompt.createNode({ prompt, response }));
  }
  return nodes;
}
