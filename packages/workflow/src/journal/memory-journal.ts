import type { JsonValue, Spending } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import {
  conflict,
  idTaken,
  type Journal,
  type JournalEntry,
  type NewRun,
  NO_HISTORY,
  type Retention,
  type RunHistory,
  type RunsQuery,
  type ScheduleState,
  type StepRecord,
  type StoredRun,
  type WaitRecord,
} from './journal.ts';
import { retained } from './retention.ts';

interface HeldRun {
  record: StoredRun;
  readonly definition: DefinitionSnapshot;
  steps: StepRecord[];
  readonly waits: Map<string, WaitRecord>;
  readonly spendings: Map<string, Spending>;
  isLed: boolean;
}

/** A journal that lives as long as its engine. */
export class MemoryJournal implements Journal {
  readonly #runs = new Map<string, HeldRun>();
  readonly #schedules = new Map<string, ScheduleState>();

  async create({ run, definition, steps = [] }: NewRun): Promise<void> {
    if (this.#runs.has(run.id)) throw idTaken(run.id);
    this.#runs.set(run.id, {
      record: { ...run, status: 'running' },
      definition,
      steps: [...steps],
      waits: new Map(),
      spendings: new Map(),
      isLed: true,
    });
  }

  async schedules(): Promise<ReadonlyMap<string, ScheduleState>> {
    return new Map(this.#schedules);
  }

  async keepSchedule(name: string, state: ScheduleState): Promise<void> {
    this.#schedules.set(name, state);
  }

  async run(id: string): Promise<StoredRun | undefined> {
    const held = this.#runs.get(id);
    return held && shown(held);
  }

  async definition(hash: string): Promise<DefinitionSnapshot | undefined> {
    for (const { record, definition } of this.#runs.values()) {
      if (record.hash === hash) return definition;
    }
    return undefined;
  }

  async history(id: string): Promise<RunHistory> {
    const held = this.#runs.get(id);
    if (!held) return NO_HISTORY;
    let tokens = 0;
    let costUsd = 0;
    for (const spending of held.spendings.values()) {
      tokens += spending.tokens ?? 0;
      costUsd += spending.costUsd ?? 0;
    }
    return {
      steps: [...held.steps],
      waits: [...held.waits.values()],
      spent: { tokens, costUsd },
      calls: held.spendings.size,
    };
  }

  async waits(id: string): Promise<readonly WaitRecord[]> {
    return [...(this.#runs.get(id)?.waits.values() ?? [])];
  }

  async runs({ status, limit = 100, after }: RunsQuery): Promise<readonly StoredRun[]> {
    const all = [...this.#runs.values()].map(shown).toSorted(newestFirst);
    const last = all.findIndex(({ id }) => id === after);
    if (after !== undefined && last < 0) return [];
    return all
      .slice(last + 1)
      .filter((run) => status === undefined || run.status === status)
      .slice(0, limit);
  }

  async claim(id: string): Promise<boolean> {
    const held = this.#runs.get(id);
    if (!held || held.isLed) throw conflict(id);
    const { output: _output, error: _error, endedAt: _endedAt, ...rest } = held.record;
    held.record = { ...rest, status: 'running' };
    held.isLed = true;
    return false;
  }

  async takenOver(): Promise<number> {
    // It dies with its engine.
    return 0;
  }

  async excuse(): Promise<void> {}

  async release(id: string): Promise<void> {
    const held = this.#runs.get(id);
    if (held) held.isLed = false;
  }

  async write(runId: string, entry: JournalEntry): Promise<void> {
    const held = this.#led(runId);
    if (entry.type === 'step') {
      const { type: _, ...step } = entry;
      held.steps.push(step);
    } else if (entry.type === 'asked') {
      const { type: _, ...wait } = entry;
      held.waits.set(wait.path, { ...wait, isOpen: true });
    } else if (entry.type === 'spending') held.spendings.set(entry.key, entry.spending);
    else {
      const { type: _, at, ...end } = entry;
      held.record = { ...held.record, ...end, endedAt: at };
      held.isLed = false;
    }
  }

  async answer(runId: string, path: string, answer: JsonValue): Promise<boolean> {
    const held = this.#runs.get(runId);
    const wait = held?.waits.get(path);
    if (!held || !wait?.isOpen) return false;
    held.waits.set(path, { ...wait, answer, isOpen: false });
    return true;
  }

  async unask(runId: string, path: string): Promise<JsonValue | undefined> {
    const held = this.#led(runId);
    const wait = held.waits.get(path);
    if (wait && wait.answer === undefined) held.waits.set(path, { ...wait, isOpen: false });
    return wait?.answer;
  }

  async forget(runId: string, paths: readonly string[]): Promise<void> {
    const held = this.#led(runId);
    const gone = new Set(paths);
    held.steps = held.steps.filter((step) => !gone.has(step.path));
  }

  async answersOf(): Promise<[]> {
    // No other process can answer here, and the engine reports its own runs itself.
    return [];
  }

  async cancel(id: string, error: ErrorJson, at: number): Promise<boolean> {
    const held = this.#runs.get(id);
    if (!held || held.record.endedAt !== undefined) return false;
    held.record = { ...held.record, status: 'cancelled', error, endedAt: at };
    held.isLed = false;
    return true;
  }

  async prune(retention: Retention, now: number): Promise<void> {
    const ended = [...this.#runs.values()].flatMap(({ record: { id, endedAt } }) =>
      endedAt === undefined ? [] : [{ id, endedAt }],
    );
    const kept = retained(ended, retention, now);
    for (const { id } of ended) if (!kept.has(id)) this.#runs.delete(id);
  }

  async lost(): Promise<[]> {
    return [];
  }

  async close(): Promise<void> {
    this.#runs.clear();
  }

  #led(runId: string): HeldRun {
    const held = this.#runs.get(runId);
    if (!held?.isLed) throw conflict(runId);
    return held;
  }
}

function shown({ record, waits }: HeldRun): StoredRun {
  const isWaiting = record.status === 'running' && [...waits.values()].some(({ isOpen }) => isOpen);
  return isWaiting ? { ...record, status: 'waiting' } : record;
}

function newestFirst(a: StoredRun, b: StoredRun): number {
  return b.createdAt - a.createdAt || (b.id < a.id ? -1 : 1);
}
