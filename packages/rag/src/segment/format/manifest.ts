import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readPlainFile, replaceFileSync } from '@vizprompt/providers/internal';
import { SEGMENT_FORM } from './segment-layout.ts';

const FILE = 'manifest.json';
const SUM = /^[0-9a-f]{8}\n/;

/** A segment that belongs to the index. */
export interface SegmentEntry {
  readonly file: string;
  /** Added to ids of chunks and used for records that say 0, see `DocumentRecord`. */
  readonly base: number;
  readonly commit: number;
  readonly chunks: number;
}

/** Which segments make up the index: the one file that is replaced, and atomically. */
export interface Manifest {
  readonly format: number;
  /** The analyzer that made the terms. */
  readonly analyzer: string;
  /** The number of the last commit. */
  readonly commit: number;
  /** The next id of a chunk. */
  readonly nextDoc: number;
  readonly segments: readonly SegmentEntry[];
  /**
   * Manifests of other analyzers, newest first, as long as not all of their documents have been analyzed
   * again.
   */
  readonly previous?: readonly PreviousManifest[];
}

/** An index of another analyzer. */
export type PreviousManifest = Omit<Manifest, 'previous'>;

/** The result of {@link readManifest}. */
export type FoundManifest =
  | { readonly state: 'ok'; readonly manifest: Manifest; readonly version: string }
  | { readonly state: 'missing' }
  | {
      readonly state: 'unreadable';
      readonly problem: string;
      /** True if it does not even begin as a manifest does. */
      readonly isForeign: boolean;
    };

/** Returns a manifest without segments. */
export function emptyManifest(analyzer: string): Manifest {
  return { format: SEGMENT_FORM.version, analyzer, commit: 0, nextDoc: 0, segments: [] };
}

export function readManifest(folder: string): FoundManifest {
  const path = join(folder, FILE);
  const version = manifestVersion(folder);
  const text = readPlainFile(path)?.toString();
  if (text === undefined) return { state: 'missing' };
  const line = text.indexOf('\n');
  const body = text.slice(line + 1);
  if (text.slice(0, Math.max(line, 0)) !== checksum(body)) {
    return { state: 'unreadable', problem: 'its sum is wrong', isForeign: !SUM.test(text) };
  }
  const manifest: Manifest = JSON.parse(body);
  if (manifest.format !== SEGMENT_FORM.version) {
    return { state: 'unreadable', problem: `its form is ${manifest.format}`, isForeign: false };
  }
  return { state: 'ok', manifest, version };
}

/** Changes whenever the manifest is replaced; costs a `stat`. Empty: there is none. */
export function manifestVersion(folder: string): string {
  const stat = statSync(join(folder, FILE), { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}-${stat.mtimeNs}-${stat.size}` : '';
}

/** Replaces the manifest and brings it to the disk. The segments it names must be there already. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const body = JSON.stringify(manifest);
  replaceFileSync(join(folder, FILE), `${checksum(body)}\n${body}`);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** Checks whether two manifests are of one commit. */
export function isSameManifest(a: Manifest, b: Manifest): boolean {
  return (
    a.commit === b.commit &&
    a.analyzer === b.analyzer &&
    a.segments.length === b.segments.length &&
    a.segments.every(({ file }, at) => file === b.segments[at]?.file)
  );
}
