import type { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import {
  makeFolders,
  numberAt,
  objectAt,
  objectOf,
  replaceFileSync,
  textAt,
} from '@vizprompt/providers/internal';
import { parseShallowJson } from '@vizprompt/providers/transcripts/internal';
import type { MemoryContext } from '../../store/memory-context.ts';
import { TRANSCRIPT_AGENTS, type TranscriptAgent } from '../draft.ts';

/** A call of a hook that waits to be stored, with the facts that are lost by then. */
export interface SpooledCall {
  readonly agent: TranscriptAgent;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Variables of the environment that say where the agent has its transcripts. */
  readonly env: Readonly<Record<string, string>>;
  /** Contents of the files that the call names, by path; none for one that is missing or no text. */
  readonly files: Readonly<Record<string, string>>;
  /** Sizes of transcripts in bytes, by path; -1 for one that is missing. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The standard input of the hook, unchanged. */
  readonly input: string;
}

const FORM = 1;
const SUFFIX = '.call';

/**
 * Returns the folder of the calls that wait for a memory. It is in the home folder, also for a memory of a project.
 *
 * @param folder - The folder with the files of hooks, such as `~/.ptta`.
 * @param memory - The absolute path of the database.
 * @param isFound - True for the memory of a project that only the place of the hook names: it may be another one's, and
 * gets nothing before the user has agreed. Default: `false`.
 */
export function spoolFolder(folder: string, memory: string, isFound: boolean = false): string {
  const place = join(realPlace(dirname(memory)), basename(memory));
  return join(folder, 'spool', folderName(isFound ? `found:${place}` : place));
}

/** Longer paths have their hash as the name: file systems take names of 255 bytes. */
const MAX_PLAIN = 80;

/** Returns the name of a path, in letters that are the same on all file systems. Loading the module for hashes takes time. */
function folderName(path: string): string {
  const bytes = Buffer.from(path);
  if (bytes.length <= MAX_PLAIN) return bytes.toString('hex');
  const crypto: { createHash: typeof createHash } = process.getBuiltinModule('node:crypto');
  return crypto.createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** Returns a path without symbolic links, whose last folders may be missing. */
function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPlace(above), basename(path));
  }
}

/**
 * Stores a call durably, in a file of its own that only this user can read.
 *
 * @throws the error of the file system; no file remains then.
 */
export function writeCall(folder: string, { input, ...facts }: SpooledCall): void {
  makeFolders(folder, 0o700);
  const bytes = Buffer.byteLength(input);
  const head = JSON.stringify({ form: FORM, ...facts, bytes });
  const path = join(folder, `${callName(facts.at)}${SUFFIX}`);
  replaceFileSync(path, `${head}\n${input}`, { mode: 0o600 });
}

/** Returns a new name. It begins with the time, so that names sort by it. */
function callName(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return [time, String(process.pid), Math.random().toString(16).slice(2)].join('-');
}

/**
 * Reads a file of the spool.
 *
 * @returns The call; `'newer'` if a newer version of this package wrote it; `undefined` if it is damaged.
 */
export function parseCall(text: string): SpooledCall | 'newer' | undefined {
  const end = text.indexOf('\n');
  const head = objectOf(parseShallowJson(text.slice(0, Math.max(0, end))));
  const form = numberAt(head, 'form');
  if (form !== undefined && form > FORM) return 'newer';
  const input = text.slice(end + 1);
  const named = textAt(head, 'agent');
  const agent = TRANSCRIPT_AGENTS.find((known) => known === named);
  const at = numberAt(head, 'at');
  const isWhole = end !== -1 && numberAt(head, 'bytes') === Buffer.byteLength(input);
  if (form !== FORM || !isWhole || agent === undefined || at === undefined) return undefined;
  return {
    agent,
    at,
    env: valuesOf(objectAt(head, 'env'), isText),
    files: valuesOf(objectAt(head, 'files'), isText),
    sizes: valuesOf(objectAt(head, 'sizes'), (value) => typeof value === 'number'),
    input,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function valuesOf<Value>(
  fields: JsonObject,
  accepts: (value: unknown) => value is Value,
): Readonly<Record<string, Value>> {
  const kept: Record<string, Value> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) if (accepts(value)) kept[name] = value;
  return kept;
}

/** Returns the names of the calls that wait in a folder, the oldest first. */
export function waitingCalls(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .toSorted();
}

/** The parts of a context that say where calls wait for it. */
export type SpoolContext = Pick<MemoryContext, 'hooks' | 'spools' | 'file'>;

/** Returns the folders of the calls that wait for a memory; none if hooks leave nothing for it. */
export function spoolsOf({ hooks, spools, file }: SpoolContext): readonly string[] {
  return file === undefined ? [] : [spoolFolder(hooks, file), ...spools];
}

/** Returns how many calls wait for a memory. */
export function countWaiting(context: SpoolContext): number {
  return spoolsOf(context).reduce((count, folder) => count + waitingCalls(folder).length, 0);
}
