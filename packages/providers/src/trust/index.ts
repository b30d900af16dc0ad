/**
 * Consent of the user of this machine to what a folder or a file from elsewhere would cause. It is
 * recorded outside of every project.
 *
 * @module @vizprompt/providers/trust
 */
export type { TrustOption, TrustRequest, TrustUse } from './trust-request.ts';
export { TrustError, type TrustErrorCode } from './trust-error.ts';
export { trustFile, type TrustRecord } from './trust-file.ts';
export {
  assertTrusted,
  grantTrust,
  isTrusted,
  listTrust,
  revokeTrust,
  untrusted,
  untrustedUses,
} from './trust.ts';
export { isTrackedByGit } from './git-index.ts';
export { leadsOutside, pathUses, type NamedPath } from './path-use.ts';
export { foreignAddress, isLoopbackAddress, serverUses, type NamedServer } from './server-uses.ts';
export { isWithin } from '../files/user-folder.ts';
