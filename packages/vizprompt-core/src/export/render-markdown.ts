import MarkdownIt from 'markdown-it';

/**
 * Renders Markdown as HTML that is safe to be shown: HTML in it is text, links lead to the web or to an address of
 * mail, and pictures are links, so that nothing is loaded.
 *
 * @returns `undefined` for what would look the same as plain text.
 */
export type MarkdownRenderer = (text: string) => string | undefined;

/** The length in characters above which a text is not rendered. */
const MAX_LENGTH = 200_000;
/** The marks of a text with more than paragraphs. */
const MARKS = /[*_`#|~>[\]]|^[^\S\r\n\u2028\u2029]*(?:(?:[-+]|\d{1,9}[.)])\s|(?:---|===))/m;

/** Creates a renderer. */
export function markdownRenderer(): MarkdownRenderer {
  const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });
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
