import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, type CommandOptions } from './command.ts';
import { binOf, runFile, type RunOptions, type RunResult, type ToolName } from './run.ts';

/** That of whoever runs the tests: a dictionary takes long to compile. */
export const CACHE: string = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');

/** A home of its own with an empty working folder in it, and command lines that run there. */
export class Place implements AsyncDisposable {
  readonly home: string;
  /** Where commands run: `~/work`. */
  readonly cwd: string;

  private constructor(home: string) {
    this.home = home;
    this.cwd = join(home, 'work');
  }

  static async make(): Promise<Place> {
    // Ends with a space and Japanese, so that no path is taken for a word or for ASCII.
    const home = await realpath(await mkdtemp(join(tmpdir(), 'cli 家-')));
    const place = new Place(home);
    await mkdir(place.cwd);
    return place;
  }

  /** Starts a command line within this process. */
  start(tool: ToolName, args: readonly string[], options: Partial<CommandOptions> = {}): Command {
    const env = { HOME: this.home, XDG_CACHE_HOME: CACHE, ...options.env };
    return new Command(tool, args, { cwd: this.cwd, ...options, env });
  }

  /** Runs a command line within this process. */
  run(
    tool: ToolName,
    args: readonly string[],
    options: Partial<CommandOptions> = {},
  ): Promise<RunResult> {
    return this.start(tool, args, options).ended;
  }

  /** Runs the built file of a command line in a process of its own. */
  spawn(
    tool: ToolName,
    args: readonly string[],
    options: Partial<RunOptions> = {},
  ): Promise<RunResult> {
    return runFile(binOf(tool), args, {
      cwd: this.cwd,
      ...options,
      env: { HOME: this.home, XDG_CACHE_HOME: CACHE, ...options.env },
    });
  }

  /**
   * Runs a command line with `--json`, and reads what it wrote.
   *
   * @throws If it failed.
   */
  async json<Value>(
    tool: ToolName,
    args: readonly string[],
    options: Partial<CommandOptions> = {},
  ): Promise<Value> {
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const words = [...args.slice(0, end), '--json', ...args.slice(end)];
    const { code, stdout, stderr } = await this.run(tool, words, options);
    if (code !== 0) throw new Error(`${tool} ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}
