import { modernKanjiTable, replaceUnits, unitTable } from '@vizprompt/providers/internal';
import { SIMPLIFIED_HANZI } from './hanzi-table.ts';

const simplified = unitTable(SIMPLIFIED_HANZI);
const modern = modernKanjiTable();
// A character that was rewritten before is simplified as what replaced it: 联, of 聯 which is 連, is 连.
const pairs = [...SIMPLIFIED_HANZI.matchAll(/(.)(.)/gu)];
for (const [, from = '', to = ''] of pairs) {
  const replaced = modern[from.charCodeAt(0)] ?? 0;
  const common = simplified[replaced] || replaced;
  if (replaced !== 0 && common !== to.charCodeAt(0)) simplified[to.charCodeAt(0)] = common;
  // And 捨 is simplified as what replaced 舍, which is 舎.
  const other = modern[to.charCodeAt(0)] ?? 0;
  if (replaced === 0 && other !== 0) simplified[from.charCodeAt(0)] = simplified[other] || other;
}
// 閑 as 闲, which is 间 where 閒 is 間.
for (const [, from = '', to = ''] of pairs) {
  simplified[from.charCodeAt(0)] =
    simplified[to.charCodeAt(0)] || simplified[from.charCodeAt(0)] || 0;
}

/** Returns Chinese in simplified characters, whichever it is written in. */
export function toSimplified(text: string): string {
  return replaceUnits(text, simplified);
}
