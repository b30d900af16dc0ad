import { homedir } from 'node:os';
import { EXIT_CODES } from '../exit-codes.ts';
import { Interrupts } from './interrupts.ts';
import { runTool } from './run-tool.ts';
import type { Tool, ToolMessages } from './tool.ts';

/** Runs the command line that this process was started with, and ends the process with its exit code. */
export async function runProcess<Messages extends ToolMessages>(
  tool: Tool<Messages>,
): Promise<never> {
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  const interrupt = (): void => interrupts.interrupt();
  const terminate = (): void => interrupts.stop('SIGTERM');
  const interrupts = new Interrupts(
    (exitCode) => process.exit(exitCode),
    () => process.off('SIGINT', interrupt).off('SIGTERM', terminate),
  );
  process.on('SIGINT', interrupt).on('SIGTERM', terminate);
  const exitCode = await runTool(tool, process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    home: homedir(),
    // A stream of standard input costs time, and most commands read none.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    interrupts,
  });
  // All is written and closed. Node would give its memory back piece by piece, and wait for whatever remains.
  process.exit(exitCode);
}

/** `ptta history | head`: the reader has had enough, and that is not a failure. */
function endQuietly(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.ok);
    throw error;
  });
}
