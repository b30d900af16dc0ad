import { LruMap } from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { WorkflowError } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import { retryOnDisconnect } from './retry-on-disconnect.ts';

/** Definitions that are cached. */
const MOST = 200;

/** The definitions of the runs of one life of a worker, parsed: runs that begin together read theirs once. */
export class DefinitionCache {
  readonly #known = new LruMap<string, Promise<DefinitionSnapshot>>(MOST);
  readonly #journal: Pick<Journal, 'definition'>;
  readonly #isOver: () => boolean;

  /** @param isOver - True when the life is over: a read that waits for the database ends then. */
  constructor(journal: Pick<Journal, 'definition'>, isOver: () => boolean) {
    this.#journal = journal;
    this.#isOver = isOver;
  }

  /** @throws WorkflowError with the code `not-found` if the journal does not have it. */
  of(hash: string): Promise<DefinitionSnapshot> {
    const known = this.#known.get(hash);
    if (known) return known;
    const reading = readDefinition(hash, this.#journal, this.#isOver);
    this.#known.set(hash, reading);
    reading.catch(() => this.#known.delete(hash));
    return reading;
  }
}

async function readDefinition(
  hash: string,
  journal: Pick<Journal, 'definition'>,
  isOver: () => boolean,
): Promise<DefinitionSnapshot> {
  const definition = await retryOnDisconnect(() => journal.definition(hash), isOver);
  if (definition) return definition;
  throw new WorkflowError('not-found', `the definition ${hash} is missing from the journal`);
}
