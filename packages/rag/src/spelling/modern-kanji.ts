import { MODERN_KANJI, SIMPLIFIED_HANZI } from './kanji-table.ts';

/** Rare characters take two units; these are replaced one by one. */
const wide = new Map<string, string>();
const modern = unitsOf(MODERN_KANJI, wide);
const simplified = unitsOf(SIMPLIFIED_HANZI);
// A character that was rewritten before is simplified as what replaced it: 联, of 聯 which is 連, is 连.
for (const [, from = '', to = ''] of SIMPLIFIED_HANZI.matchAll(/(.)(.)/gu)) {
  const replaced = modern[from.charCodeAt(0)] ?? 0;
  const common = simplified[replaced] || replaced;
  if (replaced !== 0 && common !== to.charCodeAt(0)) simplified[to.charCodeAt(0)] = common;
}

/** Returns a text with the form in use today of each old or rare form of a kanji, unit for unit. */
export function toModernKanji(text: string): string {
  return replaceUnits(text, modern);
}

/** Returns the common form of a character outside of the basic plane, or the character itself. */
export function commonForm(character: string): string {
  return wide.get(character) ?? character;
}

/** Returns Chinese in simplified characters, whichever it is written in. */
export function toSimplified(text: string): string {
  return replaceUnits(text, simplified);
}

function replaceUnits(text: string, table: Uint16Array): string {
  let from = 0;
  let replaced = '';
  for (let at = 0; at < text.length; at++) {
    const other = table[text.charCodeAt(at)] ?? 0;
    if (other === 0) continue;
    replaced += text.slice(from, at) + String.fromCharCode(other);
    from = at + 1;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

/** Builds a table with the replacement of each unit; 0 for the unit itself. */
function unitsOf(pairs: string, others?: Map<string, string>): Uint16Array {
  const table = new Uint16Array(0x10000);
  const characters = Array.from(pairs);
  for (let at = 0; at < characters.length; at += 2) {
    const [from = '', to = ''] = characters.slice(at, at + 2);
    if (from.length === 1 && to.length === 1) table[from.charCodeAt(0)] = to.charCodeAt(0);
    else others?.set(from, to);
  }
  return table;
}
