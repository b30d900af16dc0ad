import { expect } from 'vitest';
import { EXPECTED } from './app.ts';
import { ProgramError, run, type RunOptions } from './run.ts';

/** Runs a program of `app/`, and returns what it printed: what it found, or its error. */
export async function outputOf(
  command: string,
  args: readonly string[],
  options: RunOptions,
  program = 'main.mjs',
): Promise<unknown> {
  const printed = await run(command, [...args, program], options).catch((error: unknown) => {
    if (error instanceof ProgramError) return error.output;
    throw error;
  });
  // A process that was ended by a signal printed nothing.
  const line = printed.split('\n').find((each) => each.startsWith('{'));
  return line === undefined ? { printed } : JSON.parse(line);
}

/** Output of a program where SQLite cannot be opened, with the command that fixes it. */
export const NO_SQLITE = {
  code: 'no-sqlite',
  message: expect.stringMatching(/Fix: (?:npm (?:install|rebuild) better-sqlite3|use Node)/),
};

/** Returns what a table says of an output: that it is right, or the code of the error. */
export function wordFor(output: unknown): string {
  if (JSON.stringify(output) === JSON.stringify(EXPECTED)) return 'yes';
  const code: unknown =
    typeof output === 'object' && output && 'code' in output ? output.code : undefined;
  return `no: \`${String(code)}\``;
}
