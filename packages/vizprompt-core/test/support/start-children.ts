import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The acknowledgement of a child of `write-project.mjs`. */
export interface Acknowledgement {
  readonly node?: string;
  readonly flow?: string;
  readonly changed?: string;
  readonly response?: string;
  readonly deleted?: string;
}

/** Starts a program that writes to a project, and hears what is acknowledged. */
export function startWriter(
  args: readonly string[],
  onAcknowledged: (message: Acknowledgement) => void,
): ChildProcess {
  const path = fileURLToPath(new URL('../children/write-project.mjs', import.meta.url));
  const child = fork(path, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', onAcknowledged);
  return child;
}

/** Returns what a program in `children` reports. */
export async function startPeerless(
  program: 'close-after-call' | 'without-parsers' | 'without-viz' | 'without-ws',
  ...args: readonly string[]
): Promise<unknown> {
  const path = fileURLToPath(new URL(`../children/${program}.mjs`, import.meta.url));
  const child = fork(path, args, {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('message', resolve);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`it ended with ${code} and said nothing`)));
  });
}

/** How far the child of `import-file.mjs` is. */
export interface ImportMessage {
  readonly nodes?: number;
  readonly done?: number;
}

/** Starts a program that imports a file, and hears how many nodes are saved. */
export function startImport(
  args: readonly string[],
  onMessage: (message: ImportMessage) => void,
): ChildProcess {
  const path = fileURLToPath(new URL('../children/import-file.mjs', import.meta.url));
  const child = fork(path, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', onMessage);
  return child;
}
