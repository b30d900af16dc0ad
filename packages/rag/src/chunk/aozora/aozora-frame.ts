import { headingText } from '../heading-text.ts';
import type { SourceText } from '../source-text.ts';

/** What stands around the text of a book in an Aozora Bunko file. */
export interface AozoraFrame {
  readonly title: string;
  /** The first line of the book itself. */
  readonly bodyLine: number;
  /** The first line of the notes on the edition, or the line after the last. */
  readonly footerLine: number;
}

const RULE = /^-{20,}\s*$/u;
const FOOTER = /^底本[：:]/u;
/** The legend of signs is among the first lines; title and authors are fewer. */
const HEADER_LINES = 60;
const MOST_TITLE_LINES = 6;

/** Finds title, legend and edition of a file. */
export function aozoraFrame(source: SourceText): AozoraFrame {
  const footerLine = findFooter(source);
  const rules: number[] = [];
  for (let line = 1; line <= Math.min(HEADER_LINES, footerLine - 1); line += 1) {
    if (RULE.test(lineAt(source, line))) rules.push(line);
  }
  const end = rules[1] ?? titleEnd(source, footerLine);
  const title = end > 1 ? headingText(lineAt(source, 1).trim()) : '';
  return { title, bodyLine: Math.max(1, end + 1), footerLine };
}

/** Whether a text has marks that only Aozora Bunko files have. */
export function isAozora(text: string): boolean {
  return (
    /［＃[^\r\n］]{0,80}(?:見出し|字下げ|傍点|改ページ|改丁)[^\r\n］]{0,40}］/u.test(text) ||
    text.slice(0, 5000).includes('【テキスト中に現れる記号について】') ||
    (/^底本[：:]「/mu.test(text.slice(-5000)) && text.includes('青空文庫'))
  );
}

function findFooter(source: SourceText): number {
  for (let line = source.lines; line > 0; line -= 1) {
    if (FOOTER.test(lineAt(source, line))) return line;
  }
  return source.lines + 1;
}

/** The last of the lines with title and authors in a file without a legend; 0 if it has none. */
function titleEnd(source: SourceText, footerLine: number): number {
  if (footerLine > source.lines) return 0;
  let line = 1;
  while (line < footerLine && lineAt(source, line).trim() !== '') line += 1;
  return line > 2 && line - 1 <= MOST_TITLE_LINES ? line - 1 : 0;
}

function lineAt(source: SourceText, line: number): string {
  return source.text.slice(source.startOf(line), source.startOf(line + 1));
}
