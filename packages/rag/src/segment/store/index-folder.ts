import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type HeldLock, type LockOptions, messageOf, StorageError } from '@vizprompt/providers';
import { isMissing, isTempName, openFolder, sweepTemp } from '@vizprompt/providers/internal';
import type { LockFolder } from '@vizprompt/providers/node';
import type { Section } from '../../binary/section-file.ts';
import type { BackendStats } from '../../contract/search-backend.ts';
import { IndexingError, RagError } from '../../errors.ts';
import {
  emptyManifest,
  isSameManifest,
  makeFolder,
  type Manifest,
  manifestVersion,
  type MissingReason,
  type PreviousManifest,
  readManifest,
  type SegmentEntry,
  writeManifest,
  writeSegment,
} from '../format/index-layout.ts';
import { SegmentReader } from '../read/segment-reader.ts';
import { hasDanglingChunks, Snapshot } from '../read/snapshot.ts';

/** Temporary files of versions before 0.2. */
const MANIFEST_TEMP = /^manifest\.json\..*\.tmp$/;
const SEGMENT_FILE = /^segment-.*\.bin$/;
/** A segment that no manifest has named for this long was abandoned by a process that died. */
const ABANDONED_MS = 3_600_000;
/** How often opening is tried again while another process replaces the manifest. */
const RETRIES = 5;
/** How often the files of the locks may be deleted while one of them is waited for. */
const LOCK_ATTEMPTS = 5;
/** The codes of their errors then. */
const GONE: ReadonlySet<string> = new Set(['io', 'closed']);

/** The changes of a commit. */
interface Commit {
  readonly add: readonly SegmentEntry[];
  /** Files of segments that go. */
  readonly remove: readonly string[];
  readonly nextDoc: number;
  /** True if what other analyzers made is not needed any more. */
  readonly isRebuilt?: boolean;
}

/** The files of an index, and the newest snapshot of them. */
export class IndexFolder {
  readonly path: string;
  readonly #analyzer: string;
  readonly #onDiscarded: (reason: string) => void;
  #snapshot: Snapshot;
  /** The manifest that was read or written last, used or not, and its version. */
  #onDisk: Manifest;
  #version: string;
  /** The analyzer of another process that made the index again. */
  #takenOver: string | undefined;
  #isOpen = false;
  /** Why the files under us are gone, if no scan or write happened since. */
  #lost: string | undefined;
  #isClosed = false;
  /** Segments that are damaged. */
  readonly #broken = new Set<string>();
  /** Why documents may be missing, if no scan or write happened since. */
  #missing: MissingReason | undefined;

  /**
   * @param analyzer - The id of the analyzer; an index of another one starts empty.
   * @param onDiscarded - Receives the reason why an existing index cannot be used.
   */
  constructor(path: string, analyzer: string, onDiscarded: (reason: string) => void) {
    makeFolder(path);
    this.path = path;
    this.#analyzer = analyzer;
    this.#onDiscarded = onDiscarded;
    this.#onDisk = emptyManifest(analyzer);
    this.#snapshot = new Snapshot(this.#onDisk, []);
    this.#version = '';
    this.refresh();
    this.#isOpen = true;
  }

