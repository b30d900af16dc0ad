import { escapeHtml } from '@vizprompt/providers';

/** Characters that turn the direction of what follows: text can show another order with them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text for an element. Characters that turn the direction stand apart, where they turn nothing, and are
 * named by the style; the text stays as it is.
 */
export function escapeText(text: string): string {
  return escapeHtml(text).replaceAll(TURNS, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return `<bdi class="turn" data-code="U+${code}">${character}</bdi>`;
  });
}

/** A block in which spaces and line breaks stay; a parser drops the first line break. */
export function block(text: string, className = ''): string {
  const name = className === '' ? '' : ` class="${className}"`;
  return `<pre dir="auto"${name}>\n${escapeText(text)}</pre>`;
}
