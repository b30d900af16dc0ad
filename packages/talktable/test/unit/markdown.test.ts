import type { Conversation, TalkTurn } from '@vizprompt/talktable';
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { marked } from 'marked';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import { toMarkdown } from '../../src/reading/export-talk.ts';

/** Pieces of which Markdown is made, and what breaks out of it. */
const PIECES = [
  ['\n', '\n\n', '\r', '\r\n', ' ', '  ', '    ', '\t', '\0', '\ud800', '\u2028', '\u00a0'],
  ['# ', '## 9. A', '===', '---', '- ', '1. ', '> ', '|', '```', '````', '~~~', '`', 'js', '\\'],
  ['</blockquote>', '<div>', '<script>', '<!--', '-->', '<![CDATA[', '<?', '<h2>x</h2>', '<pre>'],
  [
    '[9. A]: http://x',
    '[^1]: ',
    '[',
    ']: ',
    ']',
    'a\nb]: /x "',
    '[9. A]',
    '&lt;',
    '&',
    '<',
    '>',
    '*',
    '_',
    'text',
    '猫',
    'שלום',
    '😀',
  ],
].flat();
const TEXT = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 25 })
  .map((pieces) => pieces.join(''));

function talk(texts: readonly string[], name: string): string {
  const conversation: Conversation = {
    id: 'c',
    topic: `t${name}`,
    startedAt: '2026-01-01T00:00:00Z',
    status: 'done',
    participants: [{ name, persona: name }, { name: 'B' }],
  };
  const turns = texts.map<TalkTurn>((text, number) => ({
    id: number,
    conversationId: 'c',
    number,
    speaker: 'B',
    isModerator: false,
    kind: 'turn',
    status: 'done',
    prompt: '',
    text,
    attempt: 1,
    startedAt: '',
  }));
  return toMarkdown(conversation, turns);
}

it('has no headings outside of quotes but its own, no HTML, and one quote for each turn', () => {
  fc.assert(
    fc.property(fc.array(TEXT, { minLength: 1, maxLength: 4 }), TEXT, (texts, name) => {
      const markdown = talk(texts, name);
      const tree = fromMarkdown(markdown);
      const expected = texts.flatMap((text) => (text.trim() === '' ? ['2'] : ['2', 'quote']));
      const outline = tree.children.map((node) =>
        node.type === 'heading'
          ? String(node.depth)
          : node.type === 'blockquote'
            ? 'quote'
            : node.type,
      );
      expect(outline).toEqual(['1', 'list', ...expected]);
      const headings = tree.children.filter((node) => node.type === 'heading').slice(1);
      expect(headings.map((node) => node.children)).toEqual(
        texts.map((_, at) => [expect.objectContaining({ type: 'text', value: `${at}. B` })]),
      );
      expect(JSON.stringify(tree)).not.toContain('"type":"html"');
    }),
    { numRuns: runs(80) },
  );
});

/** All texts of a tree: what is said, and what says how. */
function stringsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([key]) => key !== 'position' && key !== 'type')
    .map(([, one]) => stringsIn(one))
    .join('\n');
}

const countOf = (text: string, word: string): number => text.split(word).length - 1;

it('loses nothing of what was said, and what one says is no link in what others say', () => {
  fc.assert(
    fc.property(fc.array(TEXT, { minLength: 1, maxLength: 4 }), (texts) => {
      const tree = fromMarkdown(talk(texts, 'A'));
      expect(JSON.stringify(tree)).not.toMatch(
        /"type":"(?:definition|linkReference|imageReference)"/,
      );
      expect(countOf(stringsIn(tree), '猫')).toBe(countOf(texts.join(''), '猫'));
      expect(countOf(stringsIn(tree), 'שלום')).toBe(countOf(texts.join(''), 'שלום'));
    }),
    { numRuns: runs(150) },
  );
});

it('is read so by other readers, too', () => {
  const { document } = new JSDOM().window;
  fc.assert(
    fc.property(fc.array(TEXT, { minLength: 1, maxLength: 3 }), (texts) => {
      document.body.innerHTML = marked.parse(talk(texts, 'A'), { async: false });
      const headings = [...document.querySelectorAll('body > h2')];
      expect(headings.map(({ textContent }) => textContent)).toEqual(
        texts.map((_, at) => `${at}. B`),
      );
      // The info string of a fence, its language, is on no page.
      if (texts.some((text) => /`{3}|~{3}/.test(text))) return;
      expect(countOf(document.body.textContent ?? '', '猫')).toBe(countOf(texts.join(''), '猫'));
    }),
    { numRuns: runs(30) },
  );
});

it.each([
  ['[1]: /evil "title"', '[1]: /evil "title"'],
  ['[^1]: a note', '[^1]: a note'],
  ['- > 1. [a\nb]: /x', '[a b]: /x'],
  ['[本](http://x) を読む', '本 を読む'],
  ['`[a]: b` と `dict[k]: v`', '[a]: b と dict[k]: v'],
  ['- [x] done', ' done'],
])('shows what looks like a definition as it was said: %j', (text, shown) => {
  const page = marked.parse(talk([text, 'see [1] and [^1] and [a b]'], 'A'), { async: false });
  const { document } = new JSDOM(page).window;
  const [first, second] = document.querySelectorAll('blockquote');
  expect(first?.textContent?.replaceAll(/\s+/g, ' ')).toContain(shown);
  expect(second?.querySelector('a')).toBeNull();
  expect(document.querySelectorAll('a')).toHaveLength(text.includes('](') ? 1 : 0);
});

it('shows code as it was written', () => {
  const code = '```ts\nconst a: Array<string> = [];\n```\n<b>x</b>';
  const { document } = new JSDOM(marked.parse(talk([code], 'A'), { async: false })).window;
  expect(document.querySelector('code')?.textContent).toBe('const a: Array<string> = [];\n');
  expect(document.querySelector('blockquote > p')?.textContent).toBe('<b>x</b>');
});
