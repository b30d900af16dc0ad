import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { VizPrompt } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { seedConversation } from '../../../studio/seed/conversation.ts';
import { CHROMIUM, closeBrowser, graphOf, NO_CHROMIUM, openStudio } from './support.ts';

afterAll(closeBrowser);

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const anotherProcess = fileURLToPath(
  new URL('../../support/studio/create-node.ts', import.meta.url),
);

/** All node files of a project, as they are on the disk. */
async function nodeFiles(project: string): Promise<string[]> {
  const folder = join(project, 'nodes/00');
  const names = (await readdir(folder)).toSorted();
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

/** Three nodes in a row. */
async function threeNodes(vizprompt: VizPrompt): Promise<void> {
  for (const name of ['一', '二', '三']) {
    await vizprompt.createNode({ prompt: `${name}つ目`, response: `${name}の答え` });
  }
}

describe.skipIf(CHROMIUM === undefined)(`the graph (${CHROMIUM ?? NO_CHROMIUM})`, () => {
  it('shows the nodes of a flow, its branches and merges, and the text of the head', async () => {
    const { page, failures } = await openStudio({ seed: seedConversation });
    await expect.poll(async () => (await graphOf(page)).nodes).toHaveLength(8);
    const { nodes, edges } = await graphOf(page);
    expect(nodes[0]).toBe('1 猫カフェの予約サイトを作りたい。何から決めればいい？');
    expect(nodes[4]).toBe('■ 5 30日は長くない？');
    expect(edges).toHaveLength(8);
    expect(edges.filter((edge) => edge.includes('> 7 二つの案'))).toHaveLength(2);
    expect(edges.some((edge) => edge.endsWith('JWT案'))).toBe(true);
    const places = (await page.evaluate(
      `document.getElementById('graph')._cyreg.cy.nodes().map((node) => node.position())`,
    )) as { x: number; y: number }[];
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(8);
    // The main line is a straight one, and what was merged into it lies to the right.
    expect(places.map(({ x }) => x > 0)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      false,
      true,
    ]);
    await expect.poll(() => page.locator('#node .response').textContent()).toContain('7日で十分');
    expect(failures).toEqual([]);
  });

  it('labels a turn spoken by a person with its speaker and its text', async () => {
    const { page } = await openStudio({
      seed: async (vizprompt) => {
        const turn = { prompt: '何を飼う？', speaker: '猫派' };
        await vizprompt.createNode({ ...turn, response: '猫です。' });
        await vizprompt.createNode({ ...turn, speaker: '犬派', status: 'pending' });
      },
    });
    await expect
      .poll(async () => (await graphOf(page)).nodes)
      .toEqual(['1 猫派: 猫です。', '… 2 犬派: 何を飼う？']);
  });

  it('shows at once what another process makes with the SDK', async () => {
    const { page, project } = await openStudio({ seed: threeNodes });
    await expect.poll(async () => (await graphOf(page)).nodes).toHaveLength(3);
    const args = ['--import', tsx, anotherProcess, project, '別のプロセスから😀'];
    await promisify(execFile)(process.execPath, args);
    await expect
      .poll(async () => (await graphOf(page)).edges)
      .toContain('3 三つ目 > 4 別のプロセスから😀 ');
  });

  it('is walked with the arrow keys, which say where they lead', async () => {
    const { page } = await openStudio({ seed: seedConversation, locale: 'ja-JP' });
    await page.locator('#node .response').waitFor();
    await page.locator('#graph').focus();
    const said = page.locator('.unseen');
    for (const [key, prompt] of [
      ['ArrowUp', 'JWTならどう作る'],
      ['ArrowLeft', 'セッションで進めよう'],
      ['ArrowDown', '二つの案をまとめて'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => said.textContent()).toContain(prompt);
    }
    await expect.poll(() => page.locator('#node').textContent()).toContain('セッション案にします');
    expect(page.url()).toContain('?node=');
    await page.reload();
    await expect.poll(() => page.locator('#node').textContent()).toContain('セッション案にします');
  });
});

describe.skipIf(CHROMIUM === undefined)('from the page', () => {
  it('a question in the middle becomes a branch on the disk, and its answer comes word by word', async () => {
    const model = scriptedModel(() => '分岐の答えです。', { chunkSize: 2, chunkDelayMs: 40 });
    const { page, project, vizprompt, failures } = await openStudio({ seed: threeNodes, model });
    await page.locator('#node .response').waitFor();
    await page.locator('#graph').focus();
    await page.keyboard.press('ArrowUp');
    await page.fill('#question', '別の道は？');
    await page.fill('#branch', '別案');
    const seen: (string | null)[] = [];
    await page.exposeFunction('see', (text: string | null) => void seen.push(text));
    await page.evaluate(`new MutationObserver(() => {
      see(document.querySelector('#node .response')?.textContent ?? null);
    }).observe(document.querySelector('#node'), { childList: true, characterData: true, subtree: true })`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#node .response').textContent()).toBe('分岐の答えです。');
    await expect.poll(() => seen.join('\n')).toMatch(/^分岐(の答?え?)?$/m);
    await expect.poll(() => page.locator('#question').inputValue()).toBe('');
    await expect
      .poll(async () => (await graphOf(page)).edges)
      .toContain('2 二つ目 > 4 別の道は？ 別案');
    await expect.poll(async () => (await nodeFiles(project))[3]).toContain('分岐の答えです。');
    const { connections, nodes, head, file } = await vizprompt.getFlow();
    expect([connections.at(-1), head]).toEqual([
      { from: nodes[1]?.id, to: nodes[3]?.id, branch: '別案' },
      nodes[3]?.id,
    ]);
    expect(await readFile(join(project, file), 'utf8')).toContain('別案');
    expect(failures).toEqual([]);
  });

  it('a node that is asked again gets a sibling, and one that is stopped can continue', async () => {
    let call = 0;
    const model = scriptedModel(() => (call++ === 0 ? 'とても長い答え'.repeat(100) : '続き。'), {
      chunkSize: 5,
      chunkDelayMs: 20,
    });
    const { page, project } = await openStudio({ seed: threeNodes, model });
    await page.locator('#node .response').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => page.locator('#node .response').textContent()).toContain('とても長い');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => page.locator('#node .facts').textContent()).toContain('aborted');
    await expect
      .poll(async () => (await graphOf(page)).edges.slice(1))
      .toEqual(['2 二つ目 > 3 三つ目 ', '2 二つ目 > ■ 4 三つ目 ']);
    const files = await nodeFiles(project);
    expect(files).toHaveLength(4);
    expect(files[3]).toContain('とても長い答え');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => page.locator('#node .response').textContent()).toMatch(/続き。$/);
    await expect.poll(async () => (await nodeFiles(project))[3]).toContain('続き。');
    expect(await nodeFiles(project)).toHaveLength(4);
  });

  it('a node is disconnected, which is taken back and done again', async () => {
    const { page, vizprompt, failures } = await openStudio({ seed: threeNodes });
    await page.locator('#node .response').waitFor();
    const [cut, undo, redo] = ['Disconnect', 'Undo', 'Redo'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    await cut?.click();
    await expect.poll(async () => (await graphOf(page)).edges).toEqual(['1 一つ目 > 2 二つ目 ']);
    expect((await vizprompt.getFlow()).connections).toHaveLength(1);
    await expect.poll(() => undo?.getAttribute('title')).toBe('disconnectNodes');
    await undo?.click();
    await expect.poll(async () => (await graphOf(page)).edges).toHaveLength(2);
    await redo?.click();
    await expect.poll(async () => (await graphOf(page)).edges).toHaveLength(1);
    await expect.poll(() => redo?.isDisabled()).toBe(true);
    // The edit of another client is undone here, too.
    await vizprompt.deleteNode((await vizprompt.getFlow()).nodes[0]?.id ?? '');
    await expect.poll(() => undo?.getAttribute('title')).toBe('deleteNode');
    await undo?.click();
    await expect.poll(async () => (await graphOf(page)).nodes).toContain('1 一つ目');
    expect(failures).toEqual([]);
  });

  it('a node is added without a model, and an error of the server is reported', async () => {
    const model = scriptedModel([]);
    const { page, vizprompt } = await openStudio({ seed: threeNodes, model });
    await page.locator('#node .response').waitFor();
    await page.fill('#question', '覚え書き');
    await page.getByRole('button', { name: 'Add without asking' }).click();
    await expect.poll(async () => (await graphOf(page)).nodes).toContain('4 覚え書き');
    expect((await vizprompt.getFlow()).nodes).toHaveLength(4);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toContain('the script has no answer');
  });
});

