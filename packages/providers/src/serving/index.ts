/**
 * Who may ask a server: what all servers of the SDK check in the same way.
 *
 * @module @vizprompt/providers/serving
 */
export { hostName, isSameHost } from './request-names.ts';
export { inAddress, LOCAL_HOSTS, servingProblem, type ServedTo } from './serving-problem.ts';
export { bearerToken, createTokenCheck, type TokenCheck } from './token-check.ts';
