/** A node's place in a flow. */
export interface FlowNode {
  /** The number by which connections in the file name the node; unique in the flow. */
  readonly index: number;
  readonly id: string;
}

/** A connection from a node to one that goes on from it. */
export interface FlowConnection {
  /** The id of the earlier node. */
  readonly from: string;
  /** The id of the later node. */
  readonly to: string;
  /** The name of the branch that begins here. */
  readonly branch?: string;
}

/** A conversation: nodes, and how they follow each other. It has no circles. */
export interface Flow {
  readonly id: string;
  readonly name: string;
  /** A short name that the flow can be called by, such as `main`. */
  readonly alias?: string;
  /** ISO 8601 with offset. */
  readonly created: string;
  readonly updated: string;
  readonly description: string;
  /** The id of the node that the conversation goes on from; absent in an empty flow. */
  readonly head?: string;
  /** The id in the system it was imported from, such as `chatgpt:CONVERSATION`. */
  readonly source?: string;
  readonly nodes: readonly FlowNode[];
  /** A node with several connections to it is a merge, one with several from it a branching. */
  readonly connections: readonly FlowConnection[];
}

/** A flow with the file it was read from. */
export interface StoredFlow extends Flow {
  /** The key of its file, such as `flows/00/00.yaml`. */
  readonly file: string;
  /** The version of that file. */
  readonly version: string;
}

/** The flow that is used when none is named. */
export const MAIN_FLOW = 'main';
