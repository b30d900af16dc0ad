import MarkdownIt from 'markdown-it';
import { emphasizeCjk, endLinksAtCjk } from './cjk-markdown.ts';

/**
 * Renders Markdown as HTML that is safe to be shown: HTML in it is text except a few tags without
 * attributes, links lead to the web or to an address of mail, and pictures are links, so that
 * nothing is loaded.
 *
 * @returns `undefined` for what would look the same as plain text.
 */
export type MarkdownRenderer = (text: string) => string | undefined;

/** The length in characters above which a text is not rendered. */
const MAX_LENGTH = 200_000;
/** The marks of a text with more than paragraphs. */
const MARKS =
  /[*_`#|~>[\]]|https?:\/\/|\\[()]|\$\S|^[^\S\r\n\u2028\u2029]*(?:(?:[-+]|\d{1,9}[.)])\s|(?:---|===))/m;

/** The beginnings and ends of mathematics as models write it; a price has a blank before the next sign. */
const MATH: readonly (readonly [start: string, end: RegExp])[] = [
  ['$$', /\$\$/],
  ['\\[', /\\\]/],
  ['\\(', /\\\)/],
  ['$', /(?<!\\)\$|\n/],
];
/** Longer ones are text. */
const MAX_MATH = 2000;

/** Returns the end of the mathematics that begins at a place of a text. */
function endOfMath(text: string, at: number): number | undefined {
  const [start, end] = MATH.find(([mark]) => text.startsWith(mark, at)) ?? [];
  if (start === undefined || end === undefined) return undefined;
  const from = at + start.length;
  const to = text.slice(from, from + MAX_MATH).search(end);
  if (to <= 0) return undefined;
  const inner = text.slice(from, from + to);
  // An end is as long as its start.
  const after = from + to + start.length;
  return isMath(start, inner, text.charAt(after)) ? after : undefined;
}

/**
 * A command, a power, an index, or an equation whose left side is no word or option; converters to
 * Markdown escape with other signs.
 */
const SIGNS = /(?<!\\)\\[a-z]{2}|(?<!\\)\^|(?<![\w\\])[a-z]_[\w{]|(?<![a-z]{2}[ \t]?|--\w{1,20})=/i;

/** Checks whether what is between two marks is mathematics: not a price, a variable, or text in escaped brackets. */
function isMath(start: string, inner: string, next: string): boolean {
  if (inner.trim() === '') return false;
  if (start === '$')
    return (
      /^\S(?:.*\S)?$/.test(inner) &&
      !/\]\(|`|^\d[\d.,]*\s[a-z]{2}/i.test(inner) &&
      !/[\w({]/.test(next)
    );
  if (start === '\\[') {
    const isApart = /^\s.*\n/s.test(inner) && !/^\s*\w{1,4}\s*$/.test(inner);
    return isApart || (SIGNS.test(inner) && !inner.includes('://') && next !== '(');
  }
  return start !== '\\(' || !isProse(inner.trim());
}

/** Markdown: a link, bold words, or an escape where no command is. */
const MARKDOWN = /\]\(|:\/\/|\*\*[^*]+\*\*|^(?!.*\\[a-z]{2}).*\\[_*[\]]/is;

/** Checks whether what is in escaped parentheses is text: words, Markdown, an exclamation or a rate. */
function isProse(inner: string): boolean {
  return (
    /^(?!.$)[\p{L}\p{N}\s.,;:'-]*$/u.test(inner) ||
    MARKDOWN.test(inner) ||
    (/[!%?]$/.test(inner) && !SIGNS.test(inner) && !/^\w!$|[+*/<>|(]/.test(inner))
  );
}

/** Shows mathematics as it is written: Markdown would take its signs for marks. */
function keepMath(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math', (state, isSilent) => {
    const end = endOfMath(state.src, state.pos);
    if (end === undefined || end > state.posMax) return false;
    if (!isSilent) state.push('math', 'code', 0).content = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  });
  parser.block.ruler.before('fence', 'math', (state, from, to, isSilent) => {
    const start = (state.bMarks[from] ?? 0) + (state.tShift[from] ?? 0);
    if (!/^(?:\$\$|\\\[)/.test(state.src.slice(start, start + 2))) return false;
    const end = endOfMath(state.src, start);
    if (end === undefined) return false;
    let line = from;
    while (line < to && (state.eMarks[line] ?? 0) < end) line++;
    // Text after it on its last line makes it a part of a paragraph.
    if (line >= to || state.src.slice(end, state.eMarks[line]).trim() !== '') return false;
    if (isSilent) return true;
    state.push('math', 'code', 0).content = state.src.slice(start, end);
    state.line = line + 1;
    return true;
  });
  parser.renderer.rules['math'] = (tokens, at) => {
    const { content = '', block } = tokens[at] ?? {};
    const code = `<code class="math">${parser.utils.escapeHtml(content)}</code>`;
    return block === true ? `<p>${code}</p>\n` : code;
  };
}

/** Tags without attributes or other tags in them, which Markdown has no marks for. */
const TAGGED =
  /<(sub|sup|kbd|mark|u|ins|small)>([^<>]{1,500})<\/\1>|<ruby>([^<>]{1,200})(?:<rp>[^<>]{0,3}<\/rp>)?<rt>([^<>]{1,200})<\/rt>(?:<rp>[^<>]{0,3}<\/rp>)?<\/ruby>|<br ?\/?>/iy;

/** Shows line breaks in cells, small letters and furigana. All other HTML is text. */
function showPlainTags(parser: MarkdownIt): void {
  parser.inline.ruler.before('html_inline', 'tags', (state, isSilent) => {
    if (state.src.charAt(state.pos) !== '<') return false;
    TAGGED.lastIndex = state.pos;
    const [whole, tag, inner = '', base, reading = ''] = TAGGED.exec(state.src) ?? [];
    if (whole === undefined || state.pos + whole.length > state.posMax) return false;
    if (!isSilent) {
      // A link within a link is none. The types of the library do not know the level.
      const isInLink = Number(Reflect.get(state, 'linkLevel')) > 0;
      const pushInside = (text: string): void => {
        const inside: typeof state.tokens = [];
        parser.inline.parse(text, parser, state.env, inside);
        for (const token of inside) {
          if (isInLink && token.type.startsWith('link_')) continue;
          state.tokens.push(token);
          state.tokens_meta.push(null);
        }
      };
      const push = (name: string, text: string): void => {
        state.push('tag_open', name, 1);
        pushInside(text);
        state.push('tag_close', name, -1);
      };
      if (base !== undefined) {
        state.push('tag_open', 'ruby', 1);
        pushInside(base);
        push('rt', reading);
        state.push('tag_close', 'ruby', -1);
      } else if (tag === undefined) state.push('hardbreak', 'br', 0);
      else push(tag.toLowerCase(), inner);
    }
    state.pos += whole.length;
    return true;
  });
}

/** Shows what is done and what is not in a list of tasks. */
function markTasks(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'tasks', ({ tokens }) => {
    for (const [at, { type, children }] of tokens.entries()) {
      const text = children?.[0];
      if (type !== 'inline' || text?.type !== 'text' || tokens[at - 2]?.type !== 'list_item_open')
        continue;
      text.content = text.content.replace(/^\[([ x])\](?=\s)/i, (_, mark) =>
        mark === ' ' ? '☐' : '☑',
      );
    }
  });
}

/** Creates a renderer. */
export function markdownRenderer(): MarkdownRenderer {
  const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
  // Only addresses that say so are links: names such as `a.py` are none.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  keepMath(parser);
  emphasizeCjk(parser);
  endLinksAtCjk(parser);
  showPlainTags(parser);
  markTasks(parser);
  parser.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url.trim());
  parser.renderer.rules['image'] = (tokens, at) => {
    const token = tokens[at];
    const { escapeHtml } = parser.utils;
    const address = token?.attrGet('src') ?? '';
    const name = token?.content === undefined || token.content === '' ? address : token.content;
    return `<a href="${escapeHtml(address)}" rel="noopener noreferrer" target="_blank">${escapeHtml(name)}</a>`;
  };
  parser.renderer.rules['link_open'] = (tokens, at, options, _, self) => {
    tokens[at]?.attrSet('rel', 'noopener noreferrer');
    tokens[at]?.attrSet('target', '_blank');
    return self.renderToken(tokens, at, options);
  };
  return (text) =>
    text.length > MAX_LENGTH || !MARKS.test(text) ? undefined : parser.render(text);
}
