import { messageOf } from '@vizprompt/providers';
import { CliError } from '../errors.ts';
import { EXIT_BY_ERROR, EXIT_BY_SYSTEM_ERROR, EXIT_CODES, type ErrorCode } from '../exit-codes.ts';
import type { Cli } from './cli.ts';
import { headlineJa } from './messages/error-codes-ja.ts';

/**
 * Tells an error on standard error.
 *
 * @param error - `undefined` for none.
 * @returns The exit code that belongs to it.
 */
export async function reportError<Messages>(cli: Cli<Messages>, error: unknown): Promise<number> {
  if (error === undefined) return EXIT_CODES.ok;
  const { signal, interrupts } = cli;
  const exitCode = interrupts.exitCode ?? exitCodeOf(error);
  // What was stopped may fail in many ways, none of which is of interest.
  const reason: unknown = interrupts.exitCode === undefined ? error : signal.reason;
  if (cli.isJson) await cli.err.json({ error: { ...plain(reason), exitCode } });
  else if (interrupts.exitCode === undefined) await cli.err.line(told(cli, error));
  return exitCode;
}

/**
 * The exit code that belongs to an error.
 *
 * @param error - Anything that was thrown.
 */
export function exitCodeOf(error: unknown): number {
  if (CliError.isInstance(error) && typeof error.context['exitCode'] === 'number') {
    return error.context['exitCode'];
  }
  const code = codeOf(error);
  if (code !== undefined) return EXIT_CODES[EXIT_BY_ERROR[code]];
  const system = error instanceof Error && 'code' in error ? String(error.code) : '';
  return EXIT_CODES[EXIT_BY_SYSTEM_ERROR[system] ?? 'failure'];
}

function codeOf(error: unknown): ErrorCode | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return isErrorCode(error.code) ? error.code : undefined;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(EXIT_BY_ERROR, code);
}

function plain(error: unknown): Record<string, unknown> {
  if (isCoded(error)) return { ...error.toJSON() };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  return { name: error instanceof Error ? error.name : 'Error', code, message: messageOf(error) };
}

/** An error of any installed copy of a package. */
function isCoded(error: unknown): error is { toJSON(): object } {
  return error instanceof Error && 'toJSON' in error && typeof error.toJSON === 'function';
}

/** `ptta: no session '…'`; in Japanese with what the code means before it. */
function told<Messages>(cli: Cli<Messages>, error: unknown): string {
  const code = codeOf(error);
  const headline =
    cli.language === 'ja' && code !== undefined && !CliError.isInstance(error)
      ? `${headlineJa(code)}: `
      : '';
  return `${cli.err.style('red', cli.toolName)}: ${headline}${messageOf(error)}`;
}
