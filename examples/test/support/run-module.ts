import { Console } from 'node:console';
import { syncBuiltinESMExports } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { onTestFinished, vi } from 'vitest';

/** Where and with what a program runs. */
export interface ModuleOptions {
  readonly cwd: string;
  readonly args: readonly string[];
  /** The content of standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The output of a program, and how it ended. */
export interface Ended {
  /** Its exit code, or `null` if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end as a module of this process, which takes a tenth of the time of a process of its
 * own: its packages are loaded already. Until then the folder, the variables, the arguments, the streams and
 * the console of the process are the program's.
 *
 * @param path - A program that has ended when it has been loaded.
 */
export async function runModule(
  path: string,
  { cwd, args, input, env }: ModuleOptions,
): Promise<Ended> {
  const streams = { stdout: '', stderr: '' };
  const into = (name: keyof typeof streams): Writable =>
    new Writable({
      write(bytes: Buffer, _, done) {
        streams[name] += bytes.toString('utf8');
        done();
      },
    });
  const stdout = into('stdout');
  const stderr = into('stderr');
  let leave = (_: number): void => {};
  const left = new Promise<number>((resolve) => (leave = resolve));
  const exit = (): never => {
    throw new Error('a program that calls process.exit needs its own process');
  };
  using _ = processOf({
    cwd,
    env,
    argv: [process.execPath, path, ...args],
    streams: { stdin: Readable.from(input === '' ? [] : [input]), stdout, stderr },
    exit,
  });
  // A program that hangs is abandoned with the limit of its test, and the process is itself again.
  onTestFinished(() => leave(1));
  // Each run is one of its own, down to what the program is made of.
  vi.resetModules();
  const ended = import(pathToFileURL(path).href).then(
    () => Number(process.exitCode ?? 0),
    (error: unknown) => {
      streams.stderr += `${error instanceof Error ? error.stack : String(error)}\n`;
      return 1;
    },
  );
  const code = await Promise.race([ended, left]);
  return { code, ...streams };
}

/** The parts of a process that belong to a program. */
interface ProgramProcess {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly streams: {
    readonly stdin: Readable;
    readonly stdout: Writable;
    readonly stderr: Writable;
  };
  readonly exit: () => never;
}

/** Makes this process that of a program, until it is disposed of. */
function processOf({ cwd, env, argv, streams, exit }: ProgramProcess): Disposable {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const listeners = new Set(process.listeners('SIGINT'));
  const replacements = [
    ...Object.entries({ ...streams, exit, argv }).map(([name, value]) =>
      replaced(process, name, value),
    ),
    replaced(globalThis, 'console', new Console(streams)),
  ];
  process.exitCode = undefined;
  process.chdir(cwd);
  Object.assign(process.env, env);
  // Replaces those of `import { stdout } from 'node:process'`, too.
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      for (const one of replacements) one[Symbol.dispose]();
      syncBuiltinESMExports();
      process.exitCode = undefined;
      process.chdir(before.cwd);
      for (const name of Object.keys(process.env)) {
        if (!Object.hasOwn(before.env, name)) Reflect.deleteProperty(process.env, name);
      }
      Object.assign(process.env, before.env);
      for (const listener of process.listeners('SIGINT')) {
        if (!listeners.has(listener)) process.removeListener('SIGINT', listener);
      }
    },
  };
}

/** Replaces a property until it is disposed of. */
function replaced(owner: object, name: string, value: unknown): Disposable {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, writable: true, value });
  return {
    [Symbol.dispose]() {
      if (before) Object.defineProperty(owner, name, before);
    },
  };
}
