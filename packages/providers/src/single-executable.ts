import { fieldsOf } from './json/fields.ts';

/** Where Bun mounts the files of a single executable, on Windows and elsewhere. */
const BUN_FILES = /[\\/](?:\$bunfs|~BUN)[\\/]/;

/**
 * Checks whether this program is a single executable, by Node's `--build-sea` or `--experimental-sea-config`,
 * `bun build --compile` or `deno compile`. In one, `process.execPath` is the program: started with a file, it runs
 * itself once more, and not that file.
 *
 * Sources: https://nodejs.org/api/single-executable-applications.html (`sea.isSea`),
 * https://bun.com/docs/bundler/executables (`$bunfs`), `Deno.build.standalone` of Deno.
 */
export function isSingleExecutable(globals: object = globalThis): boolean {
  const { Bun, Deno } = fieldsOf(globals);
  const { main } = fieldsOf(Bun);
  if (typeof main === 'string') return BUN_FILES.test(main);
  if (Deno !== undefined) return fieldsOf(fieldsOf(Deno)['build'])['standalone'] === true;
  return process.getBuiltinModule('node:sea')?.isSea() ?? false;
}
