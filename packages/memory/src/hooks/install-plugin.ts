import { MemoryError } from '../errors.ts';
import { isOpencodePlugin } from './opencode-plugin.ts';
import { deleteFile, readIfThere, replaceSettings } from './settings-file.ts';

/** The name in the report, as a plugin has no hooks that are named in settings. */
const NAME = 'plugin';

/**
 * Writes a plugin, or deletes it.
 *
 * @param text - The plugin; `undefined` to delete it.
 * @returns The name of the plugin if its file changes; otherwise nothing.
 * @throws MemoryError `invalid-input` if the file is another one.
 */
export async function changePlugin(
  file: string,
  text: string | undefined,
  dryRun: boolean,
): Promise<readonly string[]> {
  const now = await readIfThere(file);
  if (now !== undefined && !isOpencodePlugin(now)) {
    if (text === undefined) return [];
    throw new MemoryError(
      'invalid-input',
      `${file} is not the memory's plugin: rename it, then try again`,
      { context: { file } },
    );
  }
  if (now === text) return [];
  if (dryRun) return [NAME];
  if (text === undefined) await deleteFile(file);
  else await replaceSettings(file, text);
  return [NAME];
}
