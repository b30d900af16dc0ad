import { FlowGraph } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

describe('messages in the form of OpenAI', () => {
  it('are the conversation that was imported, grown, if they begin with it', async () => {
    const vizprompt = await openProject();
    const ask = (content: string): object => ({ role: 'user', content });
    const answer = (content: string): object => ({ role: 'assistant', content });
    const importing = async (list: readonly object[], more: object = {}): Promise<object> => {
      const { conversations, nodes } = await vizprompt.importConversations([
        { messages: list, ...more },
      ]);
      const { imported, updated, unchanged } = conversations;
      const { created, updated: grown } = nodes;
      return { imported, updated, unchanged, created, grown };
    };
    const none = { imported: 0, updated: 0, unchanged: 0, created: 0, grown: 0 };
    const scene = { role: 'system', content: '短く' };
    const first = [scene, ask('猫は？'), answer('好き')];
    const second = [...first, ask('犬は？')];
    const third = [...second, answer('まあまあ 🐕'), ask('鳥は？')];
    const other = [...second, answer('嫌い')];

    // A question alone begins many conversations.
    expect(await importing([scene, ask('猫は？')])).toEqual({ ...none, imported: 1, created: 1 });
    expect(await importing(first)).toEqual({ ...none, imported: 1, created: 1 });
    expect(await importing(second)).toEqual({ ...none, updated: 1, created: 1 });
    const [node] = await vizprompt.searchNodes({ text: '好き' });
    await vizprompt.updateNode(node?.id ?? '', { response: '大好き', tags: ['猫'] });
    const { id, nodes } = await vizprompt.getFlow((await vizprompt.listFlows())[1]?.id);
    const own = await vizprompt.createBranch(nodes[0]?.id ?? '', { prompt: '手で' }, { flow: id });
    expect(await importing(third)).toEqual({ ...none, updated: 1, created: 1, grown: 1 });
    for (const list of [first, second, third]) {
      const turned = list.map((one) => Object.fromEntries(Object.entries(one).toReversed()));
      expect(await importing(turned)).toEqual({ ...none, unchanged: 1 });
    }
    // It begins like the first, but that has continued in another way by now.
    expect(await importing(other)).toEqual({ ...none, imported: 1, created: 2 });
    expect(await importing([...other, ask('魚は？')])).toEqual({ ...none, updated: 1, created: 1 });
    expect(await importing(third, { tools: [{}] })).toEqual({ ...none, imported: 1, created: 3 });
    const named = { ...none, imported: 1, created: 2 };
    expect(await importing(second, { conversation_id: 'c' })).toEqual(named);

    const flow = await vizprompt.getFlow(id);
    expect(flow.nodes).toHaveLength(4);
    expect(new FlowGraph(flow).parents(flow.head ?? '')).toEqual([nodes[1]?.id]);
    expect((await vizprompt.getNode(own.id)).prompt).toBe('手で');
    expect(await vizprompt.getNode(node?.id ?? '')).toMatchObject({ tags: ['猫'] });
    expect((await vizprompt.listFlows()).map((one) => one.nodes)).toEqual([1, 4, 3, 3, 2]);
    expect(await vizprompt.problems()).toEqual([]);
  });
});
