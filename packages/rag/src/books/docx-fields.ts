import { rubyText } from './book-lines.ts';

/** Ruby, as versions of Word before 2000 and their converters write it: `EQ \o\ad(\s\up 9(たそがれ),黄昏)`. */
const RUBY =
  /^\s*eq\b[^(]*\\o\s*\\a[a-z]\s*\(\s*\\s\s*\\up\s*-?[\d.]*\s*\((?<reading>[^()]*)\)\s*[,;、，]\s*(?<base>[^()]*)\)\s*$/i;
/** A character in a ring: `eq \o\ac(○,秘)`. */
const RINGED = /^\s*eq\b[^(]*\\o\s*\\ac\s*\(\s*[^,;]*[,;](?<inner>.*)\)\s*$/i;

/** Returns what a field of a document shows that has no result; empty for what is no text. */
export function fieldText(code: string): string {
  const { base, reading } = RUBY.exec(code)?.groups ?? {};
  if (base !== undefined && reading !== undefined) return rubyText(base.trim(), reading);
  const inner = RINGED.exec(code)?.groups?.['inner'] ?? '';
  return inner.replaceAll(/\\[a-z]+\s*-?[\d.]*\s*|[()\s]/gi, '');
}
