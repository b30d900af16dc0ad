import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmTable } from 'micromark-extension-gfm-table';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { SourceText, type Steps } from '../../../src/chunk/source-text.ts';
import { loadBlockParser, skeletonOf } from '../../../src/chunk/markdown-chunking-strategy.ts';

const LINES = [
  '',
  '',
  '',
  '  ',
  '地の文。',
  '地の文。',
  '　字下げの文。',
  'plain text',
  '# 題',
  '## 節',
  '===',
  '---',
  '***',
  '- 項目',
  '- 項目',
  '- **別**: の項目',
  '  - 内側',
  '  続き',
  '    四つの空白',
  '1. 一',
  '2. 二',
  '-',
  '> 引用',
  '> - 引用の中',
  '>',
  '```',
  '```js',
  '~~~',
  '# box',
  '# box',
  '| a | b |',
  '| c | d |',
  '| c | d |',
  '| c \\| d |',
  'e | f | ',
  '- | g |',
  '2) 二',
  '3. 三',
  '11. 十一',
  '   三つの空白',
  '</div> <!-- 注 -->',
  '| - | - |',
  '|:-:|',
  ':-',
  'a | b',
  '<div>',
  '</div>',
  '<!-- 注',
  '-->',
  '[a]: /url',
  '[a]:',
  '/url',
  '"title"',
  '[リンク](x) と `code`',
  '+ 十',
  '+5',
  '2024.5.1 の記録',
];

const BLOCKS = ['code', 'table', 'thematicBreak', 'yaml'];

const documentOf = (lines: readonly string[]) =>
  fc.array(fc.constantFrom(...lines), { maxLength: 40 });
/** Few different lines make many repetitions. */
const fewLines = fc.shuffledSubarray(LINES, { minLength: 2, maxLength: 5 });

/** Returns the document as the parser reads it without a skeleton. */
function wholeOf(text: string): Nodes {
  return fromMarkdown(text, {
    extensions: [gfmTable(), frontmatter(['yaml'])],
    mdastExtensions: [gfmTableFromMarkdown(), frontmatterFromMarkdown(['yaml'])],
  });
}

/** Returns the result of steps, without turns of others. */
function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

describe('the skeleton of a Markdown document', () => {
  it('has the blocks of the document on their lines', async () => {
    const parser = await loadBlockParser();
    fc.assert(
      fc.property(
        fc.oneof(documentOf(LINES), fewLines.chain(documentOf)),
        fc.constantFrom('\n', '\r\n', '\r'),
        (lines, end) => {
          const source = new SourceText(lines.join(end));
          const skeleton = parser.blocks(atOnce(skeletonOf(source)));
          expect(outline(skeleton, lines)).toEqual(outline(wholeOf(source.text), lines));
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it.each([
    ['code in an item', ['- 項目', '  ```'], '  <b> {', ['  ```', '- 次']],
    ['a table', ['| a | b |', '|---|---|'], '| [a](b) | <br> |', []],
    ['HTML', ['<div>'], '  <p>', ['</div>']],
    ['a paragraph', ['文。'], '#タグ', ['---']],
    ['a list', ['- 項目'], '- [a](b)', ['> 引用']],
  ])('has %s of very many lines', async (_, before, line, behind) => {
    const parser = await loadBlockParser();
    const many = Array.from({ length: 120 }, (__, at) => `${line}${at}`);
    const lines = ['# 題', ...before, ...many, ...behind, '', '# 終', '', '文。'];
    const source = new SourceText(lines.join('\n'));
    const skeleton = atOnce(skeletonOf(source));
    expect(outline(parser.blocks(skeleton), lines)).toEqual(outline(wholeOf(source.text), lines));
  });

  it('is much shorter than a novel or a list', () => {
    const novel = Array.from({ length: 500 }, (_, index) => `　${index}番目の段落。\n\n`).join('');
    const list = Array.from({ length: 500 }, (_, index) => `- 項目${index}\n`).join('');
    expect(atOnce(skeletonOf(new SourceText(novel))).lines.length).toBeLessThan(8);
    expect(atOnce(skeletonOf(new SourceText(list))).lines.length).toBeLessThan(4);
  });
});

/** Returns the structure that the cuts depend on; equal neighbours may be missing among paragraphs, items and quotes. */
function outline(node: Nodes, lines: readonly string[], isTop = true): string[] {
  const here: string[] = [];
  const start = node.position?.start.line ?? 0;
  let end = node.position?.end.line ?? 0;
  // Blank lines at the end of an open block do not matter.
  while (end > start && (lines[end - 1] ?? '').trim() === '') end -= 1;
  if (node.type === 'heading') here.push(`heading ${node.depth} ${start}-${end}`);
  else if (BLOCKS.includes(node.type) || (isTop && node.type === 'list')) {
    here.push(`${node.type} ${start}-${end}`);
  }
  if ('children' in node) {
    const isRoot = node.type === 'root';
    here.push(...node.children.flatMap((child) => outline(child, lines, isRoot)));
  }
  return here;
}
