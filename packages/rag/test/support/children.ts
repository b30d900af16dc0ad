import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';

/** The reports of `write-index.mjs`. */
export interface WriterMessage {
  readonly type: 'open' | 'begin' | 'done';
  /** As they shall be; without text: not there. */
  readonly documents?: readonly SourceDocument[];
}

/**
 * Starts a program of `children/`, killed when the test is over.
 *
 * @param stderr - Where it complains.
 */
export function startChild(
  name: string,
  args: readonly string[],
  stderr: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  const path = fileURLToPath(new URL(`../children/${name}.mjs`, import.meta.url));
  const child = fork(path, args, { execArgv: [], stdio: ['ignore', 'inherit', stderr, 'ipc'] });
  onTestFinished(() => kill(child));
  return child;
}

/** Waits for the first thing that a child says. */
export async function isOpen(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the child ended with ${code} and said nothing`);
  });
  await Promise.race([once(child, 'message'), ended]);
}

/** Kills a process at once, and waits for the last thing that it said. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ends = [once(child, 'exit'), ...(child.connected ? [once(child, 'disconnect')] : [])];
  child.kill('SIGKILL');
  await Promise.all(ends);
}

/** The state of an index that a child has acknowledged, and what it was doing. */
export class Acknowledged {
  readonly #documents = new Map<string, SourceDocument>();
  #underWay: readonly SourceDocument[] = [];
  count = 0;

  /** Takes in a report of the child. */
  hear({ type, documents = [] }: WriterMessage): void {
    if (type === 'begin') this.#underWay = documents;
    if (type !== 'done') return;
    this.#underWay = [];
    for (const document of documents) this.#documents.set(document.filePath, document);
    this.count++;
  }

  /** Returns the states that the index may be in: what was in progress happened, did not, or in part. */
  states(): readonly (readonly SourceDocument[])[] {
    let states = [new Map(this.#documents)];
    for (const document of this.#underWay) {
      states = states.flatMap((state) => [state, new Map(state).set(document.filePath, document)]);
    }
    return states.map((state) => [...state.values()].filter(({ text }) => text !== ''));
  }

  /** The child is dead, and this is what it left. */
  settle(documents: readonly SourceDocument[]): void {
    this.#underWay = [];
    this.#documents.clear();
    for (const document of documents) this.#documents.set(document.filePath, document);
  }
}
