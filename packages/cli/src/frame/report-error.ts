import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf, StorageError } from '@vizprompt/providers';
import { isOutOfFiles, isError } from '@vizprompt/providers/internal';
import { CliError } from '../errors.ts';
import {
  EXIT_BY_CAUSE,
  EXIT_BY_ERROR,
  EXIT_BY_SYSTEM_ERROR,
  EXIT_CODES,
  WRAPPING_CODES,
  type ErrorCode,
  type ExitName,
} from '../exit-codes.ts';
import type { Cli } from './cli.ts';
import { headlineJa } from './messages/ja.ts';

/** Causes that are looked through; one may be its own. */
const MAX_CAUSES = 10;

/**
 * Writes an error on standard error.
 *
 * @param failed - `undefined` for none.
 * @returns The exit code that belongs to it.
 */
export async function reportError<Messages>(cli: Cli<Messages>, failed: unknown): Promise<number> {
  if (failed === undefined) return EXIT_CODES.ok;
  const thrown = firstThrown(failed);
  const error = coded(thrown);
  const { signal, interrupts } = cli;
  // An error of the system says more than the code that it gets.
  const exitCode = interrupts.exitCode ?? exitCodeOf(asOutOfFiles(thrown) ? error : thrown);
  // A stopped command may fail in many ways, none of which is of interest.
  const reason: unknown = interrupts.exitCode === undefined ? error : signal.reason;
  if (cli.isJson) await cli.err.json({ error: { ...plain(reason), exitCode } });
  else if (interrupts.exitCode === undefined) await cli.err.line(told(cli, error));
  return exitCode;
}

/**
 * Returns the exit code that belongs to an error. For one that only says what failed, such as `step-failed`, it is the code of
 * the reason, if a model, a server, an optional package or stored data is to blame.
 *
 * @param error - Anything that was thrown.
 */
export function exitCodeOf(error: unknown): number {
  if (CliError.isInstance(error) && typeof error.context['exitCode'] === 'number') {
    return error.context['exitCode'];
  }
  const own = exitNameOf(error) ?? 'failure';
  if (!isWrapping(error)) return EXIT_CODES[own];
  const reason = causesOf(error).find((cause) => !isWrapping(cause) && exitNameOf(cause));
  const name = exitNameOf(reason);
  return EXIT_CODES[name && EXIT_BY_CAUSE.has(name) ? name : own];
}

/** Returns the error that came first: `await using` wraps it where closing fails as well, such as on a full disk. */
function firstThrown(failed: unknown): unknown {
  let thrown = failed;
  for (let depth = 0; depth < MAX_CAUSES; depth++) {
    if (!isError(thrown) || thrown.name !== 'SuppressedError' || !('suppressed' in thrown)) break;
    thrown = thrown.suppressed;
  }
  return thrown;
}

function exitNameOf(error: unknown): ExitName | undefined {
  const code = codeOf(error);
  if (code !== undefined) return EXIT_BY_ERROR[code];
  const system = typeof error === 'object' && error && 'code' in error ? String(error.code) : '';
  return Object.hasOwn(EXIT_BY_SYSTEM_ERROR, system) ? EXIT_BY_SYSTEM_ERROR[system] : undefined;
}

function isWrapping(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && WRAPPING_CODES.has(code);
}

/** Returns the causes from the outermost on; an error that was kept as JSON has only the code of its own. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let one = error; isError(one) && causes.length < MAX_CAUSES; one = one.cause) {
    const { causeCode }: { causeCode?: unknown } = Object('context' in one ? one.context : {});
    causes.push(one.cause, { code: causeCode });
  }
  return causes;
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
  const code = isError(error) && 'code' in error ? String(error.code) : 'failed';
  return { name: isError(error) ? error.name : 'Error', code, message: messageOf(error) };
}

/** An error of any installed copy of a package. */
function isCoded(error: unknown): error is { toJSON(): object } {
  return isError(error) && 'toJSON' in error && typeof error.toJSON === 'function';
}

/** Returns the error with a code where any part of the program, or an import of it, found no file descriptor left. */
function coded(thrown: unknown): unknown {
  const outOfFiles = asOutOfFiles(thrown);
  if (!outOfFiles) return asFileError(thrown);
  return new StorageError('io', messageOf(outOfFiles), { cause: thrown });
}

/** Returns an error of the file system, which knows no code of ours, with one and with its place. */
function asFileError(thrown: unknown): unknown {
  if (!isError(thrown) || !('syscall' in thrown) || !('path' in thrown)) return thrown;
  const { path, message } = thrown;
  if (typeof path !== 'string' || codeOf(thrown) !== undefined) return thrown;
  const reason = message.split(`, ${String(thrown.syscall)}`, 1)[0] ?? message;
  const wrapped = `cannot use '${path}': ${reason}. Check the path, and whether you may use it`;
  return new StorageError('io', wrapped, { cause: thrown, context: { path } });
}

function asOutOfFiles(thrown: unknown): Error | undefined {
  if (!isError(thrown)) return undefined;
  if (isOutOfFiles(thrown)) return thrown;
  // Node also says that a package is missing when it has no descriptor left to read its package.json.
  const file = /^Cannot find package '([^']+)'/.exec(thrown.message)?.[1] ?? '';
  const isThere = 'code' in thrown && isAbsolute(file) && existsSync(file);
  if (!isThere) return undefined;
  return Object.assign(new Error(`EMFILE: too many open files, open '${file}'`), {
    code: 'EMFILE',
  });
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
