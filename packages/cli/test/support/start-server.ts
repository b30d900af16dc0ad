import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Place } from './place.ts';
import { binOf, type ToolName } from './run.ts';

/** A server that a command line has started. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string;
  /** The token that it made up, if it did. */
  readonly token?: string;
  /** Ends it. Gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a command with `--json` that serves, and waits until it says where. */
export async function startServer(
  place: Place,
  tool: ToolName,
  args: readonly string[],
): Promise<StartedServer> {
  const child = spawn(process.execPath, [binOf(tool), ...args, '--json'], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8' },
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    ended.then((code): never => {
      throw new Error(`${tool} ${args.join(' ')} ended with ${code}: ${complaints}`);
    }),
  ]);
  const { url, token } = JSON.parse(line) as { url: string; token?: string };
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    url,
    ...(token === undefined ? {} : { token }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}
