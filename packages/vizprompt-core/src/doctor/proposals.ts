import type { ProposedRepair } from './finding.ts';

type ProposalName =
  | 'splitNode'
  | 'mendNode'
  | 'mergeFlow'
  | 'mendFlow'
  | 'newId'
  | 'newAlias'
  | 'setAside'
  | 'missingNode'
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
    description: 'the node is written anew, with what XML cannot hold escaped',
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
      "it is taken out of the flow, and the flow as it was goes to lost+found/; if the file may come back, missingNodes: 'keep' leaves it",
  },
  writeMaps: { action: 'write-maps', description: 'the map is made anew from the files' },
  writeMetadata: { action: 'write-metadata', description: 'the file is made anew from the nodes' },
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
