import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Command, type CommandOptions } from './command.ts';
import { binOf, runFile, type RunOptions, type RunResult, type ToolName } from './run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the compiled dictionary of rag lies. */
    dictionaryFolder: string;
  }
}

/** A cache folder with the compiled dictionary, which takes seconds to compile. */
export const CACHE: string = cacheWith(inject('dictionaryFolder'));

function cacheWith(dictionaryFolder: string): string {
  const cache = `${dictionaryFolder}-cache`;
  const link = join(cache, 'vizprompt');
  mkdirSync(cache, { recursive: true });
  try {
    symlinkSync(dictionaryFolder, link, 'junction');
  } catch (error) {
    // Another worker was faster, or an earlier run.
    if (!existsSync(link)) throw error;
  }
  return cache;
}

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
