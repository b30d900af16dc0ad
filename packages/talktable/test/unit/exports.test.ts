import { JSDOM } from 'jsdom';
import { marked } from 'marked';
import { expect, it } from 'vitest';
import { TalkError } from '@vizprompt/talktable';
import { failureOf, openManager, saying, twoAndMC } from '../support/support.ts';

const EVIL =
  '</article><script>alert(1)</script>\n# 見出し\n```js\n# no heading\n\u202e } \u001b[2J 😀\n';

async function exported(format: 'markdown' | 'json' | 'html'): Promise<string> {
  const manager = await openManager(
    twoAndMC({
      topic: '<b>題</b> & *星*',
      rounds: 1,
      participants: [
        { name: '<i>A</i>', model: saying(() => EVIL), persona: '"引用"' },
        { name: 'שלום', model: saying(() => 'ok'), visibleTo: ['<i>A</i>'] },
      ],
    }),
  );
  const run = manager.start();
  await run.result();
  return manager.exportConversation(run.conversationId, format);
}

it('the page needs nothing else, runs no script, and shows each turn with its speaker', async () => {
  const html = await exported('html');
  const { document } = new JSDOM(html).window;
  expect(document.querySelectorAll('script, link, img, iframe')).toHaveLength(0);
  expect(document.querySelector('h1')?.textContent).toBe('<b>題</b> & *星*');
  const articles = [...document.querySelectorAll('article')];
  expect(articles.map((one) => one.querySelector('bdi')?.textContent)).toEqual([
    'MC',
    '<i>A</i>',
    'שלום',
    'MC',
    'MC',
  ]);
  expect(articles[1]?.querySelector('div')?.textContent).toBe(EVIL);
  const turns = [...document.querySelectorAll('div .turn, h2 .turn')];
  expect(turns.map((turn) => turn.getAttribute('data-code'))).toEqual(['U+202E', 'U+001B']);
  expect(articles[2]?.textContent).toContain('heard by <i>A</i>');
  expect(html).toContain("default-src 'none'");
});

it('the Markdown has a heading for each turn, whatever was said', async () => {
  const markdown = await exported('markdown');
  for (const unseen of ['\u202e', '\u001b']) expect(markdown).not.toContain(unseen);
  expect(markdown).toContain('{U+202E} } {U+001B}[2J 😀');
  const { document } = new JSDOM(marked.parse(markdown, { async: false })).window;
  expect(document.querySelector('h1')?.textContent).toBe('<b>題</b> & *星*');
  expect([...document.querySelectorAll('body > h2')].map((one) => one.textContent)).toEqual([
    '0. MC',
    '1. <i>A</i>',
    '2. שלום',
    '3. MC',
    '4. MC',
  ]);
  expect(document.querySelector('blockquote > h1')?.textContent).toBe('見出し');
  expect(document.querySelector('script')).toBeNull();
  expect(document.querySelector('pre')?.textContent).toContain('# no heading');
});

it('a talk that was broken off does not look like a whole one', async () => {
  const manager = await openManager(twoAndMC());
  manager.on('turn:ended', ({ turn }) => turn.number === 1 && void manager.pause());
  const { conversationId } = await manager.start().result();
  expect(await manager.exportConversation(conversationId, 'markdown')).toMatch(/^- .+Z, paused$/m);
  await manager.resume(conversationId).result();
  const whole = await manager.exportConversation(conversationId, 'markdown');
  expect(whole).toMatch(/^- .+Z, done, rounds: 2$/m);
});

it('the JSON holds all that the log knows', async () => {
  const json = JSON.parse(await exported('json')) as Record<string, unknown>;
  expect(json).toMatchObject({
    format: 'vizprompt-talk',
    version: 1,
    conversation: {
      topic: '<b>題</b> & *星*',
      status: 'done',
      stopReason: 'rounds: 1',
    },
  });
  expect((json['turns'] as { text: string; prompt: string }[])[1]).toMatchObject({
    text: EVIL,
    prompt: expect.stringContaining('[system]'),
  });
});

it('a format that there is not is an error that names those there are', async () => {
  const error = await failureOf(exported('pdf' as 'json'));
  expect(TalkError.isInstance(error) && error.code).toBe('invalid-input');
  expect(String(error)).toContain("'pdf': the formats are markdown, json and html");
});
