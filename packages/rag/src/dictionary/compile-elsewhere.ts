import { rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fork } from 'node:child_process';
import { flagsOfPackages, makeFolders } from '@vizprompt/providers/internal';
import { findProgram } from '../files/find-program.ts';
import type { CompileProgress } from './compile.ts';
import {
  cannotCompile,
  cannotWrite,
  type DictionaryOptions,
  temporaryBeside,
  writeDictionary,
} from './dictionary-file.ts';

/** Name of `compile-process.ts` in the build. */
const PROGRAM = 'vizprompt-rag-compiler.js';

/**
 * Compiles a dictionary in a process of its own, as it takes 200 MB that would not come back. In a bundle without
 * that program, and in the sources as its own tests run them, it is compiled here.
 *
 * @throws RagError with the code `dictionary-failed`; if it cannot be written, at once. An error of `onProgress`
 * ends it and is thrown as it is.
 */
export async function compileElsewhere(job: CompileJob, options: DictionaryOptions): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  try {
    await checkPlace(job.path);
  } catch (cause) {
    throw cannotWrite(job.path, cause, options);
  }
  let thrown: { readonly error: unknown } | undefined;
  const onProgress: CompileProgress = (share) => {
    try {
      options.onProgress?.(share);
    } catch (error) {
      thrown = { error };
      throw error;
    }
  };
  onProgress(0);
  try {
    const isSource = import.meta.url?.endsWith('.ts');
    const program = isSource ? undefined : findProgram(PROGRAM, 'compiling the dictionary');
    if (program === undefined) await compileHere(job, onProgress);
    else await runCompiler(program, job, { onProgress, signal });
  } catch (cause) {
    signal?.throwIfAborted();
    if (thrown) throw thrown.error;
    throw cannotCompile(job.path, cause, options);
  }
  onProgress(1);
}

async function compileHere(job: CompileJob, onProgress: CompileProgress): Promise<void> {
  const { compileDictionary } = await import('./compile.ts');
  writeDictionary(job.path, compileDictionary(job.source, onProgress));
}

/** A compiled dictionary is smaller. */
const ROOM = 14_000_000;

/**
 * Makes the folder of a file and sees whether a dictionary can be written there, which is compiled for
 * seconds before it is.
 *
 * @throws the error of the file system, or Error for a folder of the same name.
 */
async function checkPlace(path: string): Promise<void> {
  makeFolders(dirname(path));
  const before = await stat(path).catch(() => undefined);
  if (before?.isDirectory()) throw new Error('there is a folder in its place');
  const probe = temporaryBeside(path);
  try {
    await writeFile(probe, Buffer.alloc(ROOM), { flag: 'wx' });
  } finally {
    await rm(probe, { force: true });
  }
}

/** The dictionary to compile, and the file to compile it into. */
export interface CompileJob {
  readonly source: string;
  readonly path: string;
}

/** Options of {@link runCompiler}. */
export interface RunCompilerOptions {
  readonly onProgress: CompileProgress;
  readonly signal?: AbortSignal | undefined;
  /** After how many milliseconds it is given up. Default: 600,000, a hundred times of what it takes. */
  readonly longestMs?: number | undefined;
}

/**
 * Compiles a dictionary in a process of its own.
 *
 * @param entry - `compile-process.ts`, as the build has made it.
 * @throws Error with what the process complained of, or how it ended; what `onProgress` throws.
 */
export async function runCompiler(
  entry: string,
  { source, path }: CompileJob,
  { onProgress, signal, longestMs = 600_000 }: RunCompilerOptions,
): Promise<void> {
  const child = fork(entry, [source, path], {
    execArgv: [...flagsOfPackages(import.meta.url)],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(signal && { signal }),
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000);
  });
  let thrown: { readonly error: unknown } | undefined;
  child.on('message', (share) => {
    if (typeof share !== 'number' || thrown) return;
    try {
      onProgress(share);
    } catch (error) {
      thrown = { error };
      child.kill('SIGKILL');
    }
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`the compiler did not end within ${longestMs / 1000} s`));
      }, longestMs);
      child.once('error', reject);
      child.once('close', (code, killedBy) => {
        if (thrown) return reject(thrown.error);
        if (code === 0) return resolve();
        const end = `the compiler ended with ${code ?? killedBy}`;
        reject(new Error([end, complaint.trim()].filter((part) => part !== '').join(': ')));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
