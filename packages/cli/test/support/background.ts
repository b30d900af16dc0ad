import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, vi } from 'vitest';
import { CACHE, type Place } from './place.ts';
import { binOf, type ToolName } from './run.ts';

/** A command line that continues until it is stopped, or the test is over. */
export class Background {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #exit: Promise<unknown[]>;

  constructor(
    place: Place,
    command: readonly [file: string, ...args: readonly string[]],
    env: Readonly<Record<string, string>> = {},
  ) {
    const { PATH = '' } = process.env;
    const [file, ...args] = command;
    this.child = spawn(file, args, {
      cwd: place.cwd,
      env: { PATH, HOME: place.home, XDG_CACHE_HOME: CACHE, LANG: 'C.UTF-8', ...env },
      stdio: 'pipe',
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
    this.#exit = once(this.child, 'close');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.stdin?.on('error', () => {});
  }

  /** Starts one of the tools. */
  static start(
    place: Place,
    tool: ToolName,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Background {
    return new Background(place, [process.execPath, binOf(tool), ...args], env);
  }

  /** Waits until one of its streams holds a text. */
  async shows(text: string | RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
    await vi.waitFor(
      () => {
        const shown = this[stream];
        const isThere = typeof text === 'string' ? shown.includes(text) : text.test(shown);
        if (!isThere) throw new Error(`there is no ${String(text)} in: ${shown}`);
      },
      { timeout: 90_000, interval: 20 },
    );
  }

  /** Types a line. */
  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Its exit code, after a signal if one is given. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.child.kill(signal);
    const [code] = await this.#exit;
    return typeof code === 'number' ? code : null;
  }
}
