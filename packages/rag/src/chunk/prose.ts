import { Border } from './border.ts';
import { sentenceEnds } from './sentences.ts';
import { isBlank } from './source-text.ts';
import type { UnitList } from './unit-list.ts';

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
export function addProse(list: UnitList, to: number, borders: ProseBorders): void {
  const { source } = list;
  let blanks = 0;
  for (let line = source.lineOf(list.end); ; line += 1) {
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
    addLine(list, from, end, to, borders);
  }
}

function addLine(
  list: UnitList,
  from: number,
  end: number,
  to: number,
  borders: ProseBorders,
): void {
  const { text } = list.source;
  const line = text.slice(from, end);
  if (borders.scenes && line.length <= LONGEST_SCENE_LINE && SCENE_LINE.test(line)) {
    // A mark that ends a scene stays with it.
    list.set(Border.glue);
    list.add(end, Border.scene);
    return;
  }
  for (const sentence of sentenceEnds(line)) list.add(from + sentence, Border.sentence);
  const isParagraphEnd =
    end >= to || INDENTED.test(text.slice(end, end + 1)) || ENDED.test(line.slice(-8));
  list.add(end, isParagraphEnd ? borders.line : Border.wrap);
}

function isBlankRange(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}
