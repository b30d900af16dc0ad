import { ERASED, type Eraser } from '@vizprompt/providers';
import type { NodePart, TextRangePart } from '../node/node.ts';
import type { SaidOfSide } from './said-by.ts';

/** One side of a node. */
export interface Side {
  readonly text: string;
  readonly parts: readonly NodePart[];
}

/** Replaces what the speaker said in a side by the mark. What others said is left as it is. */
export function eraseSide({ text, parts }: Side, said: SaidOfSide): Side {
  if (said.isAll) return { text: text === '' ? '' : ERASED, parts: [] };
  if (said.parts.size === 0) return { text, parts };
  return rewrite(
    { text, parts },
    (piece, ranges) => {
      const own = ranges.filter((range) => said.parts.has(range));
      if (own.length === 0) return piece.text;
      return own.some(({ start }) => start === piece.start) ? ERASED : '';
    },
    (part) => {
      if (!said.parts.has(part)) return part;
      // The place in the text stays, so that it is seen that somebody spoke.
      return part.type === 'text'
        ? { type: 'text', start: part.start, end: part.end, name: ERASED }
        : undefined;
    },
  );
}

/** Replaces copies of what the speaker said in what others said. What the speaker said is left as it is. */
export function cleanSide({ text, parts }: Side, said: SaidOfSide, eraser: Eraser): Side {
  if (said.isAll) return { text, parts };
  return rewrite(
    { text, parts },
    (piece, ranges) =>
      ranges.some((range) => said.parts.has(range)) ? piece.text : eraser.clean(piece.text),
    (part) => (said.parts.has(part) ? part : cleanPart(part, eraser)),
  );
}

/** Returns all texts of what the speaker said in a side. */
export function textsOf({ text, parts }: Side, said: SaidOfSide): readonly string[] {
  const own = said.isAll ? parts : parts.filter((part) => said.parts.has(part));
  return [
    ...(said.isAll ? [text] : []),
    ...own.flatMap((part): readonly string[] => {
      switch (part.type) {
        case 'text':
          return [text.slice(part.start, part.end)];
        case 'reasoning':
          return [part.text];
        case 'tool-call':
          return stringsOf(part.input);
        case 'tool-result':
          return stringsOf(part.output);
        case 'data':
          return stringsOf(part.value);
        default:
          return [part.fileName ?? '', part.uri ?? ''];
      }
    }),
  ];
}

interface Piece {
  readonly text: string;
  readonly start: number;
}

/** Rewrites a text piece by piece, cut at the borders of its ranges, and moves the ranges along. */
function rewrite(
  { text, parts }: Side,
  rewritePiece: (piece: Piece, ranges: readonly TextRangePart[]) => string,
  rewritePart: (part: NodePart) => NodePart | undefined,
): Side {
  const ranges = parts.filter((part) => part.type === 'text');
  const borders = [
    ...new Set([0, text.length, ...ranges.flatMap(({ start, end }) => [start, end])]),
  ].toSorted((a, b) => a - b);
  const moved = new Map<number, number>();
  let rewritten = '';
  for (const [at, start] of borders.entries()) {
    moved.set(start, rewritten.length);
    const end = borders[at + 1];
    if (end === undefined) break;
    const around = ranges.filter((range) => range.start <= start && range.end >= end);
    rewritten += rewritePiece({ text: text.slice(start, end), start }, around);
  }
  const kept = parts.flatMap((part): NodePart[] => {
    const changed = rewritePart(part);
    if (changed?.type !== 'text') return changed ? [changed] : [];
    const start = moved.get(changed.start) ?? 0;
    return [{ ...changed, start, end: moved.get(changed.end) ?? start }];
  });
  return { text: rewritten, parts: kept };
}

function cleanPart(part: NodePart, eraser: Eraser): NodePart {
  switch (part.type) {
    case 'text':
      return part;
    case 'reasoning':
      return { ...part, text: eraser.clean(part.text) };
    case 'tool-call':
      return { ...part, input: eraser.cleanJson(part.input) };
    case 'tool-result':
      return { ...part, output: eraser.cleanJson(part.output) };
    case 'data':
      return { ...part, value: eraser.cleanJson(part.value) };
    default:
      return part.fileName === undefined
        ? part
        : { ...part, fileName: eraser.clean(part.fileName) };
  }
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
