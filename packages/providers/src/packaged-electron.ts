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
