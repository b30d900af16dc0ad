import { fork } from 'node:child_process';
import type { CompileProgress } from './compile.ts';

/** What is compiled, and into which file. */
export interface CompileJob {
  readonly source: string;
  readonly path: string;
}

/** Options of {@link runCompiler}. */
export interface RunCompilerOptions {
  readonly onProgress: CompileProgress;
  readonly signal?: AbortSignal;
  /** After how many milliseconds it is given up. Default: 600,000, a hundred times of what it takes. */
  readonly longestMs?: number;
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
    execArgv: [],
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
