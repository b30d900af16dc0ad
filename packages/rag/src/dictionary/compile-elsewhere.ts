import { fileURLToPath } from 'node:url';
import type { CompileProgress } from './compile.ts';
import { checkPlace } from './check-place.ts';
import { cannotCompile, cannotWrite } from './dictionary-failure.ts';
import { writeDictionary } from './dictionary-file.ts';
import type { DictionaryOptions } from './dictionary-options.ts';
import { runCompiler, type CompileJob } from './run-compiler.ts';

/**
 * Compiles a dictionary in a process of its own, as it takes 200 MB that would not come back. Where
 * this package runs from its sources, as in its own tests, it is compiled here.
 *
 * @throws RagError with the code `dictionary-failed`; if it cannot be written, at once. What `onProgress`
 * throws ends it and is thrown as it is.
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
    if (import.meta.url.endsWith('.ts')) await compileHere(job, onProgress);
    else await compileInChild(job, onProgress, signal);
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

/** The build has placed it beside all other files. */
async function compileInChild(
  job: CompileJob,
  onProgress: CompileProgress,
  signal: AbortSignal | undefined,
): Promise<void> {
  const entry = fileURLToPath(new URL('./compile-dictionary.js', import.meta.url));
  await runCompiler(entry, job, { onProgress, ...(signal && { signal }) });
}
