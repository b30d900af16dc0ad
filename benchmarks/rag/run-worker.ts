import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const POLL_MS = 10;

/** What a worker printed, and what it took. */
export interface Run<Result> {
  readonly result: Result;
  /**
   * Resident memory of the process and all that it started, at most, in megabytes: `VmRSS` of each,
   * added up every 10 ms. Nothing where there is no `/proc`.
   */
  readonly peak: number | undefined;
}

/** Runs a module in a Node of its own, which prints its result as the last line, in JSON. */
export async function runWorker<Result>(
  name: string,
  values: readonly (string | number)[],
): Promise<Run<Result>> {
  const worker = fileURLToPath(new URL(name, import.meta.url));
  return runNode<Result>(['--expose-gc', worker, ...values.map(String)]);
}

/** Runs Node. */
export function runNode<Result>(values: readonly string[]): Promise<Run<Result>> {
  const child = spawn(process.execPath, values, { stdio: ['ignore', 'pipe', 'inherit'] });
  let peak: number | undefined;
  const poll = setInterval(() => {
    const now = treeMemory(child.pid ?? 0);
    if (now !== undefined) peak = Math.max(peak ?? 0, now);
  }, POLL_MS);
  const output: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(poll);
      const text = Buffer.concat(output).toString('utf8').trimEnd();
      if (code === 0) {
        const line = text.slice(text.lastIndexOf('\n') + 1);
        resolve({ result: JSON.parse(line) as Result, peak });
      } else {
        reject(new Error(`${values.join(' ')} ended with ${signal ?? `code ${code}`}\n${text}`));
      }
    });
  });
}

/** Megabytes of a process and its descendants. */
function treeMemory(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const own = Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const others = children === '' ? [] : children.split(' ').map(Number);
    return others.reduce((sum, child) => sum + (treeMemory(child) ?? 0), own / 1e6);
  } catch {
    return undefined;
  }
}
