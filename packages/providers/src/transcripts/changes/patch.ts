/** A run of lines that a patch replaces. */
export interface PatchChunk {
  /** Lines to find one after the other first, such as the head of a class. */
  readonly context: readonly string[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** True if the lines are at the end of the file. */
  readonly isAtEnd: boolean;
}

/** The change of one file by a patch. */
export type PatchedFile =
  | { readonly action: 'create'; readonly path: string; readonly text: string }
  | { readonly action: 'delete'; readonly path: string }
  | {
      readonly action: 'edit';
      readonly path: string;
      /** Where the file goes, if it moves. */
      readonly movedTo?: string;
      readonly chunks: readonly PatchChunk[];
    };

const FILE_HEAD = /^\*\*\* (Add|Delete|Update) File: (..*)$/;
const MOVE = /^\*\*\* Move to: (..*)$/;

/**
 * Reads a patch in the form of Codex's `apply_patch` ("V4A"), which names context instead of line
 * numbers. Text around `*** Begin Patch` and `*** End Patch` is ignored, such as a here-document.
 *
 * @returns One entry for each file, or `undefined` if this is no such patch.
 */
export function parsePatch(text: string): readonly PatchedFile[] | undefined {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const begin = lines.findIndex((line) => line.trim().endsWith('*** Begin Patch'));
  if (begin === -1) return undefined;
  const end = lines.findIndex((line, at) => at > begin && line.trim().startsWith('*** End Patch'));
  const body = lines.slice(begin + 1, end === -1 ? undefined : end);
  const files: PatchedFile[] = [];
  let at = 0;
  while (at < body.length) {
    const head = FILE_HEAD.exec(body[at]?.trim() ?? '');
    at += 1;
    if (!head) continue;
    const from = at;
    while (at < body.length && !FILE_HEAD.test(body[at]?.trim() ?? '')) at += 1;
    files.push(readFile(head[1] ?? '', (head[2] ?? '').trim(), body.slice(from, at)));
  }
  return files.length === 0 ? undefined : files;
}

function readFile(kind: string, path: string, lines: readonly string[]): PatchedFile {
  if (kind === 'Delete') return { action: 'delete', path };
  if (kind === 'Add') {
    const added = lines.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
    return { action: 'create', path, text: added.join('') };
  }
  const movedTo = MOVE.exec(lines[0]?.trim() ?? '')?.[1]?.trim();
  const chunks = readChunks(movedTo === undefined ? lines : lines.slice(1));
  return { action: 'edit', path, ...(movedTo === undefined ? {} : { movedTo }), chunks };
}

function readChunks(lines: readonly string[]): PatchChunk[] {
  const chunks: PatchChunk[] = [];
  let context: string[] = [];
  let oldLines: string[] = [];
  let newLines: string[] = [];
  const close = (isAtEnd: boolean): void => {
    if (oldLines.length + newLines.length === 0) return;
    chunks.push({ context, oldLines, newLines, isAtEnd });
    context = [];
    oldLines = [];
    newLines = [];
  };
  for (const line of lines) {
    if (line.startsWith('@@')) {
      close(false);
      const named = line.slice(2).trim();
      if (named !== '') context.push(named);
    } else if (line.trim() === '*** End of File') close(true);
    else if (line.startsWith('-')) oldLines.push(line.slice(1));
    else if (line.startsWith('+')) newLines.push(line.slice(1));
    else {
      // An empty line is context whose blank was lost.
      const text = line.startsWith(' ') ? line.slice(1) : line;
      oldLines.push(text);
      newLines.push(text);
    }
  }
  close(false);
  return chunks;
}

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
