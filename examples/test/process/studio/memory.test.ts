import { join } from 'node:path';
import { MemoryStore, type NewEvent } from '@vizprompt/memory';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { seedSessions } from '../../../studio/seed/sessions.ts';
import { CHROMIUM, closeBrowser, NO_CHROMIUM, openStudio, type OpenStudio } from './support.ts';

afterAll(closeBrowser);

const WORKSPACE = '/home/mika/neko-cafe';
const DONE = 'time[datetime="2026-04-01T00:00:00.000Z"]';

/** Returns the page of what `seedSessions` makes. */
function openSeeded(locale: 'ja-JP' | 'en-US' = 'en-US'): Promise<OpenStudio> {
  return openStudio({ locale, seed: (_, memory) => seedSessions(memory) });
}

/** Opens another part of the page, as a link would. */
async function visit(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** Returns the numbers of the events that can be seen. */
function seen(page: Page): Promise<number[]> {
  return page.locator('.event:not([hidden]) > .facts > a').allTextContents().then(asNumbers);
}

function asNumbers(texts: readonly string[]): number[] {
  return texts.map(Number);
}

/** Returns a long session, as `seedSessions` makes none. */
async function longSession(memory: MemoryStore, count: number): Promise<string> {
  const { id } = await memory.startSession({ workspace: '/home/ann/long' });
  const events = Array.from({ length: count }, (_, at): NewEvent => {
    return { type: 'user_message', data: { content: `発言${at + 1}` } };
  });
  await memory.logMany(id, events);
  return id;
}

describe.skipIf(CHROMIUM === undefined)(`sessions (${CHROMIUM ?? NO_CHROMIUM})`, () => {
  it('are grouped by workspace, filtered by state, and kept up to date', async () => {
    const { page, memory, failures } = await openSeeded();
    await visit(page, '#/sessions');
    const groups = page.locator('.workspace h2');
    await expect
      .poll(() => groups.allTextContents())
      .toEqual(['/home/mika/menu-printer', WORKSPACE]);
    await page.getByLabel('ended').check();
    await expect.poll(() => groups.allTextContents()).toEqual([WORKSPACE]);
    expect(await page.locator('#sessions li').textContent()).toContain('10 events');
    await page.getByLabel('active').check();
    await expect.poll(() => groups.allTextContents()).toEqual(['/home/mika/menu-printer']);
    const { id } = await memory.startSession({ workspace: '/新しい/場所' });
    await expect
      .poll(() => groups.allTextContents())
      .toEqual(['/新しい/場所', '/home/mika/menu-printer']);
    await memory.endSession(id);
    await expect.poll(() => groups.allTextContents()).toEqual(['/home/mika/menu-printer']);
    expect(failures).toEqual([]);
  });

  it('lists page after page, and stays up to date', async () => {
    const { page, memory, failures } = await openStudio();
    for (let count = 0; count < 230; count++) await memory.startSession({ workspace: '/a' });
    await visit(page, '#/sessions');
    const entries = page.locator('#sessions li');
    await expect.poll(() => entries.count()).toBe(100);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => entries.count()).toBe(200);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => entries.count()).toBe(230);
    expect(await page.getByRole('button', { name: 'More' }).isVisible()).toBe(false);
    await memory.startSession({ workspace: '/a' });
    await expect.poll(() => entries.count()).toBe(231);
    expect(failures).toEqual([]);
  });

  it('lead to their timeline, in the language of the browser', async () => {
    const { page } = await openSeeded('ja-JP');
    await page.getByRole('link', { name: 'セッション' }).click();
    await page
      .locator('#sessions a')
      .filter({ has: page.locator(DONE) })
      .click();
    await expect.poll(() => seen(page)).toHaveLength(10);
    expect(await page.locator('#session').textContent()).toContain('終了済み');
    expect(await page.getAttribute('html', 'lang')).toBe('ja');
  });
});

