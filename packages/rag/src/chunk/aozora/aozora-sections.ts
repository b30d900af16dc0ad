import { Border } from '../border.ts';
import type { ChunkLimits } from '../chunking-options.ts';
import { addProse, PLAIN_PROSE } from '../prose.ts';
import type { Section } from '../section.ts';
import type { SourceText } from '../source-text.ts';
import { UnitList } from '../unit-list.ts';
import { aozoraFrame } from './aozora-frame.ts';
import {
  BLOCK_END,
  BLOCK_START,
  depthOf,
  headingOfLine,
  withoutMarkup,
  type AozoraHeading,
} from './aozora-heading.ts';

/** The heading of the notes on the edition. */
const EDITION = '底本';

/** A heading with the lines that it takes. */
interface PlacedHeading extends AozoraHeading {
  readonly line: number;
  readonly lastLine: number;
}

/** The sections of an Aozora Bunko text: title and legend, the parts of the book, the edition. */
export function aozoraSections(source: SourceText, limits: ChunkLimits): readonly Section[] {
  const { title, bodyLine, footerLine } = aozoraFrame(source);
  const sections: Section[] = [];
  const root = title === '' ? [] : [title];
  let above: PlacedHeading[] = [];
  let list = new UnitList(source, limits, source.from);

  const close = (line: number, path: readonly string[]) => {
    addProse(list, source.startOf(line), PLAIN_PROSE);
    if (list.units.length === 0) return;
    sections.push({ headingPath: [...root, ...path], list });
    list = new UnitList(source, limits, list.end);
  };
  const path = () => above.map(({ text }) => text).filter((text) => text !== '');

  close(bodyLine, []);
  for (const heading of headings(source, bodyLine, footerLine)) {
    const last = above.at(-1);
    addProse(list, source.startOf(heading.line), PLAIN_PROSE);
    // A heading without text of its own goes to the heading below it.
    const isBare = list.units.at(-1)?.border === Border.glue;
    if (!isBare || heading.depth <= (last?.depth ?? 0)) close(heading.line, path());
    above = [...above.filter(({ depth }) => depth < heading.depth), heading];
    if (heading.isRunIn) continue;
    addProse(list, source.startOf(heading.lastLine + 1), { ...PLAIN_PROSE, scenes: false });
    list.set(Border.glue);
  }
  close(footerLine, path());
  close(source.lines + 1, [EDITION]);
  return sections;
}

function* headings(source: SourceText, first: number, end: number): Generator<PlacedHeading> {
  for (let line = first; line < end; line += 1) {
    const text = source.text.slice(source.startOf(line), source.startOf(line + 1));
    if (!text.includes('見出し')) continue;
    const block = BLOCK_START.exec(text);
    if (block === null) {
      const heading = headingOfLine(text);
      if (heading !== undefined) yield { ...heading, line, lastLine: line };
      continue;
    }
    const lastLine = blockEnd(source, line, end);
    if (lastLine === undefined) continue;
    const lines = source.text.slice(source.startOf(line), source.startOf(lastLine + 1));
    const depth = depthOf(block.groups?.['size']);
    yield { depth, text: withoutMarkup(lines), isRunIn: false, line, lastLine };
    line = lastLine;
  }
}

const LONGEST_BLOCK = 10;

function blockEnd(source: SourceText, first: number, end: number): number | undefined {
  for (let line = first; line < Math.min(end, first + LONGEST_BLOCK); line += 1) {
    const text = source.text.slice(source.startOf(line), source.startOf(line + 1));
    if (BLOCK_END.test(text)) return line;
  }
  return undefined;
}
