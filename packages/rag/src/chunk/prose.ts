import { Border, type UnitList } from './unit-list.ts';
import type { Steps } from './in-turns.ts';
import { isBlank } from './source-text.ts';

/** What the ends of lines and blank lines are worth in a text. */
export interface ProseBorders {
  readonly line: Border;
  /** One blank line. */
  readonly blank: Border;
  /** Several blank lines. */
  readonly blanks: Border;
  /** Whether lines of stars and the like change the scene. */
  readonly scenes: boolean;
}

export const PLAIN_PROSE: ProseBorders = {
  line: Border.line,
  blank: Border.block,
  blanks: Border.scene,
  scenes: true,
};

/** `＊＊＊`, `◇ ◆ ◇`, `――――`, and Aozora Bunko's page breaks. */
const SCENE_LINE =
  /^\s*(?:(?:[＊*☆★◇◆○●□■△▲▽▼※＃#§†・＝=―─━~～〜_-]\s*){1,80}|［＃改(?:ページ|丁|頁|段|見開き)］\s*)$/u;
const LONGEST_SCENE_LINE = 100;
/** How a line ends that ends a sentence, and how one starts that starts a paragraph. */
const ENDED = /[。｡！？!?．.」』）)】〉》”"：:]\s*$/u;
const INDENTED = /^[\s「『（【〈《“"・●○■□◆◇※]/u;

/** Adds the lines of ordinary text from the end of the list up to an offset that ends a line. */
export function* addProse(list: UnitList, to: number, borders: ProseBorders): Steps {
  const { source } = list;
  let blanks = 0;
  for (let line = source.lineOf(list.end); ; line += 1) {
    yield;
    const from = Math.max(source.startOf(line), list.end);
    if (from >= to || line > source.lines) return;
    const end = Math.min(to, source.startOf(line + 1));
    if (isBlankRange(source.text, from, end)) {
      blanks += 1;
      list.extend(end);
      list.raise(blanks > 1 ? borders.blanks : borders.blank);
      continue;
    }
    blanks = 0;
    yield* addLine(list, from, end, to, borders);
  }
}

function* addLine(
  list: UnitList,
  from: number,
  end: number,
  to: number,
  borders: ProseBorders,
): Steps {
  const { text } = list.source;
  const line = text.slice(from, end);
  if (borders.scenes && line.length <= LONGEST_SCENE_LINE && SCENE_LINE.test(line)) {
    // A mark that ends a scene stays with it.
    list.set(Border.glue);
    yield* list.add(end, Border.scene);
    return;
  }
  for (const sentence of sentenceEnds(line)) {
    yield* list.add(from + sentence, Border.sentence);
    yield;
  }
  const isParagraphEnd =
    end >= to || INDENTED.test(text.slice(end, end + 1)) || ENDED.test(line.slice(-8));
  yield* list.add(end, isParagraphEnd ? borders.line : Border.wrap);
}

function isBlankRange(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

/**
 * The end of a sentence, with the closing quotes and annotations of Aozora Bunko that go with it; or
 * a closing quote directly before an opening one.
 */
const SENTENCE_END =
  /(?<mark>[。｡！？!?．.‼⁇⁈⁉]+)(?<close>(?:[」』）】〉》〕］)\]”’"']|［＃[^［］\r\n]{0,80}］)*)|[」』](?=[\s「『])/gu;

/** After a closing quote, the sentence continues: 「行く。」と言った。 */
const GOES_ON = /^[とってでだなのにはがをもや、，]/u;
/** After a bare mark of exclamation: えっ！と声が出た。 */
const QUOTED = /^[とっ、，…―]/u;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『（【〈《　]/u;
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|Mrs?|Ms|Dr|St|Prof|Jr|Sr|vs|etc|e\.g|i\.e|cf|No|Fig|Vol|pp?)$/u;

/**
 * The ends of the sentences inside one line, without the end of the line itself. Blanks behind a
 * sentence belong to it.
 */
export function* sentenceEnds(line: string): Generator<number> {
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const { mark, close } = match.groups ?? {};
    if (mark !== undefined && !isEnd(line, match.index, mark, close ?? '', end)) continue;
    const next = end + blanksAt(line, end);
    if (next < line.length) yield next;
  }
}

function isEnd(line: string, start: number, mark: string, close: string, end: number): boolean {
  const after = line.slice(end, end + 2);
  if (close === '' ? /[！？!?]$/u.test(mark) && QUOTED.test(after) : GOES_ON.test(after))
    return false;
  if (/[。｡！？‼⁇⁈⁉]/u.test(mark)) return true;
  if (mark.endsWith('．')) return !/^[0-9０-９a-zA-Z]/u.test(after);
  if (CJK.test(after)) return mark.length > 0 && !mark.startsWith('.');
  if (!/^\s/u.test(after)) return false;
  if (mark !== '.' || close !== '') return true;
  // Lower case continues after an abbreviation that is not listed.
  if (/^\p{Ll}/u.test(line.slice(end).slice(blanksAt(line, end), blanksAt(line, end) + 2)))
    return false;
  return !ABBREVIATION.test(line.slice(Math.max(0, start - 8), start));
}

function blanksAt(line: string, from: number): number {
  let at = from;
  while (/\s/u.test(line.charAt(at))) at += 1;
  return at - from;
}
