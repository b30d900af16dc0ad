import { fieldsOf } from './json/fields.ts';

/** Where Bun mounts the files of a single executable, on Windows and elsewhere. */
const BUN_FILES = /[\\/](?:\$bunfs|~BUN)[\\/]/;

/** Globals of the runtimes that are not Node. */
interface RuntimeGlobals {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

/**
 * Checks whether this program is a single executable, by Node's `--build-sea` or `--experimental-sea-config`,
 * `bun build --compile` or `deno compile`. In one, `process.execPath` is the program: started with a file, it runs
 * itself once more, and not that file.
 *
 * Sources: https://nodejs.org/api/single-executable-applications.html (`sea.isSea`),
 * https://bun.com/docs/bundler/executables (`$bunfs`), `Deno.build.standalone` of Deno.
 */
export function isSingleExecutable(globals: RuntimeGlobals = globalThis): boolean {
  const { main } = fieldsOf(globals.Bun);
  if (typeof main === 'string') return BUN_FILES.test(main);
  if (globals.Deno !== undefined) {
    return fieldsOf(fieldsOf(globals.Deno)['build'])['standalone'] === true;
  }
  return process.getBuiltinModule('node:sea')?.isSea() ?? false;
}
