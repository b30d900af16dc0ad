import { readFileSync, statSync } from 'node:fs';
import type { SpooledCall } from './spool.ts';

/** The state of the machine when an agent called a hook: a call may be stored later. */
export interface HookMoment {
  readonly at: Date;
  /** The id of a call that waited; the store may have it already. */
  readonly id?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the text of a file; `undefined` if it is missing, too large, or no text. */
  textOf(path: string): string | undefined;
  /** Returns the size of a transcript in bytes; -1 if it is missing, `undefined` if that is not recorded. */
  sizeOf(path: string): number | undefined;
}

/** Larger files are not read for a hook. */
const MAX_FILE = 8 << 20;

/** Returns the text of a plain file; `undefined` if it is missing, too large, or no text. */
export function fileText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_FILE) return undefined;
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8');
    // Other bytes are not text, and would not come back the same.
    return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the size of a file in bytes; -1 if it is missing. */
export function fileSize(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return -1;
  }
}

/** Returns this moment. */
export function presentMoment(): HookMoment {
  return { at: new Date(), env: process.env, textOf: fileText, sizeOf: () => undefined };
}

/** Returns the moment of a call that waited. */
export function pastMoment(id: string, { at, env, files, sizes }: SpooledCall): HookMoment {
  return {
    at: new Date(at),
    id,
    env,
    textOf: (path) => files[path],
    sizeOf: (path) => sizes[path],
  };
}
