import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInstalled } from '@vizprompt/providers/internal';

const warned = new Set<string>();

/**
 * Finds a built file of this package that runs as a process of its own: next to this module, as in the package or a
 * bundle that has it as an entry, else where the package is installed. Where there is none, as in a bundle alone,
 * what it does runs in this process, and the process warns of that once.
 *
 * @param name - Its name in `dist`, which no other package has.
 * @param work - Its work, for the warning.
 */
export function findProgram(name: string, work: string): string | undefined {
  const places = [folderOfModule()].filter((place) => place !== undefined);
  const manifest = findInstalled('@vizprompt/rag/package.json', import.meta.url);
  if (manifest !== undefined) places.push(join(dirname(manifest), 'dist'));
  const found = places.map((place) => join(place, name)).find((path) => existsSync(path));
  if (found === undefined && !warned.has(name)) {
    warned.add(name);
    process.emitWarning(
      `@vizprompt/rag: ${work} runs in this process, as ${name} is not there to run in one of its own. ` +
        `Copy node_modules/@vizprompt/rag along with the bundle, or leave the package out of the bundle`,
      { type: 'VizPromptWarning', code: 'VIZPROMPT_IN_PROCESS' },
    );
  }
  return found;
}

/** The folder of this module: a bundle in CommonJS has no address, but knows its folder. */
function folderOfModule(): string | undefined {
  if (import.meta.url) return dirname(fileURLToPath(import.meta.url));
  return typeof __dirname === 'string' ? __dirname : undefined;
}
