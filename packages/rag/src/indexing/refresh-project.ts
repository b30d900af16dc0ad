import { messageOf, type TypedEvents } from '@vizprompt/providers';
import {
  indexAll,
  indexedPaths,
  type ProjectBackend,
  updateAll,
} from '../contract/project-backend.ts';
import { IndexingError, RagError } from '../errors.ts';
import type { IndexingEvents } from '../events.ts';
import { readDocument, type ReadDocument } from './read-document.ts';
import { type ProjectScan, type ScannedFile, scanProject } from './scan-project.ts';
import type { SourceEntries, SourceEntry, SourceManifest } from './source-manifest.ts';

/** Up to this many bytes of changes are one commit, made in this process. */
const SMALL_BYTES = 100_000;

/** The result of a refresh. */
export interface RefreshReport {
  /** Documents that were new or differed. */
  readonly indexed: number;
  /** Documents that were removed. */
  readonly removed: number;
  /** Documents that are as the index has them. */
  readonly unchanged: number;
  /** Files that are not in the index, as they cannot be read or analyzed. */
  readonly failed: number;
}

/** The parts that a refresh works on. */
export interface RefreshTarget {
  readonly project: string;
  /** The real path of the project. */
  readonly root: string;
  readonly backend: ProjectBackend;
  readonly manifest: SourceManifest;
  readonly events: TypedEvents<IndexingEvents>;
  readonly maxFileBytes: number;
  /** Why files are not in the index, as far as it was reported by `file:failed`, by their paths. */
  readonly toldFailures: Map<string, string>;
  /** Called if the index has lost documents, before they come back. */
  onLoss(): void;
}

/** {@link RefreshReport}, and what the watcher wants to know. */
export interface Refreshed {
  readonly report: RefreshReport;
  /** True if no file changed so lately that it must be looked at again. */
  readonly isSettled: boolean;
}

/** Makes the index what the project is. The caller holds the lock of the project. */
export async function refreshProject(
  target: RefreshTarget,
  signal: AbortSignal,
): Promise<Refreshed> {
  const scan = await scanProject(target.root, signal);
  const { entries, isNews } = target.manifest.load();
  const indexed = await indexedPaths(target.backend, target.project);
  const run = new RefreshRun(target, scan, entries, indexed, signal);
  await run.run();
  if (isNews || run.hasChanged) target.events.emit('index:changed', { byOthers: isNews });
  const report = run.finish();
  const isSettled = [...run.entries.values()].every(
    ({ hash, version }) => hash === undefined || version !== undefined,
  );
  return { report, isSettled };
}

class RefreshRun {
  readonly #target: RefreshTarget;
  readonly #scan: ProjectScan;
  readonly #remembered: SourceEntries;
  readonly #indexed: ReadonlySet<string> | undefined;
  readonly #plan: RefreshPlan;
  readonly #signal: AbortSignal;
  /** As they shall be remembered. */
  readonly entries: Map<string, SourceEntry>;
  readonly #written = new Map<string, Pick<ReadDocument, 'hash' | 'version'>>();
  readonly #removed = new Set<string>();
  /** The removed ones that the index still has. */
  #toRemove: string[];
  /** The documents that the index may have by now. */
  readonly #touched = new Set<string>();
  readonly #failures = new Map<string, IndexingError>();
  #hasStarted = false;