  /** Returns the newest commit, those of other processes among them. Costs a `stat` if there is none. */
  refresh(): Snapshot {
    if (this.#isClosed) throw new RagError('closed', `the index in ${this.path} is closed`);
    for (let attempt = 0; manifestVersion(this.path) !== this.#version; attempt++) {
      try {
        this.#load();
      } catch (error) {
        // Another process may have merged the segments away between the two reads.
        if (attempt >= RETRIES) throw error;
      }
    }
    return this.#snapshot;
  }

  /**
   * Like `refresh`, for who holds the lock: it reads the manifest, as two that were written within one
   * tick of the file system's clock may look the same.
   *
   * @throws IndexingError if the index is one of another analyzer now.
   */
  refreshToWrite(): Snapshot {
    const found = readManifest(this.path);
    if (found.state === 'ok' && !isSameManifest(found.manifest, this.#onDisk))
      this.#version = 'unknown';
    const snapshot = this.refresh();
    if (this.#takenOver !== undefined) {
      throw new IndexingError(
        `the index in ${this.path} was rebuilt with the analyser '${this.#takenOver}': open it again`,
      );
    }
    return snapshot;
  }

  /** Returns why documents may be missing, if they may. */
  get missing(): MissingReason | undefined {
    return this.#missing;
  }

  /** Manifests by other analyzers still to be re-analyzed, newest first. */
  get previous(): readonly PreviousManifest[] {
    return this.#snapshot.manifest.previous ?? [];
  }

  /**
   * Like `refresh`, for searches: if the files of an index that is open were deleted or damaged, they say so
   * until it is written again, as finding nothing would look like an answer.
   *
   * @throws IndexingError with the code `index-corrupt`.
   */
  refreshToSearch(): Snapshot {
    const snapshot = this.refresh();
    if (this.#lost === undefined) return snapshot;
    throw new IndexingError(
      `the index in ${this.path} lost documents, as ${this.#lost}: index the documents again`,
      { context: { folder: this.path, reason: this.#lost } },
      'index-corrupt',
    );
  }

  /** Begins again, as what is there is damaged or of another version. */
  discard(reason: string, missing: MissingReason = 'damaged'): void {
    if (this.#isOpen) this.#lost = reason;
    this.#missing = missing;
    this.#onDiscarded(reason);
    this.#replace(new Snapshot(this.#emptied(), []));
  }

  /**
   * Continues without a segment that was found damaged.
   *
   * @returns `true` if the file is one of its segments.
   */
  leaveOut(path: string, problem: string): boolean {
    const entry = this.#onDisk.segments.find(({ file }) => join(this.path, file) === path);
    if (!entry) return false;
    // It was met by what reads an older snapshot.
    if (this.#broken.has(entry.file)) return true;
    this.#leave(entry, problem);
    if (this.#isOpen) this.#lost = problem;
    this.#adopt(this.#onDisk);
    return true;
  }

  /** Writes a segment that no manifest names yet; returns the name of its file. */
  write(sections: readonly Section[]): string {
    return writeSegment(this.path, sections);
  }

  /** Deletes a segment that no manifest names. */
  drop(file: string): void {
    try {
      rmSync(join(this.path, file), { force: true });
    } catch {
      // Windows keeps files that a reader has open; the next sweep takes them.
    }
  }

  /** Lists the documents; the caller knows what is lost. */
  documents(): ReturnType<Snapshot['listDocuments']> {
    const snapshot = this.refresh();
    this.#lost = undefined;
    this.#missing = undefined;
    return snapshot.listDocuments();
  }

  /**
   * Looks whether what the documents of a new segment have in others is still there. The caller holds the
   * lock.
   *
   * @throws IndexingError if not; the segment is of no use then.
   */
  checkKept(file: string, commit: number): void {
    const reader = new SegmentReader(join(this.path, file));
    try {
      if (!hasDanglingChunks(this.#snapshot, reader.records(), commit)) return;
    } finally {
      reader.release();
    }
    this.drop(file);
    throw new IndexingError(
      `the index in ${this.path} lost documents while others were indexed: index them again`,
      { context: { folder: this.path } },
    );
  }

  /** Makes the folder again if it was deleted. */
  makeAgain(): void {
    makeFolder(this.path);
  }

  /** Replaces the manifest. The caller holds the lock, and `refresh` came after it. */
  commit({ add, remove, nextDoc, isRebuilt = false }: Commit): Snapshot {
    const { previous, ...manifest } = this.#snapshot.manifest;
    const next: Manifest = {
      ...manifest,
      ...(previous && !isRebuilt ? { previous } : {}),
      commit: manifest.commit + 1,
      nextDoc,
      segments: [...manifest.segments.filter(({ file }) => !remove.includes(file)), ...add],
    };
    try {
      writeManifest(this.path, next);
    } catch (cause) {
      const message = `the index in ${this.path} could not be written: ${messageOf(cause)}`;
      throw new IndexingError(message, { cause, context: { folder: this.path } });
    }
    this.#lost = undefined;
    this.#missing = undefined;
    this.#see(next, manifestVersion(this.path));
    this.#adopt(next);
    for (const file of remove) this.drop(file);
    return this.#snapshot;
  }

  /**
   * Puts a merged segment instead of its sources; if others have merged some of these meanwhile,
   * it is thrown away. The caller holds the lock.
   */
  replace(
    sources: readonly string[],
    { file, chunks, records }: { file: string; chunks: number; records: number },
  ): void {
    const { manifest } = this.refresh();
    const present = new Set(manifest.segments.map((entry) => entry.file));
    if (!sources.every((source) => present.has(source))) {
      this.drop(file);
      return;
    }
    const entry = { file, base: 0, commit: manifest.commit + 1, chunks };
    const add = chunks > 0 || records > 0 || sources.length < present.size ? [entry] : [];
    this.commit({ add, remove: sources, nextDoc: manifest.nextDoc });
    if (add.length === 0) this.drop(file);
  }

  stats(): BackendStats {
    const snapshot = this.refresh();
    const { segments, documents, size, manifest } = snapshot;
    let bytes = 0;
    for (const { entry } of segments) {
      // Another process may have merged it away.
      const stat = statSync(join(this.path, entry.file), { throwIfNoEntry: false });
      bytes += stat?.size ?? 0;
    }
    return {
      chunks: size,
      documents: documents.length,
      terms: snapshot.countTerms(),
      bytes,
      analyzer: manifest.analyzer,
    };
  }

  /** Deletes segments that no manifest names: what processes left that died. Under the lock. */
  sweep(): void {
    const { manifest } = this.#snapshot;
    const all = [manifest, ...(manifest.previous ?? [])];
    const named = new Set(all.flatMap(({ segments }) => segments.map(({ file }) => file)));
    for (const file of readdirSync(this.path)) {
      if (isTempName(file)) sweepTemp(join(this.path, file), file);
      const isLeftover = SEGMENT_FILE.test(file) && !named.has(file);
      if (!isLeftover && !MANIFEST_TEMP.test(file)) continue;
      const stat = statSync(join(this.path, file), { throwIfNoEntry: false });
      // A young one may be on its way into the manifest.
      if (stat && Date.now() - stat.mtimeMs > ABANDONED_MS) this.drop(file);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#snapshot.release();
  }

  #load(): void {
    const version = manifestVersion(this.path);
    const found = readManifest(this.path);
    if (found.state === 'ok') {
      this.#see(found.manifest, found.version);
      if (found.manifest.analyzer === this.#analyzer) this.#adopt(found.manifest);
      else this.#meet(found.manifest);
      if (!this.#isOpen) this.#tellPrevious();
      return;
    }
    if (found.state === 'unreadable' && found.isForeign) this.#assertOwn();
    this.#version = version;
    if (found.state === 'unreadable') {
      this.discard(`its manifest cannot be used: ${found.problem}`, found.missing);
    } else if (this.#isOpen && this.#snapshot.size > 0) {
      this.discard('its files were deleted while it was open');
    } else this.#replace(new Snapshot(this.#emptied(), []));
  }

  /** Without segments, and newer than all that were there: what is being indexed must stay older than what comes. */
  #emptied(): Manifest {
    const { commit, nextDoc } = this.#onDisk;
    return { ...emptyManifest(this.#analyzer), commit, nextDoc };
  }

  /** Web applications have a `manifest.json` too, which is not ours to replace. */
  #assertOwn(): void {
    if (readdirSync(this.path).some((file) => SEGMENT_FILE.test(file))) return;
    throw new RagError(
      'invalid-input',
      `the manifest.json in ${this.path} belongs to another program: name a folder of its own for the index`,
      { context: { folder: this.path } },
    );
  }

  /** Handles an index of another analyzer: one that was there before, or one that another process created meanwhile. */
  #meet({ previous = [], ...newest }: Manifest): void {
    const { analyzer } = newest;
    const isRebuilding = this.#snapshot.manifest.commit === 0 && this.previous.length > 0;
    if (this.#isOpen && !isRebuilding) {
      // The open index stays searchable in its old form.
      this.#takenOver = analyzer;
      this.#onDiscarded(`another process rebuilt it with the analyser '${analyzer}'`);
      return;
    }
    const manifest = { ...emptyManifest(this.#analyzer), previous: [newest, ...previous] };
    this.#replace(new Snapshot(manifest, []));
  }

  #tellPrevious(): void {
    for (const { analyzer } of this.previous) {
      this.#onDiscarded(`it was made with the analyser '${analyzer}', not '${this.#analyzer}'`);
    }
  }

  #adopt(manifest: Manifest): void {
    this.#takenOver = undefined;
    const known = new Map(
      this.#snapshot.segments.map(({ entry, reader }) => [entry.file, reader.retain()]),
    );
    const opened: SegmentReader[] = [];
    try {
      const segments: SegmentEntry[] = [];
      const readers: SegmentReader[] = [];
      for (const entry of manifest.segments) {
        let reader = known.get(entry.file);
        try {
          if (this.#broken.has(entry.file)) continue;
          if (!reader) opened.push((reader = new SegmentReader(join(this.path, entry.file))));
          // The snapshot reads them all: damage in those of one segment would cost the others.
          reader.records();
        } catch (error) {
          if (!IndexingError.isInstance(error) || error.code !== 'index-corrupt') throw error;
          this.#leave(entry, messageOf(error));
          continue;
        }
        segments.push(entry);
        readers.push(reader);
      }
      const isDamaged = segments.length < manifest.segments.length;
      const own = isDamaged ? { ...manifest, segments } : manifest;
      this.#replace(new Snapshot(own, readers, isDamaged));
    } catch (error) {
      // A segment that is not there was merged away, but for one that the newest manifest names.
      const isLost = isMissing(error) && manifestVersion(this.path) === this.#version;
      if (!isLost && !IndexingError.isInstance(error)) {
        this.#version = 'unknown';
        throw error;
      }
      this.discard(messageOf(error));
    } finally {
      for (const reader of [...known.values(), ...opened]) reader.release();
    }
  }

  /** One segment costs the documents that it has, and not those of the others. */
  #leave({ file }: SegmentEntry, problem: string): void {
    this.#broken.add(file);
    this.#missing = 'damaged';
    this.#onDiscarded(problem);
  }

  #see(manifest: Manifest, version: string): void {
    this.#onDisk = manifest;
    this.#version = version;
  }

  #replace(snapshot: Snapshot): void {
    this.#snapshot.release();
    this.#snapshot = snapshot;
  }
}

/** The files of an index, which one writes at a time and which begin again where they are damaged. */
export class LockedIndex {
  readonly folder: IndexFolder;
  readonly #title: string;
  readonly #lockTimeoutMs: number;
  /** Which files the locks were when they were taken first, by their names. */
  readonly #lockFiles = new Map<string, string>();
  #locks: Promise<LockFolder> | undefined;
  #isClosed = false;

  /** @param title - Names the index, for the error about the wait. */
  constructor(folder: IndexFolder, title: string, lockTimeoutMs: number) {
    this.folder = folder;
    this.#title = title;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  /** Does what reads the index; if it meets damage, the index begins again and the call fails. */
  async checked<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (IndexingError.isInstance(error) && error.code === 'index-corrupt') this.#meet(error);
      throw error;
    }
  }

  #meet({ context: { path, folder }, message }: IndexingError): void {
    // An analyzer may read an index of its own.
    if (typeof path !== 'string' || folder !== undefined) return;
    if (dirname(path) !== this.folder.path) return;
    if (!this.folder.leaveOut(path, message)) this.folder.discard(message);
  }

  /**
   * Does what writes the index, on the newest state of it.
   *
   * @throws IndexingError with the code `index-locked`.
   */
  async exclusively<T>(work: () => T): Promise<T> {
    const lock = await this.lock('index', { timeoutMs: this.#lockTimeoutMs });
    try {
      this.folder.refreshToWrite();
      return await this.checked(work);
    } finally {
      await lock.release();
    }
  }

  /** @throws IndexingError with the code `index-locked`. */
  async lock(name: string, options: LockOptions): Promise<HeldLock> {
    try {
      return await this.#lockFile(name, options);
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
      throw new IndexingError(
        `another process has been writing to ${this.#title} for more than ${options.timeoutMs} ms`,
        { cause: error },
        'index-locked',
      );
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.folder.close();
    const locks = await this.#locks?.catch(() => undefined);
    if (locks) await this.#forget(locks);
  }

  async #lockFile(name: string, options: LockOptions): Promise<HeldLock> {
    for (let attempt = 1; ; attempt++) {
      const { path } = this.folder;
      if (this.#isClosed) throw new RagError('closed', `the index in ${path} is closed`);
      const locks = await (this.#locks ??= openLocks(path).catch((error: unknown) => {
        // The folder may be repaired before the next call.
        this.#locks = undefined;
        throw error;
      }));
      try {
        const held = await locks.lock(name, options);
        if (this.#isSameFile(name)) return held;
        await held.release();
      } catch (error) {
        const isGone = StorageError.isInstance(error) && GONE.has(error.code);
        if (attempt === LOCK_ATTEMPTS || !isGone) throw error;
      }
      await this.#forget(locks);
    }
  }

  /**
   * Checks whether the file that was locked is the one that others lock: the folder of the index may have been deleted,
   * and the files of the locks with it.
   */
  #isSameFile(name: string): boolean {
    const path = join(this.folder.path, '.vizprompt', 'locks', `${name}.lock`);
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    // File systems use numbers again.
    const file = stat ? `${stat.ino}-${stat.birthtimeNs}` : '';
    const known = this.#lockFiles.get(name) ?? file;
    this.#lockFiles.set(name, known);
    return known === file;
  }

  async #forget(locks: LockFolder): Promise<void> {
    // Another task may have done so already.
    if ((await this.#locks?.catch(() => undefined)) !== locks) return;
    this.#locks = undefined;
    this.#lockFiles.clear();
    await locks.close();
  }
}

/** Their code is loaded with the first lock: a process that only searches needs none. */
async function openLocks(folder: string): Promise<LockFolder> {
  const { lockFolder } = await import('@vizprompt/providers/node');
  const { locks } = await openFolder(folder);
  return lockFolder(locks);
}
