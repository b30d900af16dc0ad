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
