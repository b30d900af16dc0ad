import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { BackendStats } from '../backends/search-backend.ts';
import { IndexingError } from '../errors.ts';
import {
  emptyManifest,
  manifestVersion,
  readManifest,
  writeManifest,
  type Manifest,
  type SegmentEntry,
} from './manifest.ts';
import { writeSections, type Section } from './section-file.ts';
import { SegmentReader } from './segment-reader.ts';
import { Snapshot } from './snapshot.ts';

const MANIFEST_TEMP = /^manifest\.json\..*\.tmp$/;
const SEGMENT_FILE = /^segment-.*\.bin$/;
/** A segment that no manifest names for so long was left by a process that died. */
const ABANDONED_MS = 3_600_000;
/** How often opening is tried again while another process replaces the manifest. */
const RETRIES = 5;

/** What a commit changes. */
export interface Commit {
  readonly add: readonly SegmentEntry[];
  /** Files of segments that go. */
  readonly remove: readonly string[];
  readonly nextDoc: number;
}

/** The files of an index, and the newest snapshot of them. */
export class IndexFolder {
  readonly path: string;
  /** What was there when it was opened, if it was made by another analyser. */
  stale: Manifest | undefined;
  readonly #analyzer: string;
  readonly #onDiscarded: (reason: string) => void;
  #snapshot: Snapshot;
  #version: string;

  /**
   * @param analyzer - The id of the analyser; an index of another one starts empty.
   * @param onDiscarded - Told why an index that is there cannot be used.
   */
  constructor(path: string, analyzer: string, onDiscarded: (reason: string) => void) {
    mkdirSync(path, { recursive: true });
    this.path = path;
    this.#analyzer = analyzer;
    this.#onDiscarded = onDiscarded;
    this.#snapshot = new Snapshot(emptyManifest(analyzer), []);
    this.#version = '';
    this.refresh();
  }

  /** The newest commit, those of other processes among them. Costs a `stat` if there is none. */
  refresh(): Snapshot {
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

  /** Writes a segment that no manifest names yet; tells the name of its file. */
  write(sections: readonly Section[]): string {
    const file = newSegmentName();
    writeSections(join(this.path, file), sections);
    return file;
  }

  /** Replaces the manifest. The caller holds the lock, and `refresh` came after it. */
  commit({ add, remove, nextDoc }: Commit): Snapshot {
    const { manifest } = this.#snapshot;
    const next: Manifest = {
      ...manifest,
      commit: manifest.commit + 1,
      nextDoc,
      segments: [...manifest.segments.filter(({ file }) => !remove.includes(file)), ...add],
    };
    writeManifest(this.path, next);
    this.#adopt(next, manifestVersion(this.path));
    for (const file of remove) deleteFile(join(this.path, file));
    return this.#snapshot;
  }

  /**
   * Puts a merged segment in the place of its sources; if others have merged some of these meanwhile,
   * it is thrown away. The caller holds the lock.
   */
  replace(sources: readonly string[], { file, chunks }: { file: string; chunks: number }): void {
    const { manifest } = this.refresh();
    const present = new Set(manifest.segments.map((entry) => entry.file));
    if (!sources.every((source) => present.has(source))) {
      deleteFile(join(this.path, file));
      return;
    }
    const entry = { file, base: 0, commit: manifest.commit + 1, chunks };
    const add = chunks > 0 || sources.length < present.size ? [entry] : [];
    this.commit({ add, remove: sources, nextDoc: manifest.nextDoc });
    if (add.length === 0) deleteFile(join(this.path, file));
  }

  stats(): BackendStats {
    const { segments, documents, size, manifest } = this.refresh();
    const terms = new Set<string>();
    for (const segment of segments) {
      for (const place of segment.reader.bodyTerms()) {
        const term = segment.reader.terms.get(place);
        if (!terms.has(term) && segment.liveCount(place) > 0) terms.add(term);
      }
    }
    let bytes = 0;
    for (const { entry } of segments) bytes += statSync(join(this.path, entry.file)).size;
    const { analyzer } = manifest;
    return { chunks: size, documents: documents.length, terms: terms.size, bytes, analyzer };
  }

  /** Deletes segments that no manifest names: what processes left that died. Under the lock. */
  sweep(): void {
    const named = new Set(this.#snapshot.manifest.segments.map(({ file }) => file));
    for (const file of readdirSync(this.path)) {
      const isLeftover = SEGMENT_FILE.test(file) && !named.has(file);
      if (!isLeftover && !MANIFEST_TEMP.test(file)) continue;
      const stat = statSync(join(this.path, file), { throwIfNoEntry: false });
      // A young one may be on its way into the manifest.
      if (stat && Date.now() - stat.mtimeMs > ABANDONED_MS) deleteFile(join(this.path, file));
    }
  }

  close(): void {
    this.#snapshot.release();
  }

  #load(): void {
    const version = manifestVersion(this.path);
    const found = readManifest(this.path);
    if (found.state === 'ok' && found.manifest.analyzer === this.#analyzer) {
      this.#adopt(found.manifest, found.version);
      return;
    }
    if (found.state === 'ok') {
      const other = found.manifest.analyzer;
      this.stale = found.manifest;
      this.#onDiscarded(`it was made with the analyser '${other}', not '${this.#analyzer}'`);
    } else if (found.state === 'unreadable') {
      this.#onDiscarded(`its manifest cannot be used: ${found.problem}`);
    }
    this.#adopt(emptyManifest(this.#analyzer), version);
  }

  #adopt(manifest: Manifest, version: string): void {
    const known = new Map(
      this.#snapshot.segments.map(({ entry, reader }) => [entry.file, reader.retain()]),
    );
    const opened: SegmentReader[] = [];
    try {
      const readers = manifest.segments.map(({ file }) => {
        const reader = known.get(file);
        if (reader) return reader;
        const fresh = new SegmentReader(join(this.path, file));
        opened.push(fresh);
        return fresh;
      });
      const snapshot = new Snapshot(manifest, readers);
      this.#snapshot.release();
      this.#snapshot = snapshot;
      this.#version = version;
    } catch (error) {
      if (!IndexingError.isInstance(error)) throw error;
      this.#onDiscarded(error.message);
      this.#snapshot.release();
      this.#snapshot = new Snapshot(emptyManifest(this.#analyzer), []);
      this.#version = version;
    } finally {
      for (const reader of [...known.values(), ...opened]) reader.release();
    }
  }
}

export function newSegmentName(): string {
  return `segment-${randomUUID()}.bin`;
}

function deleteFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Windows keeps files that a reader has open; the next sweep takes them.
  }
}
