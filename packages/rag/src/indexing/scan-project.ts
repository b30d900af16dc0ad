import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode, isError } from '@vizprompt/providers/internal';
import { IndexingError, ProjectNotFoundError } from '../errors.ts';

/** After this much time of synchronous calls, the event loop gets a turn. */
const SLICE_MS = 5;

/** A document as it is in the project, unread. */
export interface ScannedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly version: string;
}

/** The content of a project. */
export interface ProjectScan {
  readonly files: ReadonlyMap<string, ScannedFile>;
  /** The entries that could not be read, by their paths. */
  readonly problems: ReadonlyMap<string, IndexingError>;
}

/**
 * Looks at all documents of a project, without reading them. Symbolic links are passed over: what
 * is in the project is found in its own place.
 *
 * @param root - The real path of the project.
 * @throws ProjectNotFoundError if the folder is not there.
 */
export async function scanProject(root: string, signal: AbortSignal): Promise<ProjectScan> {
  const files = new Map<string, ScannedFile>();
  const problems = new Map<string, IndexingError>();
  const waiting = [''];
  let sliceEnd = performance.now() + SLICE_MS;

  const look = (path: string): void => {
    const stat = statAt(root, path);
    if (!stat) return;
    if (stat.isDirectory() && isDocumentFolder(path)) waiting.push(path);
    if (!stat.isFile() || !isDocumentPath(path)) return;
    files.set(path, { path, size: Number(stat.size), version: fileVersion(stat) });
  };
  const guarded = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      problems.set(path, problemOf(path, error));
    }
  };

  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const path = folder;
    guarded(path, () => {
      const names = namesIn(root, path);
      for (const name of names) {
        const inside = path === '' ? name : `${path}/${name}`;
        if (isDocumentPath(inside) || isDocumentFolder(inside)) guarded(inside, () => look(inside));
      }
    });
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
  const [rootProblem] = [problems.get('')];
  if (rootProblem) {
    throw new ProjectNotFoundError(`there is no project to be read in ${root}`, {
      cause: rootProblem.cause,
      context: { folder: root },
    });
  }
  return { files, problems };
}

/** Returns the names in a folder; none if it is gone by now. */
function namesIn(root: string, path: string): readonly string[] {
  try {
    return readdirSync(join(root, path));
  } catch (error) {
    if (path !== '' && hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** Returns the state of what is at a path; nothing if it is gone by now. */
function statAt(root: string, path: string): BigIntStats | undefined {
  const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
  // Linux lets names be any bytes; those that are not text come with a sign in their place.
  if (!stat && path.includes('\u{fffd}')) throw new Error('its name is no UTF-8');
  return stat;
}

function problemOf(path: string, cause: unknown): IndexingError {
  const reason = isError(cause) ? cause.message : String(cause);
  return new IndexingError(`${path} cannot be indexed: ${reason}`, { cause, context: { path } });
}

/** The folders of a project whose files are documents. */
const FOLDERS = new Set(['settings', 'contents']);
/** The one document in the folder of the project itself. */
const INSTRUCTIONS = 'DIALOGOI.md';

/**
 * Checks whether a path, relative to the project and with `/`, is that of a document: `.md`, `.txt`, `.epub` and `.docx` below
 * `settings/` and `contents/`, and `DIALOGOI.md`. A hidden file, or a temporary file of an editor,
 * is none.
 */
export function isDocumentPath(path: string): boolean {
  return (
    path === INSTRUCTIONS || (isDocumentFolder(path) && /[^/]\.(?:md|txt|epub|docx)$/i.test(path))
  );
}

/** Checks whether documents may be at or below a path; the project itself is `''`. */
export function isDocumentFolder(path: string): boolean {
  if (path === '') return true;
  const segments = path.split('/');
  return FOLDERS.has(segments[0] ?? '') && !segments.some(isPassedOver);
}

/** Hidden names; and `~$x.md`, by which Word says that it has `x.md` open. */
function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$');
}

/** File systems may give two changes within this time the same time of change, in milliseconds. */
export const RACY_MS = 2000;

/** Differs whenever a file was changed, replaced or touched, unless that was within one tick of its clock. */
export function fileVersion({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}`;
}

/**
 * Checks whether a file changed so lately that the next change may leave its version as it is. Times that a
 * program set, far in the past or the future, say nothing of that.
 */
export function isRacy({ mtimeNs, ctimeNs }: BigIntStats, now: number): boolean {
  return [mtimeNs, ctimeNs].some((time) => Math.abs(now - Number(time / 1_000_000n)) < RACY_MS);
}
