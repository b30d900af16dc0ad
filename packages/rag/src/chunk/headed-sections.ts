import type { ChunkLimits } from './chunking-strategy.ts';
import type { Section } from './cut-sections.ts';
import type { Steps } from './in-turns.ts';
import type { SourceText } from './source-text.ts';
import { addProse, Border, PLAIN_PROSE, UnitList } from './unit-list.ts';

/** A heading of prose, with the lines that it takes, from 1. */
export interface PlacedHeading {
  /** 1 is outermost. */
  readonly depth: number;
  /** Empty: it opens a section without a name. */
  readonly text: string;
  /** True if it is the beginning of a line that continues with ordinary text. */
  readonly isRunIn: boolean;
  readonly line: number;
  readonly lastLine: number;
}

/** Collects the sections of prose between headings, in the order of the text. */
export class HeadedSections {
  readonly sections: Section[] = [];
  readonly #source: SourceText;
  readonly #limits: ChunkLimits;
  readonly #root: readonly string[];
  #above: readonly PlacedHeading[] = [];
  #list: UnitList;

  /** @param root - Names that the path of every section begins with. */
  constructor(source: SourceText, limits: ChunkLimits, root: readonly string[] = []) {
    this.#source = source;
    this.#limits = limits;
    this.#root = root;
    this.#list = new UnitList(source, limits, source.from);
  }

  /** The names of the headings above the text. */
  get path(): readonly string[] {
    return this.#above.map(({ text }) => text).filter((text) => text !== '');
  }

  /** Begins the section of a heading. One without text of its own goes to the heading below it. */
  *open(heading: PlacedHeading): Steps {
    const last = this.#above.at(-1);
    yield* addProse(this.#list, this.#source.startOf(heading.line), PLAIN_PROSE);
    const isBare = this.#list.units.at(-1)?.border === Border.glue;
    if (!isBare || heading.depth <= (last?.depth ?? 0)) yield* this.close(heading.line, this.path);
    this.#above = [...this.#above.filter(({ depth }) => depth < heading.depth), heading];
    if (heading.isRunIn) return;
    const end = this.#source.startOf(heading.lastLine + 1);
    yield* addProse(this.#list, end, { ...PLAIN_PROSE, scenes: false });
    this.#list.set(Border.glue);
  }

  /** Ends a section before a line. */
  *close(line: number, path: readonly string[]): Steps {
    yield* addProse(this.#list, this.#source.startOf(line), PLAIN_PROSE);
    if (this.#list.units.length === 0) return;
    this.sections.push({ headingPath: [...this.#root, ...path], list: this.#list });
    this.#list = new UnitList(this.#source, this.#limits, this.#list.end);
  }
}
