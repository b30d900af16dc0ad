import type { Place } from './place.ts';
import type { ToolName } from './run.ts';

/** A server that a command line has started. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string;
  /** The token that it made up, if it did. */
  readonly token?: string;
  /** Ends it. Gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a command with `--json` that serves within this process, and waits until it says where. */
export async function startServer(
  place: Place,
  tool: ToolName,
  args: readonly string[],
): Promise<StartedServer> {
  const command = place.start(tool, [...args, '--json']);
  await command.shows(/\n/).catch((cause: unknown) => {
    throw new Error(`${tool} ${args.join(' ')} ended: ${command.stderr}`, { cause });
  });
  const { url, token } = JSON.parse(command.stdout) as { url: string; token?: string };
  let ended: Promise<number | null> | undefined;
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> =>
    (ended ??= command.end(signal));
  return {
    url,
    ...(token === undefined ? {} : { token }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}
