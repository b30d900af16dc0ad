/**
 * Consent of the user of this machine to what a folder or a file from elsewhere would cause. It is
 * recorded outside of every project.
 *
 * @module @vizprompt/providers/trust
 */
export type { TrustOption, TrustRequest, TrustUse } from './trust-file.ts';
export type { TrustRecord } from './trust-file.ts';
export { TrustError, type TrustErrorCode } from './trust-file.ts';
export {
  assertTrusted,
  grantTrust,
  isTrusted,
  listTrust,
  revokeTrust,
  untrusted,
} from './trust.ts';
export type { ErrorJson } from '../index.ts';
