import { fieldsOf } from './json/fields.ts';

/**
 * Checks whether this process belongs to a packaged Electron app, other than as a plain Node. `fork` starts the app
 * itself there, with its windows, where the fuse `runAsNode` is off, which it is in the templates of Electron Forge.
 * A process cannot see its own fuses. Without a package, the app runs in the Electron of npm, whose fuse is on; only its
 * main process has `defaultApp`, so its utility processes count as those of a package.
 *
 * Sources: https://www.electronjs.org/docs/latest/tutorial/fuses#runasnode,
 * https://www.electronjs.org/docs/latest/api/process (`type`, `defaultApp`)
 */
export function isPackagedElectron(host: object = process): boolean {
  const { type, defaultApp, versions } = fieldsOf(host);
  const isElectron = fieldsOf(versions)['electron'] !== undefined;
  return isElectron && type !== undefined && defaultApp !== true;
}

/** Checks whether this is a `utilityProcess` of Electron, which has no windows to keep waiting. */
export function isElectronUtility(host: object = process): boolean {
  const { type, versions } = fieldsOf(host);
  return fieldsOf(versions)['electron'] !== undefined && type === 'utility';
}

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

/**
 * Checks whether this process may start another one of its runtime. It may not under the permission model of Node
 * (`--permission` without `--allow-child-process`), nor in Deno without `--allow-run`.
 *
 * Sources: https://nodejs.org/api/permissions.html, https://docs.deno.com/api/deno/~/Deno.Permissions
 */
export function mayStartPrograms(globals: object = globalThis): boolean {
  const { Deno, process: host } = fieldsOf(globals);
  const { execPath: command, permission } = fieldsOf(host);
  if (permission !== undefined) return call(permission, 'has', 'child') === true;
  if (Deno === undefined) return true;
  const status = call(fieldsOf(Deno)['permissions'], 'querySync', { name: 'run', command });
  return fieldsOf(status)['state'] === 'granted';
}

function call(target: unknown, name: string, argument: unknown): unknown {
  const method = fieldsOf(target)[name];
  return typeof method === 'function' ? Reflect.apply(method, target, [argument]) : undefined;
}
