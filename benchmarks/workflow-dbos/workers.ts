import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('./worker.mjs', import.meta.url));

/** What a worker is started with. */
export interface WorkerFacts {
  readonly url: string;
  readonly namespace?: string;
  readonly leaseMs?: number;
  /** Of the chain that DBOS alone does. */
  readonly steps?: number;
}

/** What a worker tells of itself. */
export interface WorkerReport {
  readonly msPerStep: number;
  /** Of the processor, in the worker alone. */
  readonly cpuMsPerStep: number;
  readonly rssMb: number;
}

/** A process that leads runs, and that can be killed. */
export class WorkerProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @param kind - `bare`: DBOS alone. */
  static async start(facts: WorkerFacts, kind: 'ours' | 'bare' = 'ours'): Promise<WorkerProcess> {
    const child = fork(FILE, [JSON.stringify(facts), kind], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const worker = new WorkerProcess(child);
    await worker.#told('ready');
    return worker;
  }

  /** Resolves when a slow step begins here. */
  async began(): Promise<WorkerProcess> {
    await this.#told('began');
    return this;
  }

  /** @param word - `chain`: after one more chain, of DBOS alone. */
  async report(word: 'report' | 'chain' = 'report'): Promise<WorkerReport> {
    this.#child.send(word);
    return this.#told();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #told(word?: string): Promise<WorkerReport> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#child.off('message', onMessage).off('exit', onExit);
      };
      const onMessage = (message: unknown): void => {
        if (word === undefined ? typeof message !== 'object' : message !== word) return;
        settle();
        resolve(message as WorkerReport);
      };
      const onExit = (code: number | null): void => {
        settle();
        reject(new Error(`a worker ended with ${code ?? 'a signal'}`));
      };
      this.#child.on('message', onMessage).on('exit', onExit);
    });
  }
}
