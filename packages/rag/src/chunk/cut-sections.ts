import { Border } from './border.ts';
import { Chunk, type ChunkFields } from './chunk.ts';
import type { ChunkLimits } from './chunking-options.ts';
import type { SourceDocument } from './chunking-strategy.ts';
import { packUnits } from './pack.ts';
import type { Section } from './section.ts';
import type { SourceText, TextRange } from './source-text.ts';
import type { Unit } from './unit-list.ts';

/** Where a chunk's own text is, and where its content starts. */
interface Piece {
  readonly own: TextRange;
  readonly contentFrom: number;
}

/** Cuts the sections of a document, in its order, into its chunks. */
export function cutSections(
  document: SourceDocument,
  source: SourceText,
  sections: Iterable<Section>,
  limits: ChunkLimits,
  tags: readonly string[] = [],
): readonly Chunk[] {
  const allTags = [...new Set([...(document.tags ?? []), ...tags])];
  const chunks: Chunk[] = [];
  const seen = new Map<string, number>();
  for (const { headingPath, list } of sections) {
    for (const { own, contentFrom } of piecesOf(source, list.units, limits)) {
      const fields: ChunkFields = {
        title: headingPath.at(-1) ?? '',
        content: source.text.slice(contentFrom, own.to),
        filePath: document.filePath,
        startLine: source.lineOf(own.from),
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
): Generator<Piece> {
  let first = 0;
  let before: TextRange | undefined;
  for (const end of packUnits(source, units, limits)) {
    const own = source.trim({ from: units[first]?.from ?? 0, to: units[end - 1]?.to ?? 0 });
    if (own.to > own.from) {
      const contentFrom =
        before === undefined ? own.from : overlapFrom(source, units, first, own, before, limits);
      yield { own, contentFrom };
      before = own;
    }
    first = end;
  }
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
