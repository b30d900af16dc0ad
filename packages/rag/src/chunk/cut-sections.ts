import { Chunk, type ChunkFields } from './chunk.ts';
import type { ChunkLimits, SourceDocument } from './chunking-strategy.ts';
import {
  addProse,
  Border,
  PLAIN_PROSE,
  rankOf,
  type SourceText,
  type Steps,
  type TextRange,
  type Unit,
  UnitList,
} from './source-text.ts';

/** A part of a document under one heading. Chunks never reach over its ends. */
export interface Section {
  /** Outermost first. */
  readonly headingPath: readonly string[];
  readonly list: UnitList;
}

/** Where a chunk's own text is, and where its content starts. */
interface Piece {
  readonly own: TextRange;
  readonly contentFrom: number;
}

/** Cuts the sections of a document, in its order, into its chunks. */
export function* cutSections(
  document: SourceDocument,
  source: SourceText,
  sections: Iterable<Section>,
  limits: ChunkLimits,
  tags: readonly string[] = [],
): Steps<readonly Chunk[]> {
  const allTags = [...new Set([...(document.tags ?? []), ...tags])];
  const chunks: Chunk[] = [];
  const seen = new Map<string, number>();
  for (const { headingPath, list } of sections) {
    yield;
    for (const { own, contentFrom } of yield* piecesOf(source, list.units, limits)) {
      yield;
      const fields: ChunkFields = {
        title: headingPath.at(-1) ?? '',
        content: source.text.slice(contentFrom, own.to),
        filePath: document.filePath,
        startLine: source.lineOf(own.from),
        startColumn: source.columnOf(own.from),
        endLine: source.lineOf(own.to - 1),
        chunkIndex: chunks.length,
        novelId: document.novelId,
        tags: allTags,
        headingPath,
        overlap: own.from - contentFrom,
      };
      const chunk = new Chunk(fields);
      const ordinal = seen.get(chunk.id) ?? 0;
      seen.set(chunk.id, ordinal + 1);
      chunks.push(ordinal === 0 ? chunk : new Chunk(fields, ordinal));
    }
  }
  return chunks;
}

function* piecesOf(
  source: SourceText,
  units: readonly Unit[],
  limits: ChunkLimits,
): Steps<readonly Piece[]> {
  const pieces: Piece[] = [];
  let first = 0;
  let before: TextRange | undefined;
  for (const end of yield* packUnits(source, units, limits)) {
    yield;
    const own = source.trim({ from: units[first]?.from ?? 0, to: units[end - 1]?.to ?? 0 });
    if (own.to > own.from) {
      const contentFrom =
        before === undefined ? own.from : overlapFrom(source, units, first, own, before, limits);
      pieces.push({ own, contentFrom });
      before = own;
    }
    first = end;
  }
  return pieces;
}

/** The start of the whole sentences at the end of the chunk before that fit into the overlap. */
function overlapFrom(
  source: SourceText,
  units: readonly Unit[],
  first: number,
  own: TextRange,
  before: TextRange,
  { overlapTokens, count }: ChunkLimits,
): number {
  const starts: number[] = [];
  let tokens = 0;
  for (let index = first - 1; index > 0; index -= 1) {
    const unit = units[index];
    if (unit === undefined || unit.from < before.from || unit.border === Border.scene) break;
    tokens += unit.tokens;
    if (tokens > overlapTokens) break;
    if ((units[index - 1]?.border ?? Border.glue) > Border.sentence) continue;
    starts.push(source.trim({ from: unit.from, to: own.from }).from);
  }
  // The sum of the units is only nearly the count of all of them together.
  const fits = (start: number) => count(source.text.slice(start, own.from)) <= overlapTokens;
  return starts.findLast(fits) ?? own.from;
}

/** A cut may fall between this part of a chunk's size and its whole. */
const EARLIEST = 0.5;
/** Between this part and the former only where no sentence ends later; nor is the rest smaller. */
const SMALLEST = 0.25;
/** Unit counts are rounded up each, so their sum is a little more than the count of the whole. */
const ROUNDING = 1.15;

