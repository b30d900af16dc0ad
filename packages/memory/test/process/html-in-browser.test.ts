import { beforeEach, describe, expect, it } from 'vitest';
import { CHROMIUM, NO_CHROMIUM } from '../../../providers/test/support/chromium.ts';
import { HOSTILE, hostileSession, inChromium, session } from '../support/exchange/exported-page.ts';
import { newStore, textOf } from '../support/open-store.ts';

describe('an HTML export in a browser', () => {
  beforeEach(({ skip }) => skip(CHROMIUM === undefined, NO_CHROMIUM));

  it('works from a file, and runs nothing of what was said', async () => {
    const store = await newStore({ redact: false });
    const html = await textOf(store.exportHtml({ session: await hostileSession(store) }));
    const { document, complaints } = await inChromium(html, '#s1e3');
    const status = document.querySelector('[role=status]')?.textContent;
    expect([status, complaints]).toEqual([`${HOSTILE.length * 7} events`, '']);
    expect(document.title).not.toBe('PWNED');
    expect(document.querySelector('#s1e3 details')?.hasAttribute('open')).toBe(true);
    expect(document.querySelectorAll('#paths option').length).toBe(HOSTILE.length);
  });

  it('is guarded by its policy, should a text ever break out', async () => {
    const store = await newStore();
    const html = await textOf(store.exportHtml({ session: await session(store) }));
    const broken = html.replace(
      '</main>',
      `${HOSTILE[0]}${HOSTILE[1]}<style>h1{display:none}</style></main>`,
    );
    const { document, complaints } = await inChromium(broken);
    expect(document.title).toMatch(/^\/w /);
    expect(document.querySelector('[role=status]')?.textContent).toBe('9 events');
    expect(
      complaints.match(/violates the following Content Security Policy/g)?.length,
    ).toBeGreaterThanOrEqual(3);
  });
});
