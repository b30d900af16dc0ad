import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { objectAt, objectOf, parseJson, textAt } from '@vizprompt/providers/internal';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/agents', import.meta.url));

/** An agent that is installed. */
export interface Installed {
  readonly version: string;
  /** Path of its executable. */
  readonly bin: string;
}

/**
 * Installs an agent in a folder of its own, unless it is there.
 *
 * @param isLatest - True if the newest release is taken instead of that of `versions.json`.
 */
export async function install(name: string, isLatest: boolean): Promise<Installed> {
  const text = await readFile(new URL('versions.json', import.meta.url), 'utf8');
  const facts = objectAt(objectOf(parseJson(text)), name);
  const npmName = textAt(facts, 'package') ?? name;
  const bin = textAt(facts, 'bin') ?? name;
  const version = isLatest ? await latest(npmName) : (textAt(facts, 'version') ?? 'latest');
  const folder = join(FOLDER, `${name}@${version}`);
  const path = join(folder, 'node_modules', '.bin', bin);
  if (!existsSync(path)) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    // The name of a version, as a Node that is too old for an agent would get an older one in silence.
    const options = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...options, `${npmName}@${version}`], { cwd: folder });
  }
  return { version, bin: dirname(path) };
}

async function latest(npmName: string): Promise<string> {
  const { stdout } = await run('npm', ['view', npmName, 'version']);
  return stdout.trim();
}
