import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { CHROMIUM, closeBrowser, NO_CHROMIUM, openStudio } from './support.ts';

afterAll(closeBrowser);

/** Returns the status of an answer to exactly this path, which `fetch` would tidy up. */
async function statusOf(origin: string, path: string, headers: object = {}): Promise<number> {
  const sent = request(origin, { path, headers: { ...headers } });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

describe.skipIf(CHROMIUM === undefined)(
  `the servers of the page (${CHROMIUM ?? NO_CHROMIUM})`,
  () => {
    it('ask for the token, which is in no address, and say so when it is wrong', async () => {
      const { page, studio } = await openStudio();
      const { origin } = new URL(studio.url);
      await expect.poll(() => page.locator('#connection').textContent()).toBe('connected');
      expect(page.url()).toBe(`${origin}/#/`);
      expect(await statusOf(origin, '/api/stats')).toBe(401);
      const headers = { Authorization: `Bearer ${studio.token}` };
      expect(await statusOf(origin, '/api/stats', headers)).toBe(200);
      expect(await statusOf(origin, '/api/stats', { ...headers, Host: 'evil.example' })).toBe(421);
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await expect.poll(() => page.locator('#connection').textContent()).toContain('token');
    });

    it('give out the files of the page and nothing else, under a strict policy', async () => {
      const { studio } = await openStudio();
      const { origin } = new URL(studio.url);
      for (const path of ['/', '/app.js', '/flow/graph.js', '/vendor/cytoscape.js', '/style.css']) {
        expect([path, await statusOf(origin, path)]).toEqual([path, 200]);
      }
      for (const path of [
        '/../server.ts',
        '/..%2fserver.ts',
        '/tsconfig.json',
        '/wire/types.d.ts',
        '//',
      ]) {
        expect([path, await statusOf(origin, path)]).toEqual([path, 404]);
      }
      const policy = (await fetch(origin)).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'");
      expect(policy).not.toContain('unsafe');
    });
  },
);
