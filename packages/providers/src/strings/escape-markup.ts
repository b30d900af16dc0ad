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
