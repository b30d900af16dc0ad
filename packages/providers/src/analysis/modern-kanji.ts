import { MODERN_KANJI } from './kanji-table.ts';

/** Rare characters take two units; these are replaced one by one. */
const wide = new Map<string, string>();
let table: Uint16Array | undefined;

/** Returns the form in use today of each unit that is an old or rare form of a kanji; 0 for others. */
export function modernKanjiTable(): Uint16Array {
  return (table ??= unitTable(MODERN_KANJI, wide));
}

/** Returns a text with the form in use today of each old or rare form of a kanji, unit for unit. */
export function toModernKanji(text: string): string {
  return replaceUnits(text, modernKanjiTable());
}

/** Returns the common form of a character outside of the basic plane, or the character itself. */
export function commonForm(character: string): string {
  modernKanjiTable();
  return wide.get(character) ?? character;
}

/** Returns a short text with the common form of each kanji, of those outside of the basic plane, too. */
export function withCommonKanji(text: string): string {
  const modern = toModernKanji(text);
  if (!/[\ud800-\udbff]/.test(modern)) return modern;
  return Array.from(modern, commonForm).join('');
}

/** Returns a text with the replacement of each unit that a table has one of. */
export function replaceUnits(text: string, units: Uint16Array): string {
  let from = 0;
  let replaced = '';
  for (let at = 0; at < text.length; at++) {
    const other = units[text.charCodeAt(at)] ?? 0;
    if (other === 0) continue;
    replaced += text.slice(from, at) + String.fromCharCode(other);
    from = at + 1;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

/**
 * Builds a table with the replacement of each unit; 0 for the unit itself.
 *
 * @param pairs - Characters, each followed by its replacement.
 * @param others - Receives the pairs whose characters take two units.
 */
export function unitTable(pairs: string, others?: Map<string, string>): Uint16Array {
  const units = new Uint16Array(0x10000);
  const characters = Array.from(pairs);
  for (let at = 0; at < characters.length; at += 2) {
    const [from = '', to = ''] = characters.slice(at, at + 2);
    if (from.length === 1 && to.length === 1) units[from.charCodeAt(0)] = to.charCodeAt(0);
    else others?.set(from, to);
  }
  return units;
}
