/**
 * Checks which requests of a folder or a file from elsewhere need consent. Nothing here is
 * promised: any release may change or remove it.
 *
 * @internal
 * @module @vizprompt/providers/trust/internal
 */
export {
  type NamedServer,
  foreignAddress,
  isLoopbackAddress,
  remoteModelUses,
  serverUses,
} from './server-uses.ts';
export { packageUses, type NamedModel } from './server-uses.ts';
export { isTrackedByGit } from './git-index.ts';
export { isWithin } from '../files/user-folder.ts';
export { isInGit, linkBetween, pathUses } from './path-use.ts';
