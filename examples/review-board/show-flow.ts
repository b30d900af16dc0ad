import { FlowGraph, type VizPrompt } from '@vizprompt/core';

/** Shows the speakers in their order: reviewers next to each other are branches, and the judge is where they meet. */
export async function showFlow(vizprompt: VizPrompt, name: string): Promise<void> {
  const flow = await vizprompt.getFlow(name);
  const graph = new FlowGraph(flow);
  const speakers = new Map<string, string>();
  for (const { id } of flow.nodes) {
    const { speaker = '?' } = await vizprompt.getNode(id);
    speakers.set(id, speaker);
  }
  for (const [id, speaker] of speakers) {
    const before = graph.parents(id).map((parent) => speakers.get(parent));
    console.log(before.length > 0 ? `- ${speaker}, after ${before.join(', ')}` : `- ${speaker}`);
  }
}
