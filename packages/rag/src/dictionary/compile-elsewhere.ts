import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vizprompt/providers';
import { RagError } from '../errors.ts';
import type { CompileProgress } from './compile.ts';
import { writeDictionary } from './dictionary-file.ts';

/** What is compiled, and into which file. */
export interface CompileJob {
  readonly source: string;
  readonly path: string;
}

/**
 * Compiles a dictionary in a process of its own, as it takes 200 MB that would not come back. Where
 * this package runs from its sources, as in its own tests, it is compiled here.
 */
export async function compileElsewhere(
  job: CompileJob,
  onProgress: CompileProgress,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  onProgress(0);
  try {
    if (import.meta.url.endsWith('.ts')) await compileHere(job, onProgress);
    else await compileInChild(job, onProgress, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = `cannot compile the dictionary into ${job.path}: ${messageOf(cause)}; if its folder cannot be written, XDG_CACHE_HOME may name another`;
    throw new RagError('dictionary-failed', message, { cause, context: { ...job } });
  }
  onProgress(1);
}

async function compileHere(job: CompileJob, onProgress: CompileProgress): Promise<void> {
  const { compileDictionary } = await import('./compile.ts');
  writeDictionary(job.path, compileDictionary(job.source, onProgress));
}

/** Starts `compile-process.ts` as the build has placed it, beside all other files. */
async function compileInChild(
  { source, path }: CompileJob,
  onProgress: CompileProgress,
  signal?: AbortSignal,
): Promise<void> {
  const entry = fileURLToPath(new URL('./compile-dictionary.js', import.meta.url));
  const child = fork(entry, [source, path], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(signal && { signal }),
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000);
  });
  child.on('message', (share) => {
    if (typeof share === 'number') onProgress(share);
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(`the compiler ended with ${code ?? killedBy}: ${complaint.trim()}`));
    });
  });
}
