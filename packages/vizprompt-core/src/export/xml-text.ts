/** Characters that XML 1.0 cannot hold, not even as references. Source: XML 1.0, section 2.2. */
// oxlint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Escapes a text for an element or an attribute of XML. Control characters and lone surrogates, which XML cannot
 * hold, become U+FFFD; what parsers take for the end of a line is written as its code.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ILLEGAL, '\ufffd')
    .replaceAll(/[&<>"'\t\n\r\u0085\u2028]/g, (character) => `&#${character.charCodeAt(0)};`);
}
