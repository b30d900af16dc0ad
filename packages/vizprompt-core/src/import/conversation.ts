import type { Role } from '@vizprompt/providers';
import type { NodePart, PartOrigin, TextRangePart } from '../node/node.ts';

/** The kinds of exports that can be read. */
export type ImportFormat = 'chatgpt' | 'claude';

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
  readonly parts: readonly MessagePart[];
}

/** A conversation of an export, whatever its format. */
export interface ImportedConversation {
  readonly format: ImportFormat;
  readonly id: string;
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

/** An entry that is no conversation. The message says why. */
export class BrokenEntry extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenEntry';
  }
}
