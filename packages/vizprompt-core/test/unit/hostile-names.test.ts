import { describe, expect, it } from 'vitest';
import type { VizPrompt } from '../../src/index.ts';
import { openProject } from '../support/open-project.ts';

const prompt = 'はじめまして';

/** All that is asked by the id of a node or by the name of a flow. */
const questions: Readonly<
  Record<string, (project: VizPrompt, name: string, node: string) => Promise<unknown>>
> = {
  getNode: (project, name) => project.getNode(name),
  updateNode: (project, name) => project.updateNode(name, { prompt }),
  deleteNode: (project, name) => project.deleteNode(name),
  'createNode in a flow': (project, name) => project.createNode({ prompt }, { flow: name }),
  'createNode after a node': (project, name) => project.createNode({ prompt }, { after: name }),
  getFlow: (project, name) => project.getFlow(name),
  updateFlow: (project, name) => project.updateFlow(name, { name: 'x' }),
  deleteFlow: (project, name) => project.deleteFlow(name),
  'addNodeToFlow to a flow': (project, name, node) => project.addNodeToFlow(name, node),
  'addNodeToFlow of a node': (project, name) => project.addNodeToFlow('main', name),
  removeNodeFromFlow: (project, name) => project.removeNodeFromFlow('main', name),
  connectNodes: (project, name, node) => project.connectNodes(node, name),
  'connectNodes in a flow': (project, name, node) =>
    project.connectNodes(node, node, { flow: name }),
  disconnectNodes: (project, name, node) => project.disconnectNodes(name, node),
  createBranch: (project, name) => project.createBranch(name, { prompt }),
  rebuildFlow: (project, name) => project.rebuildFlow(name, []),
  buildSummary: (project, name) => project.buildSummary(name),
  'buildContext at a node': (project, name) => project.buildContext({ prompt, node: name }),
  'buildContext of a flow': (project, name) => project.buildContext({ prompt, flow: name }),
  'buildContext with a pin': (project, name) => project.buildContext({ prompt, pin: [name] }),
  exportFlow: (project, name) => project.exportFlow(name, { format: 'markdown' }),
  toText: (project, name) => project.toText(name),
};
const names = ['\0', 'a\0b', '\ud800', 'x\udfff', '\u202emain', '../../..', '__proto__', '💬', ''];

describe('a name that no node and no flow has', () => {
  it.each(Object.entries(questions))('is refused by name: %s', async (_, ask) => {
    const vizprompt = await openProject();
    const { id } = await vizprompt.createNode({ prompt });
    for (const name of names) {
      const refused: unknown = await ask(vizprompt, name, id).then(
        () => 'not refused',
        (error: unknown) => error,
      );
      expect([name, refused]).toEqual([
        name,
        expect.objectContaining({
          name: 'VizPromptError',
          code: expect.not.stringMatching('internal'),
        }),
      ]);
    }
  });

  it('is no version of a node, and finds nothing', async () => {
    const vizprompt = await openProject();
    for (const name of names) {
      expect(await vizprompt.getNodeVersions(name)).toEqual([]);
      expect(await vizprompt.searchNodes({ text: name, tags: [name], keywords: [name] })).toEqual(
        [],
      );
    }
  });
});

it('a flow is found by a name with characters that no database holds', async () => {
  const vizprompt = await openProject();
  const flow = await vizprompt.createFlow({ name: 'a\0b' });
  expect((await vizprompt.getFlow('a\0b')).id).toBe(flow.id);
});