describe.skipIf(CHROMIUM === undefined)('a timeline', () => {
  async function openTimeline(): Promise<OpenStudio> {
    const studio = await openSeeded();
    const [, done] = await studio.memory.listSessions();
    await visit(studio.page, `#/sessions/${done?.id}`);
    await expect.poll(() => seen(studio.page)).toHaveLength(10);
    return studio;
  }

  it('has bubbles, folded thoughts and tools, intentions, and diffs', async () => {
    const { page, failures } = await openTimeline();
    expect(await page.locator('.user_message .said').textContent()).toContain('最長12時間');
    const [user, assistant] = await Promise.all(
      ['.user_message', '.assistant_message >> nth=0'].map((one) =>
        page.locator(one).boundingBox(),
      ),
    );
    expect(user?.x).toBeLessThan(assistant?.x ?? 0);
    const thought = page.locator('.thinking .said');
    expect(await thought.isVisible()).toBe(false);
    await page.locator('.thinking summary').focus();
    await page.keyboard.press('Enter');
    expect(await thought.isVisible()).toBe(true);
    expect(await page.locator('.tool_use pre').first().isVisible()).toBe(false);
    expect(await page.locator('.code_intention').first().textContent()).toContain('上限を付ける');
    const edit = page.locator('.file_edit').first();
    expect(await edit.locator('summary').textContent()).toContain('session.ts (+7 −3)');
    expect(await edit.locator('.added').first().textContent()).toBe('+const IDLE_MINUTES = 30;\n');
    expect(await edit.locator('.removed').first().textContent()).toBe('-const MINUTES = 60;\n');
    expect(await edit.locator('.diff').isVisible()).toBe(true);
    await edit.getByRole('button', { name: 'why' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('event-5');
    expect(failures).toEqual([]);
  });

  it('is filtered by type and by file, and the filter makes way for a jump', async () => {
    const { page } = await openTimeline();
    await page.getByLabel('Tools').uncheck();
    await page.getByLabel('Thoughts').uncheck();
    expect(await seen(page)).toEqual([1, 4, 5, 6, 7, 8, 10]);
    await page.getByLabel('File', { exact: true }).selectOption({ index: 2 });
    expect(await seen(page)).toEqual([7, 8]);
    await page.fill('#jump', '3');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('event-3');
    expect(await seen(page)).toHaveLength(10);
    expect(page.url()).toContain('?event=3');
  });

  it('shows a failed edit with its error', async () => {
    const { page, memory } = await openSeeded();
    const [active] = await memory.listSessions();
    await visit(page, `#/sessions/${active?.id}`);
    await expect.poll(() => page.locator('.file_edit .error').textContent()).toContain('EACCES');
  });

  it('begins near its end, or near the event that is jumped to, and brings what is before', async () => {
    const { page, memory } = await openStudio();
    const id = await longSession(memory, 700);
    await visit(page, `#/sessions/${id}`);
    await expect.poll(async () => (await seen(page)).at(-1)).toBe(700);
    expect((await seen(page))[0]).toBe(501);
    await page.getByRole('button', { name: 'Earlier events' }).click();
    await expect.poll(async () => (await seen(page))[0]).toBe(301);
    await page.fill('#jump', '42');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('event-42');
    expect(await seen(page)).toEqual(Array.from({ length: 679 }, (_, at) => at + 22));
    await visit(page, `#/sessions/${id}?event=650`);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('event-650');
    await page.getByRole('button', { name: 'Earlier events' }).click();
    await expect.poll(async () => (await seen(page))[0]).toBe(430);
  });

  it('grows while another process logs, also after a lost connection', async () => {
    const { page, memory, project, stop, start, failures } = await openStudio();
    const id = await longSession(memory, 3);
    await visit(page, `#/sessions/${id}`);
    await expect.poll(() => seen(page)).toEqual([1, 2, 3]);
    await using other = await MemoryStore.open({ path: join(project, '../ptta.db') });
    await other.log(id, 'thinking', { content: '別の所から😀' });
    await expect.poll(() => seen(page)).toEqual([1, 2, 3, 4]);
    await stop();
    await expect.poll(() => page.locator('#live').textContent()).toContain('lost');
    await other.log(id, 'user_message', { content: 'その間に' });
    await start();
    await expect.poll(() => seen(page)).toEqual([1, 2, 3, 4, 5]);
    await other.endSession(id);
    await expect.poll(() => page.locator('#session').textContent()).toContain('ended');
    expect(failures).toEqual([]);
  });

  it('shows hostile text as text, and runs none of it', async () => {
    const hostile = `<img src=x onerror="window.harm=1"><script>window.harm=1</script>\u202e"'`;
    const { page, memory, failures } = await openStudio();
    const { id } = await memory.startSession({
      workspace: `/tmp/${hostile.replaceAll('/', '')}`,
      metadata: { branch: hostile, tags: [hostile] },
    });
    const edit = { action: 'edit', file_path: `src/${hostile.replaceAll('/', '')}` } as const;
    await memory.logMany(id, [
      { type: 'user_message', data: { content: hostile } },
      { type: 'assistant_message', data: { content: hostile } },
      { type: 'thinking', data: { content: hostile, context: hostile } },
      {
        type: 'code_intention',
        data: { ...edit, reason: hostile, diff: `@@ -1 +1 @@\n+${hostile}` },
      },
      {
        type: 'file_edit',
        data: { ...edit, diff: `-${hostile}`, success: false, error_message: hostile },
      },
      {
        type: 'tool_use',
        data: { tool: hostile, parameters: { [hostile]: hostile }, result: hostile },
      },
    ]);
    for (const [hash, place] of [
      ['#/sessions', '#sessions li'],
      [`#/sessions/${id}`, '.tool_use'],
      ['#/files', '#tree a'],
      ['#/search?q=harm', '#found-events li'],
    ] as const) {
      await visit(page, hash);
      await page.locator(place).first().waitFor();
      expect(await page.locator('#main').textContent()).toContain('<img src=x');
      expect(await page.locator('#main img, #main script').count()).toBe(0);
    }
    await visit(page, `#/sessions/${id}`);
    const turn = page.locator('.file_edit .diff .turn');
    expect(await turn.getAttribute('data-code')).toBe('U+202E');
    await visit(page, '#/files');
    await page.locator('#tree a').click();
    await page.locator('#history li').first().waitFor();
    expect(await page.evaluate('window.harm')).toBeUndefined();
    expect(failures).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('files', () => {
  it('are a tree, and each shows how it was changed and why', async () => {
    const { page, failures } = await openSeeded();
    await visit(page, '#/files');
    await page.getByLabel('Workspace').selectOption(WORKSPACE);
    const tree = page.locator('#tree');
    await expect
      .poll(() => tree.locator('a').allTextContents())
      .toEqual(['session.test.ts', 'session.ts']);
    expect(await tree.locator('summary').allTextContents()).toEqual(['src/', 'auth/']);
    await tree.getByText('session.ts', { exact: true }).click();
    const change = page.locator('#history li');
    await expect.poll(() => change.count()).toBe(1);
    expect(await change.textContent()).toContain('期限を操作ごとに延ばし、上限を付ける');
    expect(await change.locator('.added').count()).toBe(7);
    const whole = change.locator('details pre');
    await change.locator('summary').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => whole.textContent()).toMatch(/^const IDLE_MINUTES = 30;\n/);
    expect(await whole.textContent()).not.toContain('+const');
    await change.locator('a').click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('event-6');
    expect(failures).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('search', () => {
  it('marks what was found, in sessions and in conversations, and leads there', async () => {
    const { page, failures } = await openStudio({
      locale: 'ja-JP',
      seed: async (vizprompt, memory) => {
        await seedSessions(memory);
        await vizprompt.createNode({ prompt: '期限は何分？', response: '30分です。' });
        await vizprompt.createNode({ prompt: 'ほかの話' });
      },
    });
    await visit(page, '#/search');
    expect(await page.evaluate('document.activeElement.id')).toBe('words');
    await page.keyboard.type('期限');
    await page.keyboard.press('Enter');
    const events = page.locator('#found-events li');
    await expect.poll(() => events.count()).toBeGreaterThan(1);
    const marks = await page.locator('#found-events mark').allTextContents();
    expect(marks.length).toBeGreaterThan(1);
    expect(new Set(marks)).toEqual(new Set(['期限']));
    await expect.poll(() => page.locator('#found-nodes li').count()).toBe(1);
    await page.locator('#found-nodes a').click();
    await expect.poll(() => page.locator('#node').textContent()).toContain('30分です。');
    await page.goBack();
    await events.filter({ hasText: '操作ごとに' }).locator('a').first().click();
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('event');
    await visit(page, '#/search?q=見当たらない言葉zzz');
    await expect
      .poll(() => page.locator('#found-events').textContent())
      .toContain('見つかりません');
    expect(failures).toEqual([]);
  });
});
