import { execFile } from 'node:child_process';

/** Options of {@link run}. */
export interface RunOptions {
  readonly cwd: string;
  /** On top of the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The user that runs it. Default: the user of this process. */
  readonly uid?: number | undefined;
}

/** A program that ended with an error. */
export class ProgramError extends Error {
  readonly output: string;

  constructor(command: string, output: string, cause: Error) {
    super(`${command}: ${output.slice(-4000)}`, { cause });
    this.output = output;
  }
}

/**
 * Runs a program, and returns its standard output.
 *
 * @throws ProgramError with all that it printed if it fails.
 */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env, uid }: RunOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26, uid };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new ProgramError([command, ...args].join(' '), stdout + stderr, error));
      else resolve(stdout);
    });
  });
}
