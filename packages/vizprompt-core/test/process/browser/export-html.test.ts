import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CHROMIUM,
  NO_CHROMIUM,
  openInChromium,
} from '../../../../providers/test/support/chromium.ts';
import { expect, it } from 'vitest';
import { toHtml } from '../../../src/export/html.ts';
import { largeFlow, nodesOf } from '../../support/export-views.ts';
import { temporaryFolder } from '../../support/open-project.ts';

it('an HTML export works in a browser, from a file, on a phone', async ({ skip }) => {
  skip(CHROMIUM === undefined, NO_CHROMIUM);
  const view = largeFlow(4000);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'flow.html'), toHtml(view, nodesOf(view)));
  const phone = { width: 375, height: 700 };
  const page = await openInChromium(pathToFileURL(join(folder, 'flow.html')).href, phone);
  const see = `[document.querySelector('[aria-current]').textContent, location.hash,
    document.documentElement.scrollWidth,
    document.querySelector('article').getBoundingClientRect().left]`;
  expect(await page.evaluate(see)).toEqual(['4000 node 3999 長い題名', '#n4000', 375, 0]);
  // The lanes are narrower, and the dots stay round.
  expect(await page.evaluate('document.querySelector("path.dot").getAttribute("d")')).toMatch(
    /^M9\.9/,
  );
  expect(await page.evaluate('getComputedStyle(document.querySelector("svg")).transform')).toBe(
    'none',
  );
  for (const key of ['Home', 'ArrowRight', 'ArrowDown', '/']) await page.press(key);
  expect(await page.evaluate(see)).toEqual(['3 node 2 長い題名', '#n3', 375, 0]);
  expect(await page.evaluate('document.activeElement.localName')).toBe('input');
  expect(await page.evaluate('document.querySelector("li a").offsetWidth')).toBeGreaterThan(200);
  expect(page.requests.filter((url) => !url.endsWith('/flow.html'))).toEqual([]);
  expect(page.failures).toEqual([]);
});
