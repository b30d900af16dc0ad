import type { Role } from '@vizprompt/providers';
import type { Flow } from '../flow/flow.ts';
import type { NodePart, PartOrigin, TextRangePart, VizNode } from '../node/node.ts';
import type { NodeNotes } from './node-notes.ts';

/** The kinds of exports that can be read. */
export type ImportFormat =
  | 'chatgpt'
  | 'claude'
  | 'open-webui'
  | 'librechat'
  | 'openai'
  | 'pi'
  | 'claude-code'
  | 'vizprompt';

/** A piece of a message: a text of its own, or any other part of a node. */
export type MessagePart =
  | (PartOrigin & { readonly type: 'text'; readonly text: string })
  | Exclude<NodePart, TextRangePart>;

/** A message of an export, whatever its format. */
export interface ImportedMessage {
  readonly id: string;
  /** The message that it answers; absent for a first one. */
  readonly parent?: string;
  /** Who speaks. Messages that only set the scene count as `system`, whoever spoke them. */
  readonly role: Role;
  /** The name of the tool or the author. */
  readonly name?: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly model?: string;
  /** The answer was stopped before its end. */
  readonly isAborted?: boolean;
  /** There is no answer but an error. */
  readonly hasFailed?: boolean;
  /** Further messages that it goes on from, where branches were merged. */
  readonly alsoAfter?: readonly string[];
  /** What is known of the node that ends with it. */
  readonly notes?: NodeNotes;
  readonly parts: readonly MessagePart[];
}

/** A conversation of an export, whatever its format. */
export interface ImportedConversation {
  readonly format: ImportFormat;
  readonly id: string;
  /** The ids that it had when it was shorter, the latest first, where it is called by its content. */
  readonly earlier?: readonly string[];
  readonly title: string;
  /** ISO 8601. */
  readonly created?: string;
  readonly updated?: string;
  /** Parents before or behind their children; siblings in their order. */
  readonly messages: readonly ImportedMessage[];
  /** The last message of the branch that was looked at. */
  readonly head?: string;
  /** What was odd, and how it was taken. */
  readonly warnings: readonly string[];
}

/** A flow whose nodes are made already: from VizPrompt's own JSON, or its folders. */
export interface ReadyFlow {
  readonly format: 'vizprompt';
  readonly flow: Flow;
  /** Nodes of the flow that are not among these are not known. */
  readonly nodes: readonly VizNode[];
  /** By the ids of the nodes. */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  /** The files that came with them, by the paths by which nodes name them. */
  readonly attachments: ReadonlyMap<string, Uint8Array>;
  /** What was odd, and how it was taken. */
  readonly warnings: readonly string[];
}

/** An entry that is no conversation. The message says why. */
export class BrokenEntry extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenEntry';
  }
}