describe.skipIf(CHROMIUM === undefined)('a page', () => {
  it('shows hostile text as text, and runs none of it', async () => {
    const hostile = `<img src=x onerror="window.harm=1"><script>window.harm=1</script>\u202e\0"'`;
    const { page, failures } = await openStudio({
      seed: async (vizprompt) => {
        const texts = { prompt: hostile, response: hostile, tags: [hostile] };
        await vizprompt.createNode({ ...texts, model: hostile });
        await vizprompt.createNode(
          { ...texts, prompt: 'javascript:harm' },
          { branchName: hostile },
        );
        await vizprompt.updateFlow('main', { name: hostile });
        await vizprompt.build({ model: null });
      },
    });
    await expect.poll(() => page.locator('#node').textContent()).toContain('<script>window.harm=1');
    await expect.poll(async () => (await graphOf(page)).nodes[0]).toContain('<img src=x');
    await page.goto(`${new URL(page.url()).origin}/#/search?q=harm`);
    await expect.poll(() => page.locator('#found-nodes li').count()).toBeGreaterThan(0);
    expect(await page.evaluate('window.harm')).toBeUndefined();
    expect(await page.locator('#main img, #main script').count()).toBe(0);
    expect(failures).toEqual([]);
  });

  it('recovers when the connection was lost, and shows what came in between', async () => {
    const { page, vizprompt, start, stop, failures } = await openStudio({ seed: threeNodes });
    await expect.poll(async () => (await graphOf(page)).nodes).toHaveLength(3);
    await stop();
    await expect.poll(() => page.locator('#connection').textContent()).toContain('lost');
    const { nodes } = await vizprompt.getFlow();
    await vizprompt.createNode({ prompt: 'その間に' });
    await vizprompt.updateNode(nodes[0]?.id ?? '', { prompt: '変わった' });
    expect((await graphOf(page)).nodes).toHaveLength(3);
    await start();
    await expect
      .poll(async () => (await graphOf(page)).nodes)
      .toEqual(['1 変わった', '2 二つ目', '3 三つ目', '4 その間に']);
    expect(await page.locator('#connection').textContent()).toBe('connected');
    await vizprompt.createNode({ prompt: 'そのあと' });
    await expect.poll(async () => (await graphOf(page)).nodes).toContain('5 そのあと');
    expect(failures).toEqual([]);
  });

  it('is dark where the reader wants it dark, the graph too', async () => {
    const { page } = await openStudio({ seed: threeNodes });
    await page.locator('#node .response').waitFor();
    const colours = (): Promise<unknown> =>
      page.evaluate(`[
        getComputedStyle(document.documentElement).backgroundColor,
        document.getElementById('graph')._cyreg.cy.nodes().first().style('background-color'),
      ]`);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(colours).toEqual(['rgb(251, 251, 250)', 'rgb(255,255,255)']);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(colours).toEqual(['rgb(22, 25, 29)', 'rgb(32,37,43)']);
  });

  it('draws a flow of 1,000 nodes, which the server gives a hundred at a time', async () => {
    const { page, failures } = await openStudio({
      seed: async (vizprompt) => {
        const messages = Array.from({ length: 1000 }, (_, at) => [
          { role: 'user', content: `質問${at}` },
          { role: 'assistant', content: `答え${at}` },
        ]);
        await vizprompt.importConversations(messages.flat());
      },
    });
    await expect.poll(async () => (await graphOf(page)).nodes.at(-1)).toBe('1000 質問999');
    expect(failures).toEqual([]);
  });
});