/**
 * Joins the units of a section into chunks and returns the index of the first unit of each chunk but
 * the first, and the number of units.
 *
 * In the window where a cut is due, the border with the lowest rank is taken, and ranks depend on the
 * text alone. So when text before it was inserted or removed, the cuts soon fall on the old places
 * again, where filling each chunk to the brim would move all of them.
 */
function* packUnits(
  source: SourceText,
  units: readonly Unit[],
  limits: ChunkLimits,
): Steps<readonly number[]> {
  const packer = new Packer(source, units, limits);
  yield* packer.measure();
  const ends: number[] = [];
  for (let at = 0; at < units.length;) {
    at = packer.endOf(at);
    ends.push(at);
    yield;
  }
  return ends;
}

class Packer {
  readonly #source: SourceText;
  readonly #units: readonly Unit[];
  readonly #limits: ChunkLimits;
  /** The tokens of all units before an index. */
  readonly #sums: Float64Array;
  readonly #ranks: Float64Array;

  constructor(source: SourceText, units: readonly Unit[], limits: ChunkLimits) {
    this.#source = source;
    this.#units = units;
    this.#limits = limits;
    this.#sums = new Float64Array(units.length + 1);
    this.#ranks = new Float64Array(units.length + 1);
  }

  /** Adds the tokens up, and ranks the borders. */
  *measure(): Steps {
    for (const [index, unit] of this.#units.entries()) {
      this.#sums[index + 1] = (this.#sums[index] ?? 0) + unit.tokens;
      this.#ranks[index + 1] = rankOf(this.#source.text, unit.to, unit.border);
      yield;
    }
  }

  endOf(first: number): number {
    const { maxTokens } = this.#limits;
    const count = this.#units.length;
    if (this.#size(first, count) <= maxTokens * ROUNDING && this.#fits(first, count)) return count;
    for (let limit = maxTokens; ; limit *= 0.9) {
      const end = this.#bestEnd(first, limit);
      if (end <= first + 1 || this.#fits(first, end)) return Math.max(end, first + 1);
    }
  }

  #bestEnd(first: number, limit: number): number {
    const rest = this.#size(first, this.#units.length);
    const latest = Math.min(limit, Math.max(limit * EARLIEST, rest - limit * SMALLEST));
    let best = 0;
    let early = 0;
    let end = first + 1;
    for (; end < this.#units.length && this.#size(first, end) <= latest; end += 1) {
      const size = this.#size(first, end);
      if (size >= limit * EARLIEST) best = this.#better(best, end);
      else if (size >= limit * SMALLEST) early = this.#better(early, end);
    }
    if (best > 0 && this.#borderAt(best) <= Border.sentence) return best;
    if (early > 0 && this.#borderAt(early) <= Border.sentence) return early;
    if (best > 0 && this.#borderAt(best) < Border.glue) return best;
    // A unit that did not fit is large: a whole block takes the little before it along, up to two chunks.
    const isWhole = this.#units[end - 1]?.whole === true;
    if (isWhole && this.#size(first, end) <= limit * 2) return end;
    return early || best || Math.max(first + 1, end - 1);
  }

  #fits(first: number, end: number): boolean {
    const { maxTokens, count } = this.#limits;
    const units = this.#units.slice(first, end);
    const own = this.#source.trim({ from: units[0]?.from ?? 0, to: units.at(-1)?.to ?? 0 });
    const tokens = count(this.#source.text.slice(own.from, own.to));
    return tokens <= maxTokens || (tokens <= maxTokens * 2 && units.at(-1)?.whole === true);
  }

  #better(one: number, other: number): number {
    return one > 0 && (this.#ranks[one] ?? 0) <= (this.#ranks[other] ?? 0) ? one : other;
  }

  #borderAt(end: number): Border {
    return this.#units[end - 1]?.border ?? Border.glue;
  }

  #size(first: number, end: number): number {
    return (this.#sums[end] ?? 0) - (this.#sums[first] ?? 0);
  }
}

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
