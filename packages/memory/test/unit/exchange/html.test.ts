import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newStore, textOf } from '../../support/open-store.ts';
import {
  HOSTILE,
  hostileSession,
  openPage,
  session,
} from '../../support/exchange/exported-page.ts';

describe('an HTML export', () => {
  it('shows what happened: messages, thoughts that unfold, intentions next to diffs', async () => {
    const store = await newStore();
    const html = await textOf(store.exportHtml({ session: await session(store) }));
    const page = openPage(html);
    const { document } = page;
    expect([page.errors, page.status()]).toEqual([[], '9 events']);
    expect(page.shown()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(document.title).toMatch(/^\/w 20\d\d-/);
    expect(document.querySelector('.facts')?.textContent).toContain('branch main');
    expect(document.querySelector('.user_message pre')?.textContent).toBe('認証を追加して');
    const thought = document.querySelector<HTMLDetailsElement>('.thinking details');
    expect([thought?.open, thought?.querySelector('summary')?.textContent]).toEqual([
      false,
      '💭 JWTが良い 二行目',
    ]);
    const changes = [...document.querySelectorAll('.change')];
    expect(changes.map((change) => change.querySelectorAll('article').length)).toEqual([2, 1]);
    expect(changes[0]?.querySelector('.code_intention pre')?.textContent).toBe('src/auth.tsの理由');
    expect(changes[0]?.querySelector('.diff .remove')?.textContent).toBe('-b\n');
    expect(changes[0]?.querySelector('.diff .add')?.textContent).toBe('+c\n');
    expect(changes[1]?.textContent).toContain('src/app.tsの理由');
    expect(changes[1]?.querySelector('a')?.getAttribute('href')).toBe('#s1e5');
    expect(document.querySelector('.tool_use summary')?.textContent).toBe(
      'Bash {"command":"npm test"} · 12 ms',
    );
    expect(document.querySelector('#s1e8 header')?.textContent).toContain('qwen3');
    expect(html).not.toContain('秘密');
    // A reader without scripts sees everything.
    expect(html.slice(0, html.indexOf('<script>'))).not.toMatch(/ hidden/);
  });

  it('is filtered by type and path, and leads to an event that is hidden', async () => {
    const store = await newStore();
    const html = await textOf(store.exportHtml({ session: await session(store) }));
    const page = openPage(html);
    page.check('thinking', false);
    page.check('tool_use', false);
    expect([page.shown(), page.status()]).toEqual([[1, 3, 4, 5, 7, 8, 9], '7 of 9 events shown']);
    page.path('ＡＵＴＨ');
    expect(page.shown()).toEqual([3, 4]);
    expect([...page.document.querySelectorAll('option')].map(({ value }) => value)).toEqual([
      'src/app.ts',
      'src/auth.ts',
    ]);
    page.press('Escape');
    expect(page.shown()).toHaveLength(7);
    page.window.location.hash = '#s1e2';
    page.window.dispatchEvent(new page.window.Event('hashchange'));
    expect(page.shown()).toHaveLength(9);
    expect(page.document.querySelector<HTMLDetailsElement>('#s1e2 details')?.open).toBe(true);
    page.click('#fold');
    const open = (): number => page.document.querySelectorAll('details[open]').length;
    expect(open()).toBe(page.document.querySelectorAll('details').length);
    page.click('#fold');
    expect(open()).toBe(0);
    for (const element of page.document.querySelectorAll('input')) {
      expect(element.getAttribute('aria-label') ?? element.closest('label')?.textContent).toMatch(
        /\w/,
      );
    }
    expect(page.errors).toEqual([]);
  });

  it('runs nothing of what was said, and gives it back to the letter', async () => {
    const store = await newStore({ redact: false });
    const html = await textOf(store.exportHtml({ session: await hostileSession(store) }));
    const page = openPage(html);
    const { document } = page;
    expect(page.errors).toEqual([]);
    expect(page.shown()).toHaveLength(HOSTILE.length * 7);
    expect(page.window).not.toHaveProperty('pwned');
    expect(document.title).toContain('script');
    expect(document.querySelectorAll('script')).toHaveLength(1);
    expect(document.querySelectorAll('style')).toHaveLength(1);
    expect(document.querySelectorAll('img,svg,iframe,object,embed,form,link,base')).toHaveLength(0);
    for (const element of document.querySelectorAll('*')) {
      for (const { name } of element.attributes) expect(name).not.toMatch(/^(?:on|style|src|x$)/);
    }
    for (const link of document.querySelectorAll('a')) {
      expect(link.getAttribute('href')).toMatch(/^#s\d+e\d+$/);
      expect(document.querySelector(link.getAttribute('href')!)).not.toBeNull();
    }
    const shown = (text: string): string => text.replaceAll('\0', '\ufffd');
    const texts = (selector: string): (string | null)[] => {
      return [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    };
    expect(texts('.user_message pre')).toEqual(HOSTILE.map(shown));
    expect(texts('.thinking pre')).toEqual(HOSTILE.map(shown));
    expect(texts('.file_edit > pre')).toEqual(HOSTILE.map(shown));
    expect(texts('h2 + p + p .tag')).toEqual(HOSTILE.map(shown));
    const added = texts('.file_edit .diff .add').map((text) => text?.replaceAll(/^\+/gm, ''));
    expect(added.join('')).toContain('مرحبا \u202eexe.txt\u202c');
    // Characters that turn the direction of text or are invisible are set apart, and named.
    const unseen = [...document.querySelectorAll('.user_message pre bdi')];
    expect(unseen.map((one) => one.getAttribute('data-code'))).toEqual([
      'U+202E',
      'U+202C',
      'U+2066',
      'U+2069',
      'U+0007',
    ]);
    expect(html.replaceAll(/<bdi[^>]*>[\u202a-\u202e\u2066-\u2069]<\/bdi>/g, '')).not.toMatch(
      /<pre[^>]*>[^<]*[\u202a-\u202e\u2066-\u2069]/,
    );
  });

  it('has a policy that knows its own script and style, and loads nothing', async () => {
    const store = await newStore();
    const html = await textOf(store.exportHtml({ session: await session(store) }));
    const { document } = openPage(html);
    const meta = document.querySelector('meta[http-equiv=Content-Security-Policy]');
    const policy = meta?.getAttribute('content') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    for (const [name, element] of [
      ['script-src', 'script'],
      ['style-src', 'style'],
    ] as const) {
      const text = document.querySelector(element)?.textContent ?? '';
      const hash = createHash('sha256').update(text).digest('base64');
      expect(policy).toContain(`${name} 'sha256-${hash}'`);
    }
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/https?:|url\(|@import| src=/);
  });

  it('holds one session, those of a workspace, or the changes of a file', async () => {
    const store = await newStore();
    const first = await session(store);
    await session(store);
    const other = await store.startSession({ workspace: '/other' });
    const anchors = (html: string): number => new Set(html.match(/ id="s\d+e\d+"/g)).size;
    expect(anchors(await textOf(store.exportHtml({ session: first })))).toBe(9);
    expect(anchors(await textOf(store.exportHtml({ workspace: '/w' })))).toBe(18);
    const file = await textOf(store.exportHtml({ workspace: '/w', path: 'src/auth.ts' }));
    expect([anchors(file), file.includes('src/app.ts')]).toEqual([4, false]);
    const elsewhere = await textOf(store.exportHtml({ path: '/other/a.ts' }));
    expect(elsewhere).not.toContain('<section');
    const empty = openPage(await textOf(store.exportHtml({ session: other.id })));
    expect([empty.errors, empty.status()]).toEqual([[], '0 events']);
    const none = openPage(await textOf(store.exportHtml({ workspace: '/nowhere' })));
    expect([none.errors, none.status()]).toEqual([[], '0 events']);
    await expect(textOf(store.exportHtml({ session: 'none' }))).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });

  it('comes in pieces as it is read, and stops when it is aborted', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const content = 'x'.repeat(2000);
    await store.logMany(
      id,
      Array.from({ length: 600 }, () => ({ type: 'user_message' as const, data: { content } })),
    );
    let [pieces, longest, total] = [0, 0, 0];
    for await (const piece of store.exportHtml({ session: id })) {
      pieces++;
      total += piece.length;
      longest = Math.max(longest, piece.length);
    }
    expect(pieces).toBeGreaterThan(600);
    expect(total).toBeGreaterThan(1_200_000);
    expect(longest).toBeLessThan(15_000);
    const controller = new AbortController();
    let read = 0;
    const reading = async (): Promise<void> => {
      for await (const _ of store.exportHtml({ session: id, signal: controller.signal })) {
        read++;
        if (read === 10) controller.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(read).toBe(10);
  });
});
