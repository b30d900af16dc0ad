/** A piece of a text that is replaced by another: its two ends, UTF-16 offsets, and what comes there. */
export type Splice = readonly [start: number, end: number, text: string];

/** Returns the pieces of a text that make another of it: one for each section of a flow file at most. */
export function splicesBetween(before: string, after: string): readonly Splice[] {
  const [old, current] = [sectionsOf(before), sectionsOf(after)];
  let at = 0;
  return old.flatMap((section, number) => {
    const found = differing(section, current[number] ?? '', at);
    at += section.length;
    return found;
  });
}

/** Returns the sections of a flow file, of which an edit mostly changes little; three of any other text. */
function sectionsOf(text: string): readonly string[] {
  const nodes = text.indexOf('\nnodes:') + 1;
  const connections = Math.max(nodes, text.lastIndexOf('\nconnections:') + 1);
  return [text.slice(0, nodes), text.slice(nodes, connections), text.slice(connections)];
}

/** Returns a text with pieces of it replaced. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const [start, end, piece] of splices) {
    result += text.slice(at, start) + piece;
    at = end;
  }
  return result + text.slice(at);
}

/** Checks whether a value is a row of pieces of a text, in their order. */
export function areSplices(value: unknown, text: string): value is readonly Splice[] {
  let at = 0;
  return (
    Array.isArray(value) &&
    value.every((piece: unknown) => {
      if (!Array.isArray(piece) || piece.length !== 3) return false;
      const [start, end, content]: readonly unknown[] = piece;
      if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return false;
      const [from, to] = [Number(start), Number(end)];
      const isNext = at <= from && from <= to && to <= text.length;
      at = to;
      return isNext && typeof content === 'string';
    })
  );
}

function differing(before: string, after: string, offset: number): readonly Splice[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  const [old, current] = [before.length, after.length];
  while (
    same < most - start &&
    before.charCodeAt(old - same - 1) === after.charCodeAt(current - same - 1)
  ) {
    same++;
  }
  return [[offset + start, offset + old - same, after.slice(start, current - same)]];
}
