import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** True if this machine reports which processes and connections a program starts. */
export const HAS_STRACE: boolean =
  process.platform === 'linux' && spawnSync('strace', ['--seccomp-bpf', '-V']).status === 0;

/** A folder for many small files: to wait for a disk proves nothing here, and is most of the time. */
export const FAST_FOLDER: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A program of Node to run under the eyes of the system. */
export interface ChildToWatch {
  /** The words after `node`. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that strace writes. */
  readonly trace: string;
}

/** The end of a program, and what the system saw of it. */
export interface WatchedEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The calls that started a program, without the first, and without those that found none. */
  readonly started: readonly string[];
  /** The calls that connected beyond this machine. */
  readonly connected: readonly string[];
}

/** Runs a program of Node; without strace nothing is reported of what it started. */
export async function watchChild({ words, cwd, env, trace }: ChildToWatch): Promise<WatchedEnd> {
  const own = [process.execPath, ...words] as const;
  // Only these calls stop it, and not each call.
  const watch = ['-f', '--seccomp-bpf', '-qq', '-s', '4096', '-o', trace] as const;
  const calls = ['-e', 'trace=execve,execveat,connect,sendto'] as const;
  const [program, ...args] = HAS_STRACE ? ['strace', ...watch, ...calls, ...own] : own;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = HAS_STRACE ? readFileSync(trace, 'utf8').split('\n') : [];
  const started = lines.filter((line) => /execve(?:at)?\(/.test(line)).slice(1);
  return {
    code,
    stdout,
    stderr,
    started: started.filter((line) => !line.includes('ENOENT')),
    connected: lines.filter(
      (line) => /sa_family=AF_INET/.test(line) && !/"(?:127\.\d+\.\d+\.\d+|::1)"/.test(line),
    ),
  };
}
