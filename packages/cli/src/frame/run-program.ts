import type { SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';
import { CliError } from '../errors.ts';
import type { Cli } from './cli.ts';

/** The exit codes of shells for a program that is not there, and one that cannot be run. */
const NOT_THERE = 127;
const NOT_RUNNABLE = 126;

/** A program that this one runs in its own terminal. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** The name in messages, where a shell runs it. Default: `file`. */
  readonly name?: string;
}

/**
 * Runs a program with this terminal, to its end. Ctrl+C is the program's; SIGTERM is passed on. With `--json`
 * what it prints goes to standard error, as standard output is for the result.
 *
 * @throws CliError `failed` with the exit code of the program in its `context`: 127 if it is not there, 128
 * and more if a signal ended it.
 */
export async function runProgram<Messages>(
  cli: Cli<Messages>,
  { file, args, name = file }: Program,
): Promise<void> {
  using _ = cli.interrupts.onInterrupt(() => {});
  cli.interrupts.waitForStop();
  const stdio: SpawnOptions['stdio'] = ['inherit', cli.isJson ? 2 : 'inherit', 'inherit'];
  // Few commands start programs, and all would load what that needs.
  const { spawn } = await import('node:child_process');
  const child = spawn(file, [...args], { cwd: cli.cwd, env: cli.env, stdio });
  const end = (): boolean => child.kill('SIGTERM');
  cli.signal.addEventListener('abort', end, { once: true });
  try {
    await new Promise<void>((done, fail) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const code = error.code === 'ENOENT' ? NOT_THERE : NOT_RUNNABLE;
        fail(failed(cli.frame.notRun(name, error.message), code, error));
      });
      child.once('close', (code, signal) => {
        if (code === 0) return done();
        const exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
        fail(failed(cli.frame.programFailed(name, code ?? signal ?? ''), exitCode));
      });
    });
  } finally {
    cli.signal.removeEventListener('abort', end);
  }
}

function failed(message: string, exitCode: number, cause?: unknown): CliError {
  return new CliError('failed', message, { cause, context: { exitCode } });
}
