import { isProjectPlace } from '../format/layout.ts';
import { registerMergeDriver } from './git.ts';
import { initFiles, type InitOptions, type InitReport } from './init-files.ts';

/**
 * Initialises a project.
 *
 * @param addMain - Makes the main flow and gives its file back. A shared project has it from the
 * beginning: two clones that each made one would have two.
 */
export async function initProject(
  folder: string,
  options: InitOptions,
  addMain: () => Promise<string | undefined>,
): Promise<InitReport> {
  const { openStorage } = await import('@vizprompt/providers/node');
  const storage = await openStorage(folder, { isWritable: isProjectPlace });
  let written: readonly string[];
  try {
    written = await initFiles(storage.files, new Date(), options);
  } finally {
    await storage.close();
  }
  if (!options.git) return { written };
  const main = await addMain();
  return {
    written: main === undefined ? written : [...written, main],
    mergeDriver: await registerMergeDriver(folder),
  };
}
