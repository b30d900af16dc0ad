/** Text as HTML, for elements and for attributes in quotes. Characters that HTML cannot hold become U+FFFD. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\r', '&#13;');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
]);

/** Returns the text of words of HTML or of a value of XML, whose special characters are entities. */
export function unescapeHtml(html: string): string {
  return html.replaceAll(
    /&(?:amp|lt|gt|quot|apos|#39|nbsp);/g,
    (entity) => ENTITIES.get(entity) ?? entity,
  );
}

/**
 * Returns a text as the label of a Mermaid diagram, between quotes: everything that means something there by its code, as
 * `#35;` is shown as `#`.
 */
export function escapeMermaid(text: string): string {
  const safe = text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
    .replaceAll(/[#&<>"`%$;\\]/g, (character) => `#${character.charCodeAt(0)};`)
    // `fa:fa-cat` would be an icon.
    .replaceAll(/(?<=\bfa[a-z]?):(?=fa-)/g, '#58;');
  return safe.trim() === '' ? ' ' : safe;
}

/**
 * Invisible characters that have an effect: those that turn the direction of what follows (source: Unicode
 * Standard Annex 9, section 2), and control characters, such as the one that begins the commands of terminals; but
 * not white space.
 */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text for an element of HTML that people read. Characters that turn the direction can show another order than there
 * is, also of code; they and control characters are set apart, where they do nothing, and {@link VISIBLE_HTML_STYLE}
 * names them. The text of the element stays as it is, but for NUL and lone surrogates, which HTML has not: U+FFFD.
 *
 * @example
 * ```ts
 * `<style>${VISIBLE_HTML_STYLE}</style><pre>${visibleHtml(said)}</pre>`;
 * ```
 */
export function visibleHtml(text: string): string {
  return escapeHtml(text).replaceAll(UNSEEN, (character) => {
    return `<bdi class="turn" data-code="${codeOf(character)}">${character}</bdi>`;
  });
}

/** The rule of a style sheet that names what {@link visibleHtml} set apart. */
export const VISIBLE_HTML_STYLE: string = `.turn::before{content:attr(data-code);font-size:.7em;border:1px solid;border-radius:.2rem;padding:0 .2em}`;

/** Returns the same for plain text that people read, such as Markdown: `{U+202E}` instead of the character, U+FFFD for NUL. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replaceAll(UNSEEN, (character) => `{${codeOf(character)}}`);
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
