import { FlowGraph, type MergeProposal } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { testProject, type TestProject } from '../support/open-project.ts';

async function twoBranches({ vizprompt }: TestProject) {
  const root = await vizprompt.createNode({
    prompt: '猫カフェの予約サイトを作りたい',
    response: '予約の方法を決めましょう。',
  });
  const left = await vizprompt.createNode(
    { prompt: '認証はどうする？', response: 'JWT を使いましょう。', tags: ['認証', 'JWT'] },
    { after: root.id },
  );
  const right = await vizprompt.createNode(
    { prompt: '認証はどうする？', response: 'セッションを使いましょう。', tags: ['認証'] },
    { after: root.id },
  );
  const database = await vizprompt.createNode(
    { prompt: 'データベースの表は？', response: '予約と猫の表です。', tags: ['表', '猫'] },
    { after: left.id },
  );
  const pages = await vizprompt.createNode(
    { prompt: '画面は？', response: '猫の表を見せる画面です。', tags: ['表', '猫', '画面'] },
    { after: right.id },
  );
  return { root, left, right, database, pages };
}

describe('a merge by content', () => {
  it('proposes from the text alone, the same each time, and writes only what is accepted', async () => {
    const project = await testProject();
    const { root, left, right, database, pages } = await twoBranches(project);
    const { structure } = project.vizprompt;
    const proposals: MergeProposal[] = [];
    for (const answer of [false, undefined]) {
      const { merged, proposal } = await structure.mergeByContent(database.id, pages.id, {
        accept: async () => answer,
      });
      expect(merged).toBeUndefined();
      proposals.push(proposal);
    }
    expect(proposals[0]).toEqual(proposals[1]);
    expect((await project.vizprompt.getFlow()).nodes).toHaveLength(5);
    const [proposal] = proposals;
    expect(proposal?.by).toBe('text');
    expect(proposal?.base.map(({ id }) => id)).toEqual([root.id]);
    expect(proposal?.left.turns.map(({ id }) => id)).toEqual([left.id, database.id]);
    expect(proposal?.right.turns.map(({ id }) => id)).toEqual([right.id, pages.id]);
    expect(proposal?.conflicts).toMatchObject([
      { kind: 'answer', left: [left.id], right: [right.id] },
      { kind: 'subject', left: [database.id], right: [pages.id] },
    ]);
    expect(proposal?.conflicts[0]?.text).toContain('JWT');
    for (const text of ['## 共通の出発点', 'JWT', 'セッション', '猫の表', '## 食い違いの候補']) {
      expect(proposal?.node.response).toContain(text);
    }

    const { merged } = await structure.mergeByContent(database.id, pages.id, {
      accept: () => true,
    });
    expect(
      new FlowGraph(merged?.flow ?? { nodes: [], connections: [] }).parents(merged?.node.id ?? ''),
    ).toEqual([database.id, pages.id]);
    expect(merged?.node.prompt).toBe(proposal?.node.prompt);
    await structure.undo();
    expect((await project.vizprompt.getFlow()).nodes).toHaveLength(5);
  });

  it('asks a model, hears its conflicts, and takes what the caller made of it', async () => {
    const project = await testProject();
    const { database, pages } = await twoBranches(project);
    const model = scriptedModel([
      '矛盾:\n- 認証の方式が JWT とセッションで違う\n\n統合:\n両方に対応する。\n猫の表を使う。',
    ]);
    const { merged, proposal } = await project.vizprompt.structure.mergeByContent(
      database.id,
      pages.id,
      {
        model,
        accept: ({ node }) => ({
          ...node,
          response: `${node.response}（確認済み）`,
          tags: ['統合'],
        }),
      },
    );
    expect(proposal.by).toBe('model');
    expect(proposal.conflicts.at(-1)).toMatchObject({
      kind: 'stated',
      text: '認証の方式が JWT とセッションで違う',
    });
    expect(merged?.node).toMatchObject({
      response: '両方に対応する。\n猫の表を使う。（確認済み）',
      model: 'script',
      tags: ['統合'],
    });
    const [call] = model.calls;
    expect(JSON.stringify(call?.messages)).toContain('猫の表を見せる画面です。');
  });

  it('takes an answer of any form, and stops on abort', async () => {
    const project = await testProject();
    const { database, pages } = await twoBranches(project);
    const { structure } = project.vizprompt;
    const { proposal } = await structure.mergeByContent(database.id, pages.id, {
      model: scriptedModel(['ただの文章。']),
      accept: () => false,
    });
    expect(proposal.node.response).toBe('ただの文章。');
    const english = await structure.mergeByContent(database.id, pages.id, {
      model: scriptedModel(['**Conflicts:**\n- None\n\n**Merged:**\nBoth.']),
      accept: () => false,
    });
    expect(english.proposal.node.response).toBe('Both.');
    expect(english.proposal.conflicts.filter(({ kind }) => kind === 'stated')).toEqual([]);
    const silent = await structure.mergeByContent(database.id, pages.id, {
      model: scriptedModel(['Conflicts:\n- None\n\nMerged:\n']),
      accept: () => false,
    });
    expect(silent.proposal).toMatchObject({
      by: 'text',
      node: { response: expect.stringContaining('JWT') },
    });
    const aborted = structure.mergeByContent(database.id, pages.id, {
      accept: () => true,
      signal: AbortSignal.abort(new Error('enough')),
    });
    await expect(aborted).rejects.toThrow('enough');
    expect((await project.vizprompt.getFlow()).nodes).toHaveLength(5);
  });

  it('refuses what is one branch already', async () => {
    const project = await testProject();
    const { root, left } = await twoBranches(project);
    const merging = project.vizprompt.structure.mergeByContent(root.id, left.id, {
      accept: () => true,
    });
    await expect(merging).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(merging).rejects.toThrow(`${left.id} continues from ${root.id} already`);
  });
});
