import type { Nodes, Root } from 'mdast';
import type { Options } from 'mdast-util-from-markdown';
import { firstCharacters, headingText } from '../heading-text.ts';
import type { Skeleton } from './skeleton.ts';

/** Reads the blocks of Markdown, and the plain text of its headings. */
export interface BlockParser {
  /** The blocks with the lines of the document that the skeleton was made of. */
  blocks(skeleton: Skeleton): Root;
  /** The text of a heading without its markup; of a long one, its beginning. */
  plainText(markdown: string): string;
}

/** The constructs inside paragraphs and headings. */
const INLINE = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];

/** A heading without markup, which needs no parser. */
const PLAIN_HEADING = /^#{1,6}[ \t]+(?<text>[^!#&*<>[\\\]_`~\r\n]*)\s*$/u;

/** So much of a heading is read: the time of the parser grows with the square of its length. */
const READ_OF_HEADING = 1000;

let parser: Promise<BlockParser> | undefined;

/** Loads the parser on first use, so that programs which only search never do. */
export function loadBlockParser(): Promise<BlockParser> {
  parser ??= load();
  return parser;
}

async function load(): Promise<BlockParser> {
  const [{ fromMarkdown }, { gfmTable }, { gfmTableFromMarkdown }, front, frontUtil] =
    await Promise.all([
      import('mdast-util-from-markdown'),
      import('micromark-extension-gfm-table'),
      import('mdast-util-gfm-table'),
      import('micromark-extension-frontmatter'),
      import('mdast-util-frontmatter'),
    ]);
  const options: Options = {
    extensions: [gfmTable(), front.frontmatter(['yaml']), { disable: { null: INLINE } }],
    mdastExtensions: [gfmTableFromMarkdown(), frontUtil.frontmatterFromMarkdown(['yaml'])],
  };
  return {
    blocks(skeleton) {
      const root = fromMarkdown(skeleton.text, options);
      moveLines(root, skeleton.lines);
      return root;
    },
    plainText(markdown) {
      const heading = firstCharacters(markdown, READ_OF_HEADING);
      const plain = PLAIN_HEADING.exec(heading)?.groups?.['text'];
      const text = plain ?? textOf(fromMarkdown(heading));
      return headingText(text.replaceAll(/\s+/gu, ' ').trim());
    },
  };
}

function moveLines(node: Nodes, lines: readonly number[]): void {
  if (node.position !== undefined) {
    const { start, end } = node.position;
    start.line = lines[start.line - 1] ?? start.line;
    end.line = lines[end.line - 1] ?? end.line;
  }
  if ('children' in node) for (const child of node.children) moveLines(child, lines);
}

function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('');
  if (node.type === 'html') return '';
  if (node.type === 'break') return ' ';
  if (node.type === 'image') return node.alt ?? '';
  return 'value' in node ? node.value : '';
}
