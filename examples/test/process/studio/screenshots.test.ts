// The pictures of docs/guides/studio.md are rebuilt by:
//   SCREENSHOTS=1 npx vitest run --project process-examples studio/screenshots
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { seedConversation } from '../../../studio/seed/conversation.ts';
import { seedSessions } from '../../../studio/seed/sessions.ts';
import { CHROMIUM, closeBrowser, graphOf, NO_CHROMIUM, openStudio } from './support.ts';

afterAll(closeBrowser);

const FOLDER = fileURLToPath(new URL('../../../../docs/guides/images/', import.meta.url));
const MOST_BYTES = 150_000;

const VIEWS: readonly (readonly [name: string, show: (page: Page) => Promise<void>])[] = [
  [
    'studio-flow',
    async (page) => {
      await expect.poll(async () => (await graphOf(page)).nodes).toHaveLength(8);
      await page.locator('#node .response').waitFor();
    },
  ],
  [
    'studio-timeline',
    async (page) => {
      await page.getByRole('link', { name: 'セッション' }).click();
      await page.locator('.workspace').nth(1).locator('a').click();
      await page.locator('#event-10').waitFor();
      await page.locator('.thinking summary').click();
    },
  ],
  [
    'studio-files',
    async (page) => {
      await page.getByRole('link', { name: 'ファイル' }).click();
      await page.getByLabel('ワークスペース').selectOption('/home/mika/neko-cafe');
      await page.getByRole('link', { name: 'session.ts', exact: true }).click();
      await page.locator('#history .diff').waitFor();
    },
  ],
];

it('the pictures of the guide show what there is to see, and are small', async ({ skip }) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const { page, failures } = await openStudio({
    locale: 'ja-JP',
    width: 1040,
    seed: async (vizprompt, memory) => {
      await seedConversation(vizprompt);
      await seedSessions(memory);
    },
  });
  for (const [name, show] of VIEWS) {
    await show(page);
    const picture = await page.screenshot({ animations: 'disabled' });
    expect([name, picture.length < MOST_BYTES, picture.length]).toEqual([
      name,
      true,
      picture.length,
    ]);
    if (process.env['SCREENSHOTS'] === undefined) continue;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}${name}.png`, picture);
  }
  expect(failures).toEqual([]);
});