  constructor(
    target: RefreshTarget,
    scan: ProjectScan,
    remembered: SourceEntries,
    indexed: ReadonlySet<string> | undefined,
    signal: AbortSignal,
  ) {
    this.#target = target;
    this.#scan = scan;
    this.#remembered = remembered;
    this.#indexed = indexed;
    this.#signal = signal;
    this.#plan = planRefresh(scan, remembered, indexed);
    if (this.#plan.isLossy) target.onLoss();
    this.entries = new Map(this.#plan.entries);
    this.#toRemove = [...this.#plan.gone];
    for (const path of this.#toRemove) this.#removed.add(path);
  }

  get hasChanged(): boolean {
    return this.#written.size + this.#removed.size > 0;
  }

  async run(): Promise<void> {
    const { bytes, suspects } = this.#plan;
    if (bytes <= SMALL_BYTES) await this.#inGroups();
    else {
      this.#begin(suspects.map(({ path }) => path));
      try {
        await indexAll(this.#target.backend, this.#stream(), { signal: this.#signal });
      } catch (error) {
        if (this.#isFatal(error)) throw error;
        // One of them, or the process that analyzes; in groups it is found out which.
        this.#written.clear();
        await this.#inGroups();
      }
      await this.#write([]);
    }
    for (const [path, problem] of this.#scan.problems) this.#fail(path, problem);
    await this.#remember();
  }

  finish(): RefreshReport {
    const { events } = this.#target;
    for (const path of this.#written.keys()) events.emit('file:indexed', { path });
    for (const path of this.#removed) events.emit('file:removed', { path });
    this.#tellFailures();
    const failed = [...this.entries.values()].filter(({ problem }) => problem !== undefined).length;
    const report = {
      indexed: this.#written.size,
      removed: this.#removed.size,
      unchanged: this.entries.size - failed - this.#written.size,
      failed,
    };
    if (this.#hasStarted) events.emit('index:finished', report);
    return report;
  }

  /** Also reports failures that another process or an earlier run has found, as the listeners here do not know of them. */
  #tellFailures(): void {
    const { events, toldFailures } = this.#target;
    for (const path of toldFailures.keys()) {
      if (this.entries.get(path)?.problem === undefined) toldFailures.delete(path);
    }
    for (const [path, { problem }] of this.entries) {
      if (problem === undefined || toldFailures.get(path) === problem) continue;
      toldFailures.set(path, problem);
      const error = this.#failures.get(path) ?? new IndexingError(problem, { context: { path } });
      events.emit('file:failed', { path, error });
    }
  }

  /** Reads the suspects and writes those that differ, as many at once as are one commit. */
  async #inGroups(): Promise<void> {
    let group: ReadDocument[] = [];
    let size = 0;
    for await (const document of this.#differing()) {
      group.push(document);
      size += document.text.length;
      if (size < SMALL_BYTES) continue;
      await this.#write(group);
      [group, size] = [[], 0];
    }
    await this.#write(group);
    // A document that could not be written has no place in the index as it was before either.
    await this.#write([]);
  }

  async *#stream(): AsyncGenerator<{ novelId: string; filePath: string; text: string }> {
    for await (const document of this.#differing()) {
      yield this.#source(document);
      this.#wrote(document);
    }
  }

  /** Returns the suspects that differ from what the index has. */
  async *#differing(): AsyncGenerator<ReadDocument> {
    const { root, maxFileBytes } = this.#target;
    const { suspects } = this.#plan;
    const reads = readAhead(suspects, ({ path }) => readDocument(root, path, maxFileBytes));
    let at = 0;
    for await (const [{ path }, found] of reads) {
      this.#signal.throwIfAborted();
      const document = this.#changed(path, found);
      if (document) yield document;
      if (this.#hasStarted) {
        this.#target.events.emit('index:progress', { done: ++at, total: suspects.length, path });
      }
    }
  }

  /** Returns the text, if it differs from that in the index. */
  #changed(
    path: string,
    found: Awaited<ReturnType<typeof readDocument>>,
  ): ReadDocument | undefined {
    if (!found) {
      this.entries.delete(path);
      this.#takeOut(path);
      return undefined;
    }
    const { version } = found;
    const known = version === undefined ? {} : { version };
    if ('problem' in found) {
      this.#fail(path, found.problem, known);
      this.#takeOut(path);
      return undefined;
    }
    const { hash, isEmpty = false } = this.#plan.entries.get(path) ?? {};
    if (hash !== found.hash) return found;
    this.entries.set(path, { ...known, hash, ...(isEmpty ? { isEmpty } : {}) });
    return undefined;
  }

  /** Writes documents, and removes what has to go. */
  async #write(documents: readonly ReadDocument[]): Promise<void> {
    const { backend, project } = this.#target;
    const gone = this.#toRemove;
    if (documents.length + gone.length === 0) return;
    this.#begin(documents.map(({ path }) => path));
    const removed = gone.map((filePath) => ({ novelId: project, filePath }));
    const sources = documents.map((document) => this.#source(document));
    try {
      await updateAll(backend, sources, removed, { signal: this.#signal });
      this.#toRemove = [];
      for (const document of documents) this.#wrote(document);
    } catch (error) {
      if (this.#isFatal(error) || documents.length === 0) throw error;
      for (const document of documents) await this.#writeAlone(document);
    }
  }

  async #writeAlone(document: ReadDocument): Promise<void> {
    const { path } = document;
    try {
      const signal = this.#signal;
      await updateAll(this.#target.backend, [this.#source(document)], [], { signal });
      this.#wrote(document);
    } catch (cause) {
      if (this.#isFatal(cause)) throw cause;
      const message = `${path} cannot be indexed: ${messageOf(cause)}`;
      this.#fail(path, new IndexingError(message, { cause, context: { path } }));
      this.#takeOut(path);
    }
  }

  #wrote({ path, hash, version }: ReadDocument): void {
    this.#written.set(path, version === undefined ? { hash } : { hash, version });
  }

  /** Before the index changes it is noted of which documents it is not known what it has. */
  #begin(paths: readonly string[]): void {
    const { events, manifest } = this.#target;
    if (!this.#hasStarted) {
      const { suspects, gone } = this.#plan;
      events.emit('index:started', { files: suspects.length, removed: gone.length });
    }
    this.#hasStarted = true;
    for (const path of [...paths, ...this.#removed]) this.#touched.add(path);
    const marked = new Map(this.#remembered);
    for (const path of this.#touched) marked.set(path, {});
    manifest.save(marked);
  }

  async #remember(): Promise<void> {
    const { backend, project, manifest } = this.#target;
    const indexed =
      this.#written.size > 0 && backend.documents
        ? await indexedPaths(backend, project)
        : undefined;
    for (const [path, known] of this.#written) {
      const isEmpty = indexed !== undefined && !indexed.has(path);
      this.entries.set(path, isEmpty ? { ...known, isEmpty } : known);
    }
    if (this.#hasStarted || !isSame(this.entries, this.#remembered)) manifest.save(this.entries);
  }

  #source({ path, text }: ReadDocument): { novelId: string; filePath: string; text: string } {
    return { novelId: this.#target.project, filePath: path, text };
  }

  #fail(path: string, error: IndexingError, known: { version?: string } = {}): void {
    this.#failures.set(path, error);
    this.entries.set(path, { ...known, problem: error.message });
  }

  #takeOut(path: string): void {
    if (!this.#touched.has(path) && !this.#wasIndexed(path)) return;
    if (this.#wasIndexed(path)) this.#removed.add(path);
    this.#toRemove.push(path);
  }

  #wasIndexed(path: string): boolean {
    const isIndexed = this.#indexed?.has(path);
    const entry = this.#remembered.get(path);
    return (entry !== undefined || isIndexed === true) && mayBeIndexed(entry, isIndexed);
  }

  /** Checks whether another document would fare no better. */
  #isFatal(error: unknown): boolean {
    if (this.#signal.aborted) return true;
    return (
      RagError.isInstance(error) && ['closed', 'index-locked', 'index-corrupt'].includes(error.code)
    );
  }
}

function isSame(entries: SourceEntries, others: SourceEntries): boolean {
  if (entries.size !== others.size) return false;
  for (const [path, entry] of entries) {
    const other = others.get(path);
    if (!other || JSON.stringify(entry) !== JSON.stringify(other)) return false;
  }
  return true;
}

/** This many are read at once: a file takes several steps of the disk, each with a wait. */
const AHEAD = 4;

/** Reads items some at a time, and gives each with what was read, in their order. */
async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  const reading: Promise<readonly [Item, Result]>[] = [];
  for (const item of items) {
    const result = read(item).then((found) => [item, found] as const);
    // It is reported when its turn comes; the caller may not want it by then.
    result.catch(() => undefined);
    reading.push(result);
    const first = reading.length > AHEAD ? reading.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of reading) yield await result;
}

/** The changes that make the index match the project. */
interface RefreshPlan {
  /** To be read, as they differ from what is remembered of them. */
  readonly suspects: readonly ScannedFile[];
  /** Paths of documents that the index has, or may have, and the project has not. */
  readonly gone: readonly string[];
  /** The entries of suspects that still hold. */
  readonly entries: Map<string, SourceEntry>;
  /** Bytes of the suspects. */
  readonly bytes: number;
  /** True if the index has lost documents that it had. */
  readonly isLossy: boolean;
}

/**
 * Compares a project with what is remembered of its documents.
 *
 * @param indexed - The paths of those that the index has; nothing if it does not say.
 */
function planRefresh(
  { files, problems }: ProjectScan,
  remembered: SourceEntries,
  indexed: ReadonlySet<string> | undefined,
): RefreshPlan {
  const entries = new Map<string, SourceEntry>();
  const suspects: ScannedFile[] = [];
  let bytes = 0;
  let isLossy = false;
  for (const file of files.values()) {
    const known = remembered.get(file.path);
    const isLost = isLostBy(known, indexed?.has(file.path));
    isLossy ||= isLost;
    const entry = isLost ? {} : known;
    if (entry) entries.set(file.path, entry);
    if (entry?.version === file.version) continue;
    suspects.push(file);
    bytes += file.size;
  }
  const gone: string[] = [];
  for (const path of new Set([...remembered.keys(), ...(indexed ?? [])])) {
    const entry = remembered.get(path);
    // A write that was not finished may have left a part that the index does not list.
    const isUnfinished =
      entry !== undefined && entry.hash === undefined && entry.problem === undefined;
    const mayBe = isUnfinished || mayBeIndexed(entry, indexed?.has(path));
    if (!files.has(path) && mayBe) gone.push(path);
  }
  for (const path of problems.keys()) {
    const { problem } = remembered.get(path) ?? {};
    if (problem !== undefined) entries.set(path, { problem });
  }
  return { suspects, gone, entries, bytes, isLossy };
}

/** Checks whether a document gave chunks, and the index does not have it any more. */
function isLostBy(entry: SourceEntry | undefined, isIndexed: boolean | undefined): boolean {
  return entry?.hash !== undefined && entry.isEmpty !== true && isIndexed === false;
}

/** A file that is known to have failed is not there, and one that is not known to be there may be. */
function mayBeIndexed(entry: SourceEntry | undefined, isIndexed: boolean | undefined): boolean {
  return isIndexed ?? entry?.problem === undefined;
}
