import { modernKanjiTable, replaceUnits, unitTable } from '@vizprompt/providers/internal';
import { SIMPLIFIED_HANZI } from './hanzi-table.ts';

const simplified = unitTable(SIMPLIFIED_HANZI);
const modern = modernKanjiTable();
// A character that was rewritten before is simplified as what replaced it: 联, of 聯 which is 連, is 连.
for (const [, from = '', to = ''] of SIMPLIFIED_HANZI.matchAll(/(.)(.)/gu)) {
  const replaced = modern[from.charCodeAt(0)] ?? 0;
  const common = simplified[replaced] || replaced;
  if (replaced !== 0 && common !== to.charCodeAt(0)) simplified[to.charCodeAt(0)] = common;
}

/** Returns Chinese in simplified characters, whichever it is written in. */
export function toSimplified(text: string): string {
  return replaceUnits(text, simplified);
}
