import type { PatchChunk } from './parse-patch.ts';

/**
 * Applies the chunks of a patch to a text, as Codex does: lines are looked for exactly, then without
 * blanks at their ends, then without blanks around them, then with typographic signs made plain. The
 * result ends with a line end.
 *
 * @returns `undefined` if lines that a chunk names are not there.
 */
export function applyPatch(text: string, chunks: readonly PatchChunk[]): string | undefined {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const result: string[] = [];
  let at = 0;
  for (const chunk of chunks) {
    let from = at;
    for (const context of chunk.context) {
      const found = seek(lines, [context], from, false);
      if (found === undefined) return undefined;
      from = found + 1;
    }
    const place = resolveSession(lines, chunk, from);
    if (!place || place.start < at) return undefined;
    for (const line of lines.slice(at, place.start)) result.push(line);
    for (const line of place.newLines) result.push(line);
    at = place.start + place.length;
  }
  for (const line of lines.slice(at)) result.push(line);
  return result.length === 0 ? '' : `${result.join('\n')}\n`;
}

interface Place {
  readonly start: number;
  readonly length: number;
  readonly newLines: readonly string[];
}

function resolveSession(
  lines: readonly string[],
  chunk: PatchChunk,
  from: number,
): Place | undefined {
  const { oldLines, newLines, isAtEnd } = chunk;
  if (oldLines.length === 0) return { start: lines.length, length: 0, newLines };
  const start = seek(lines, oldLines, from, isAtEnd);
  if (start !== undefined) return { start, length: oldLines.length, newLines };
  // The empty line after the last line end is often written out.
  if (oldLines.at(-1) !== '') return undefined;
  const shorter = oldLines.slice(0, -1);
  const cut = newLines.at(-1) === '' ? newLines.slice(0, -1) : newLines;
  const found = seek(lines, shorter, from, isAtEnd);
  return found === undefined ? undefined : { start: found, length: shorter.length, newLines: cut };
}

const SAME: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plain(line.trim()),
];

function seek(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  isAtEnd: boolean,
): number | undefined {
  const last = lines.length - wanted.length;
  for (const form of SAME) {
    const goal = wanted.map(form);
    const first = isAtEnd && last >= from ? last : from;
    for (let start = first; start <= last; start++) {
      if (goal.every((line, at) => form(lines[start + at] ?? '') === line)) return start;
    }
  }
  return undefined;
}

function plain(line: string): string {
  return line
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018-\u201B]/g, "'")
    .replaceAll(/[\u201C-\u201F]/g, '"')
    .replaceAll(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, ' ');
}
