import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The settings of Claude Code for this user. */
export function defaultSettingsFile(): string {
  const folder = process.env['CLAUDE_CONFIG_DIR'] ?? join(homedir(), '.claude');
  return join(folder, 'settings.json');
}

/** The text of a file; `undefined` if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Puts a text in the place of a file, as a whole; a link stays a link, and the mode stays. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (facts) => facts.mode & 0o777,
    () => 0o600,
  );
  const draft = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(draft, text, { mode, flush: true });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
