/**
 * The largest things that a project accepts. Files from elsewhere are read up to these limits, and never
 * further: a file beyond them is a problem of its own, and the rest of the project opens.
 */
export interface ProjectLimits {
  /** Bytes of a node file. Default: 67,108,864 (64 MiB). */
  readonly nodeBytes: number;
  /** Bytes of a flow file. Default: 16,777,216 (16 MiB). */
  readonly flowBytes: number;
  /** Bytes of `config.yaml`. Default: 1,048,576 (1 MiB). */
  readonly configBytes: number;
  /** Bytes of a step of the undo history, compressed or not. Default: 134,217,728 (128 MiB). */
  readonly historyBytes: number;
  /** Bytes of an attached file. Default: 268,435,456 (256 MiB). */
  readonly attachmentBytes: number;
  /** Bytes of a map or of a metadata file. Default: 268,435,456 (256 MiB). */
  readonly mapBytes: number;
  /** Characters of one entry of an import, such as a conversation or a session. Default: 268,435,456. */
  readonly entryCharacters: number;
  /** Bytes of a file in a zip archive or of gzip, per byte that it takes there; from 32 MiB on. Default: 200. */
  readonly zipRatio: number;
  /** Levels of nesting of JSON in imports, and of elements in a node file. Default: 200. */
  readonly depth: number;
  /** Entries of an import that cannot be read before it ends: it is not an export, or a hostile one. Default: 100,000. */
  readonly skippedEntries: number;
}

const MIB = 1 << 20;

/** The limits of a project that sets none. */
export const DEFAULT_LIMITS: ProjectLimits = {
  nodeBytes: 64 * MIB,
  flowBytes: 16 * MIB,
  configBytes: MIB,
  historyBytes: 128 * MIB,
  attachmentBytes: 256 * MIB,
  mapBytes: 256 * MIB,
  entryCharacters: 256 * MIB,
  zipRatio: 200,
  depth: 200,
  skippedEntries: 100_000,
};

/** The limits of an import. */
export type ImportLimits = Pick<
  ProjectLimits,
  'entryCharacters' | 'zipRatio' | 'depth' | 'nodeBytes' | 'flowBytes' | 'attachmentBytes'
>;
