import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { marked } from 'marked';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import type { Conversation, TalkTurn } from '@vizprompt/talktable';
import { toMarkdown } from '../src/export/markdown.ts';

/** Pieces of which Markdown is made, and what breaks out of it. */
const PIECES = [
  ['\n', '\n\n', '\r', '\r\n', ' ', '  ', '    ', '\t', '\0', '\ud800', '\u2028', '\u00a0'],
  ['# ', '## 9. A', '===', '---', '- ', '1. ', '> ', '|', '```', '````', '~~~', '`', 'js', '\\'],
  ['</blockquote>', '<div>', '<script>', '<!--', '-->', '<![CDATA[', '<?', '<h2>x</h2>', '<pre>'],
  ['[9. A]: http://x', '[9. A]', '&lt;', '&', '<', '>', '*', '_', 'text', '猫', 'שלום', '😀'],
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
    { numRuns: 2000 },
  );
});

it('shows code as it was written', () => {
  const code = '```ts\nconst a: Array<string> = [];\n```\n<b>x</b>';
  const { document } = new JSDOM(marked.parse(talk([code], 'A'), { async: false })).window;
  expect(document.querySelector('code')?.textContent).toBe('const a: Array<string> = [];\n');
  expect(document.querySelector('blockquote > p')?.textContent).toBe('<b>x</b>');
});
