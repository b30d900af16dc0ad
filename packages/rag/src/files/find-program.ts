import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findInstalled,
  isElectronUtility,
  isPackagedElectron,
  isSingleExecutable,
  mayStartPrograms,
} from '@vizprompt/providers/internal';

const PERMISSIONS = '`--allow-child-process` of Node, `--allow-run` of Deno';
const warned = new Set<string>();

/**
 * Finds a built file of this package that runs as a process of its own: next to this module, as in the package or a
 * bundle that has it as an entry, else where the package is installed. Where there is none, as in a bundle alone,
 * what it does runs in this process, and the process warns of that once. So it does in a single executable and in a
 * packaged app of Electron, which would start themselves again, and where permissions of the runtime forbid to start
 * programs. A `utilityProcess` of Electron, which is there for such work, does not warn.
 *
 * @param name - Its name in `dist`, which no other package has.
 * @param work - Its work, for the warning.
 */
export function findProgram(name: string, work: string): string | undefined {
  if (isSingleExecutable()) {
    warn(name, `${work} runs in this process, as a single executable cannot start another program`);
    return undefined;
  }
  if (isPackagedElectron()) {
    if (isElectronUtility()) return undefined;
    warn(
      name,
      `${work} runs in this process, as an Electron app may start itself again instead of another program. ` +
        'Run it in a utilityProcess to keep the main process free',
    );
    return undefined;
  }
  if (!mayStartPrograms()) {
    warn(name, `${work} runs in this process, as it may not start another one (${PERMISSIONS})`);
    return undefined;
  }
  const places = [folderOfModule()].filter((place) => place !== undefined);
  const manifest = findInstalled('@vizprompt/rag/package.json', import.meta.url);
  if (manifest !== undefined) places.push(join(dirname(manifest), 'dist'));
  const found = places.map((place) => join(place, name)).find((path) => existsSync(path));
  if (found === undefined) {
    warn(
      name,
      `${work} runs in this process, as ${name} is not there to run in one of its own. ` +
        `Copy node_modules/@vizprompt/rag along with the bundle, or leave the package out of the bundle`,
    );
  }
  return found;
}

/** Warns once of each program. */
function warn(name: string, reason: string): void {
  if (warned.has(name)) return;
  warned.add(name);
  const options = { type: 'VizPromptWarning', code: 'VIZPROMPT_IN_PROCESS' };
  process.emitWarning(`@vizprompt/rag: ${reason}`, options);
}

/** The folder of this module: a bundle in CommonJS has no address, but knows its folder. */
function folderOfModule(): string | undefined {
  if (import.meta.url) return dirname(fileURLToPath(import.meta.url));
  return typeof __dirname === 'string' ? __dirname : undefined;
}
