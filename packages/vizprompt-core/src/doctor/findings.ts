import { type Kinds, oneOf, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import type { FilePlace } from '../errors.ts';

/**
 * The codes of `check`.
 *
 * - `missing-file`: a map names a file that is not there; `unlisted-file`: no map names the file
 * - `missing-node`: a flow has a node that no file holds
 * - `duplicate-id`: of nodes (versions, of which the newest counts), of flows, or in a flow
 * - `duplicate-alias`: two flows are called the same; `duplicate-index`: two nodes of a flow have it
 * - `cycle`, `dangling-edge`: a connection that closes a circle, or that leads nowhere
 * - `orphan`: a node in no flow
 * - `map-drift`, `tags-drift`, `index-drift`, `cache-drift`: what is derived differs from the files
 * - `ill-formed`: no XML, YAML or TSV, or one that means nothing; a warning where only others than
 *   VizPrompt cannot read it
 * - `merge-conflict`: git left its marks
 * - `missing-attachment`: a node names a file that is not there
 * - `doubtful-flow`: understood in part: a head that is not a node, a connection that comes twice
 */
export type FindingCode =
  | 'missing-file'
  | 'unlisted-file'
  | 'missing-node'
  | 'duplicate-id'
  | 'duplicate-alias'
  | 'duplicate-index'
  | 'cycle'
  | 'dangling-edge'
  | 'orphan'
  | 'map-drift'
  | 'tags-drift'
  | 'index-drift'
  | 'cache-drift'
  | 'ill-formed'
  | 'merge-conflict'
  | 'missing-attachment'
  | 'doubtful-flow';

/**
 * The actions of `repair` on a finding. None of them deletes a conversation or a place in a flow: content that a
 * file can no longer hold is in `lost+found/`, with a note.
 *
 * - `split-node`: both sides of a conflict become files of their own
 * - `mend-node`: the node is written as it was understood, with slips of the pen put right and what XML cannot
 *   hold escaped
 * - `merge-flow`: both sides of a conflict become one flow; `merge-config`: one file of settings
 * - `mend-flow`: the flow is written as it was understood
 * - `rename-flow`: the flow gets an id or an alias of its own
 * - `remove-missing`: takes missing nodes out of the flow; not with `missingNodes: 'keep'`
 * - `set-aside`: the file goes to `lost+found/`
 * - `write-maps`, `write-metadata`, `refresh-cache`: what is derived is made again
 */
export type RepairAction =
  | 'split-node'
  | 'mend-node'
  | 'merge-flow'
  | 'merge-config'
  | 'mend-flow'
  | 'rename-flow'
  | 'remove-missing'
  | 'set-aside'
  | 'write-maps'
  | 'write-metadata'
  | 'refresh-cache';

/** The repair that is proposed for a finding. */
interface ProposedRepair {
  /** `none`: nothing on its own, for the reason that `description` gives. */
  readonly action: RepairAction | 'none';
  readonly description: string;
}

/** Something that `check` found in a file. */
export interface Finding extends FilePlace {
  readonly code: FindingCode;
  /** From 1; 1 where it is about the whole file. */
  readonly line: number;
  /** `info`: nothing is wrong, but it may be of interest. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly repair: ProposedRepair;
}

/** A finding before it is reported. */
export type Found = Omit<Finding, 'line'> & Pick<FilePlace, 'line'>;

/** Options of `check`. */
export interface CheckOptions {
  /** Stops the reading. */
  readonly signal?: AbortSignal | undefined;
}

export const CHECK_OPTIONS: Kinds<CheckOptions> = { signal: optional(SIGNAL) };

/** The result of `check`. */
export interface CheckReport {
  /** In the order of the files, those of one file by line. */
  readonly findings: readonly Finding[];
  /** How many files were read. */
  readonly nodes: number;
  readonly flows: number;
  /** True if there is neither an error nor a warning. */
  readonly isHealthy: boolean;
}

/** Options of `repair`. */
export interface RepairOptions {
  /**
   * The action on nodes that a flow names and no file holds. `remove`: they are removed from the
   * flow and their neighbours connected; the flow as it was goes to `lost+found/`. `keep`: they stay, as
   * their files may come back. A node whose file is in `lost+found/`, or goes there, stays in any case.
   * Default: `'remove'`.
   */
  readonly missingNodes?: 'keep' | 'remove' | undefined;
}

export const REPAIR_OPTIONS: Kinds<RepairOptions> = {
  missingNodes: optional(oneOf('keep', 'remove')),
};

/** The result of `repair`. */
export interface RepairReport {
  readonly repaired: readonly Finding[];
  /** Those without a repair, and those whose file has changed since. */
  readonly left: readonly Finding[];
  /** The files that were written. */
  readonly written: readonly string[];
  /** The files in `lost+found/`: the files of the project as they were. */
  readonly setAside: readonly { readonly from: string; readonly to: string }[];
}

type ProposalName =
  | 'splitNode'
  | 'mendNode'
  | 'renameNode'
  | 'mergeFlow'
  | 'mendFlow'
  | 'newId'
  | 'newAlias'
  | 'setAside'
  | 'missingNode'
  | 'awaitedNode'
  | 'mergeConfig'
  | 'mendConfig'
  | 'writeMaps'
  | 'writeMetadata'
  | 'refreshCache'
  | 'versions'
  | 'orphan'
  | 'attachment'
  | 'unreadable'
  | 'settings';

/** The repairs that are proposed, and the reasons where there is none. */
export const PROPOSALS: Readonly<Record<ProposalName, ProposedRepair>> = {
  splitNode: {
    action: 'split-node',
    description: 'both sides become node files of their own; of one id, the newest is the node',
  },
  mendNode: {
    action: 'mend-node',
    description: 'the node is written again, with characters escaped that XML cannot hold',
  },
  renameNode: {
    action: 'mend-node',
    description: 'the node gets its own id back; the file as it was goes to lost+found/',
  },
  mergeFlow: {
    action: 'merge-flow',
    description: 'both sides become one flow with the nodes and connections of both',
  },
  mendFlow: {
    action: 'mend-flow',
    description: 'the flow is written as it was understood; what has no place in it is set aside',
  },
  newId: { action: 'rename-flow', description: 'this flow gets an id of its own' },
  newAlias: { action: 'rename-flow', description: 'this flow gets an alias of its own' },
  setAside: {
    action: 'set-aside',
    description: 'the file goes to lost+found/ as it is, with a note',
  },
  missingNode: {
    action: 'remove-missing',
    description:
      "it is removed from the flow, and the flow as it was goes to lost+found/; if the file may come back, missingNodes: 'keep' leaves it",
  },
  awaitedNode: {
    action: 'none',
    description:
      'its file is in lost+found/, or goes there: its place is kept; put the file right and back into nodes/',
  },
  mergeConfig: {
    action: 'merge-config',
    description: 'the settings of this side are kept; the file as it was goes to lost+found/',
  },
  mendConfig: {
    action: 'merge-config',
    description: 'the slip is fixed; the file as it was goes to lost+found/',
  },
  writeMaps: { action: 'write-maps', description: 'the map is rebuilt from the files' },
  writeMetadata: { action: 'write-metadata', description: 'the file is rebuilt from the nodes' },
  refreshCache: { action: 'refresh-cache', description: 'the file is read into the cache again' },
  versions: {
    action: 'none',
    description: 'versions of a node are kept; the newest is the node',
  },
  orphan: { action: 'none', description: 'a node may be in no flow' },
  attachment: {
    action: 'none',
    description: 'its content is nowhere in the project: take it from a clone or a backup',
  },
  settings: { action: 'none', description: 'settings are for you to put right, by hand' },
  unreadable: { action: 'none', description: 'the storage does not give the file' },
};
