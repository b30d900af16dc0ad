/**
 * The command lines vizprompt, dialogoi, ptta and talktable: what programs that call them need to know.
 *
 * @module @vizprompt/cli
 */
export { CliError, type CliErrorCode } from './errors.ts';
export { EXIT_BY_ERROR, EXIT_CODES } from './exit-codes.ts';
export type { ErrorJson } from '@vizprompt/core';
