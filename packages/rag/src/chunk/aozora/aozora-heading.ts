import { headingText } from '../heading-text.ts';

/** A heading of an Aozora Bunko text. */
export interface AozoraHeading {
  /** 1 for 大見出し, 2 for 中見出し, 3 for 小見出し. */
  readonly depth: number;
  readonly text: string;
  /** Whether it is the beginning of a line that goes on with ordinary text (同行見出し, 窓見出し). */
  readonly isRunIn: boolean;
}

const BEHIND = /［＃「(?<text>[^\r\n］]{0,100}?)」は(?<runIn>同行|窓)?(?<size>[大中小])見出し］/u;
const AROUND =
  /［＃(?<runIn>同行|窓)?(?<size>[大中小])見出し］(?<text>[^\r\n]{0,200}?)［＃(?:同行|窓)?\k<size>見出し終わり］/u;
export const BLOCK_START: RegExp = /［＃ここから(?<size>[大中小])見出し］/u;
export const BLOCK_END: RegExp = /［＃ここで[大中小]見出し終わり］/u;

/** The heading that a line holds. */
export function headingOfLine(line: string): AozoraHeading | undefined {
  const groups = (BEHIND.exec(line) ?? AROUND.exec(line))?.groups;
  if (groups === undefined) return undefined;
  return {
    depth: depthOf(groups['size']),
    text: withoutMarkup(groups['text'] ?? ''),
    isRunIn: groups['runIn'] !== undefined,
  };
}

export function depthOf(size: string | undefined): number {
  return size === '大' ? 1 : size === '中' ? 2 : 3;
}

/** What is no part of a text that is read. Longer ones are not closed. */
const MARKUP = /［＃[^］]{0,200}］|《[^》]{0,200}》|｜/gu;

/** The text as a reader sees it, without ruby and annotations; of a very long one, its beginning. */
export function withoutMarkup(text: string): string {
  return headingText(text.replaceAll(MARKUP, '').replaceAll(/\s+/gu, ' ').trim());
}
