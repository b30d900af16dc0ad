import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The four command lines. */
export type ToolName = 'vizprompt' | 'dialogoi' | 'ptta' | 'talktable';

/** How a command is run. */
export interface RunOptions {
  readonly cwd: string;
  /** Goes over that of this process, of which only `PATH` is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** The content of standard input. Default: nothing. */
  readonly input?: string | Uint8Array;
  /** True if standard input stays open after it, as that of a person who thinks. */
  readonly isInputOpen?: boolean;
  /** Sends this signal as soon as standard output or error holds the text. */
  readonly signalAt?: { readonly text: string; readonly signal: NodeJS.Signals } | undefined;
}

/** The result of a command. */
export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code; `null` if a signal ended it. */
  readonly code: number | null;
}

/** Returns the built file of a command line. */
export function binOf(tool: ToolName): string {
  return fileURLToPath(new URL(`../../dist/bin/${tool}.cjs`, import.meta.url));
}

/** Runs a program of Node to its end. */
export function runFile(
  file: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    cwd: options.cwd,
    env: { PATH, HOME: options.cwd, LANG: 'C.UTF-8', ...options.env },
    // Ends one that hangs, within the limit of the tests of processes.
    timeout: 150_000,
    killSignal: 'SIGKILL',
  });
  const { signalAt } = options;
  let isSignalled = false;
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      streams[name] += text;
      if (!signalAt || isSignalled || !streams[name].includes(signalAt.text)) return;
      isSignalled = true;
      child.kill(signalAt.signal);
    });
  }
  // A program may end before it has read everything.
  child.stdin.on('error', () => {});
  if (options.isInputOpen) child.stdin.write(options.input ?? '');
  else child.stdin.end(options.input ?? '');
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ ...streams, code }));
  });
}
