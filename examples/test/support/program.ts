import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFailed, onTestFinished } from 'vitest';
import { runModule, type Ended } from './run-module.ts';

// Within the process: a process of its own around it would leave the program behind when it is killed.
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Where and with what a program is started. */
export interface ProgramOptions {
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** The typed input; then it ends. Without it the input stays open. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of the examples, as a user starts it in a terminal. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  /** Both, as they came. */
  output = '';
  #isOver = false;
  readonly #watchers = new Set<() => void>();

  /** @param file - Below `examples/`. */
  constructor(file: string, { cwd, args = [], input, env = {} }: ProgramOptions = {}) {
    this.child = spawn(process.execPath, ['--import', tsx, pathOf(file), ...args], {
      cwd,
      env: { ...process.env, ...env },
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      this.child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        this[stream] += text;
        this.output += text;
        this.#look();
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code) => {
        this.#isOver = true;
        this.#look();
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      });
    });
    if (input !== undefined) this.child.stdin?.end(input);
    onTestFailed(() => console.error(`${file} ${args.join(' ')}\n${this.output}`));
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** Waits until it says something. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.output);
        if (found) resolve(found);
        else if (this.#isOver) reject(new Error(`it ended without ${pattern}:\n${this.output}`));
        else return;
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }

  /** Types a line. */
  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Types lines and then the end of the input, and gives all that it said. */
  async typed(...lines: readonly string[]): Promise<string> {
    this.child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
    await this.ended;
    return this.output;
  }
}

/**
 * Runs a program to its end: as a module of this process or, if it exits in its middle, in a process of its own.
 * A module cannot be stopped there, and would print into the output of the next program.
 */
export async function runProgram(
  cwd: string,
  file: string,
  { args = [], input = '', env = {} }: Omit<ProgramOptions, 'cwd'> = {},
): Promise<Ended> {
  const source = await readFile(pathOf(file), 'utf8');
  if (/\bexit\(/.test(source)) return new Program(file, { cwd, args, input, env }).ended;
  return runModule(pathOf(file), { cwd, args, input, env });
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

/**
 * Returns the output of a program that has nothing to complain about.
 *
 * @throws Error with what it complains about.
 */
export async function outputOf(
  cwd: string,
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(cwd, file, { args, env });
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${stderr}`);
  return stdout;
}
