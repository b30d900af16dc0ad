import { VizPromptError } from '../errors.ts';
import type { Project } from '../project/project.ts';
import type { ImportedConversation, ReadyFlow } from './conversation.ts';
import type { SourceEntry } from './gather-records.ts';
import type { SavedConversation } from './report.ts';
import {
  namesOf,
  planConversation,
  type PlannedConversation,
  saveConversations,
} from './save-conversation.ts';

/** The nodes of a batch, about, and the characters of their texts: it is written as soon as it has as many. */
const MOST_NODES = 256;
const MOST_CHARACTERS = 1_000_000;

/** The outcome for a conversation: it was saved, or is too large. */
export interface SaveOutcome {
  readonly entry: SourceEntry;
  readonly saved?: SavedConversation;
  readonly error?: VizPromptError;
}

interface Queued {
  readonly entry: SourceEntry;
  readonly planned: PlannedConversation;
}

/**
 * Gathers conversations into batches: to write many small ones together takes half the time. A batch is written while
 * the next one is read. Conversations that have to do with each other are written one after the other, in their order.
 */
export class SaveQueue {
  readonly #project: Project;
  #queued: Queued[] = [];
  /** The batch that is being written. */
  #writing: Promise<readonly SaveOutcome[]> = Promise.resolve([]);
  readonly #names = new Set<string>();
  #nodes = 0;
  #characters = 0;
  /** True if a batch could not be written: then no other is. */
  #isBroken = false;

  constructor(project: Project) {
    this.#project = project;
  }

  /**
   * Adds a conversation.
   *
   * @returns The outcomes of the conversations that have been written since the last call.
   * @throws BrokenEntry if there is nothing in it.
   */
  async add(
    entry: SourceEntry,
    conversation: ImportedConversation | ReadyFlow,
  ): Promise<readonly SaveOutcome[]> {
    const planned = planConversation(this.#project, conversation);
    const names = namesOf(planned);
    const isRelated = names.some((name) => this.#names.has(name));
    const before = isRelated ? await this.flush() : [];
    for (const name of names) this.#names.add(name);
    this.#queued.push({ entry, planned });
    for (const { prompt, response } of planned.plan.nodes) {
      this.#nodes++;
      this.#characters += prompt.length + response.length;
    }
    const isFull = this.#nodes >= MOST_NODES || this.#characters >= MOST_CHARACTERS;
    return isFull ? [...before, ...(await this.#next())] : before;
  }

  /** Writes what is queued, and waits for it. After a batch that could not be written it writes nothing. */
  async flush(): Promise<readonly SaveOutcome[]> {
    return [...(await this.#next()), ...(await this.#next())];
  }

  /** Waits for the batch that is being written, and begins with what is queued. */
  async #next(): Promise<readonly SaveOutcome[]> {
    const written = this.#writing;
    this.#writing = Promise.resolve([]);
    const outcomes = await written;
    if (this.#isBroken) return outcomes;
    const queued = this.#queued;
    this.#queued = [];
    this.#names.clear();
    [this.#nodes, this.#characters] = [0, 0];
    this.#writing = this.#write(queued);
    // The next call throws it.
    this.#writing.catch(() => {
      this.#isBroken = true;
    });
    return outcomes;
  }

  async #write(queued: readonly Queued[]): Promise<readonly SaveOutcome[]> {
    if (queued.length === 0) return [];
    const together = await this.#save(queued);
    if (together.length > 0) return together;
    const outcomes: SaveOutcome[] = [];
    for (const one of queued) {
      const alone = await this.#save([one]);
      outcomes.push(...alone);
    }
    return outcomes;
  }

  /** Returns nothing where one of several is too large. */
  async #save(queued: readonly Queued[]): Promise<readonly SaveOutcome[]> {
    try {
      const saved = await saveConversations(
        this.#project,
        queued.map(({ planned }) => planned),
      );
      return queued.flatMap(({ entry }, at) => {
        const one = saved[at];
        return one ? [{ entry, saved: one }] : [];
      });
    } catch (error) {
      const isTooLarge = VizPromptError.isInstance(error) && error.code === 'too-large';
      if (!isTooLarge) throw error;
      const [only, ...others] = queued;
      return only && others.length === 0 ? [{ entry: only.entry, error }] : [];
    }
  }
}
