/**
 * Characters that XML 1.0 cannot hold or that parsers alter: control characters, the two
 * noncharacters, lone surrogates, and CR, which every parser turns into LF.
 *
 * Source: Extensible Markup Language (XML) 1.0, sections 2.2 and 2.11.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Of these, those that XML cannot hold; a decoded file has no lone surrogates. */
// oxlint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** A line that git would write into a file when a merge fails: in a text it must not look so. */
const CONFLICT_MARK = /(?<=^|\n)<(?=<{6}(?: |\n|$))/;
const ALL_UNSAFE = new RegExp(`\\\\|${CONFLICT_MARK.source}|${UNSAFE.source}`, 'g');

/** Whether a text must be escaped to survive in an XML file. */
export function needsEscape(text: string): boolean {
  return UNSAFE.test(text) || (text.includes('<<<<<<<') && CONFLICT_MARK.test(text));
}

/** Writes each unsafe UTF-16 code unit, and what git would take for its mark, as `\uXXXX` and each backslash twice. */
export function escapeText(text: string): string {
  return text.replace(ALL_UNSAFE, (character) =>
    character === '\\'
      ? '\\\\'
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );
}

/** The text that {@link escapeText} was given. Other backslashes stay as they are. */
export function unescapeText(text: string): string {
  return text.replace(/\\(?:\\|u([0-9A-Fa-f]{4}))/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A character that no XML file can hold. */
export interface IllegalCharacter {
  readonly code: number;
  /** From 1. */
  readonly line: number;
}

/** The first character of a file that XML 1.0 does not allow there, in any form. */
export function illegalIn(xml: string): IllegalCharacter | undefined {
  const found = ILLEGAL.exec(xml);
  if (!found) return undefined;
  const line = xml.slice(0, found.index).split('\n').length;
  return { code: found[0].charCodeAt(0), line };
}
