import { escapeHtml } from './escape-html.ts';

/** Characters that turn the direction of what follows. Source: Unicode Standard Annex 9, section 2. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text for an element of HTML that people read. Characters that turn the direction can show another order than there
 * is, also of code; they stand apart, where they turn nothing, and {@link VISIBLE_HTML_STYLE} names them. The text
 * of the element stays as it is.
 *
 * @example
 * ```ts
 * `<style>${VISIBLE_HTML_STYLE}</style><pre>${visibleHtml(said)}</pre>`;
 * ```
 */
export function visibleHtml(text: string): string {
  return escapeHtml(text).replaceAll(TURNS, (character) => {
    return `<bdi class="turn" data-code="${codeOf(character)}">${character}</bdi>`;
  });
}

/** The rule of a style sheet that names what {@link visibleHtml} set apart. */
export const VISIBLE_HTML_STYLE: string = `.turn::before{content:attr(data-code);font-size:.7em;border:1px solid;border-radius:.2rem;padding:0 .2em}`;

/** The same for plain text that people read, such as Markdown: `{U+202E}` instead of the character. */
export function visibleText(text: string): string {
  return text.replaceAll(TURNS, (character) => `{${codeOf(character)}}`);
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
