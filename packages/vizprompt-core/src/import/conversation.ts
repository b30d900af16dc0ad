import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  listAt,
  objectAt,
  omitUndefined as defined,
  type Role,
  textAt,
} from '@vizprompt/providers/internal';
import type { Flow } from '../flow/flow.ts';
import { isTimestamp } from '../format/ids-and-times.ts';
import type { NodePart, NodeSummary, PartOrigin, TextRangePart, VizNode } from '../node/node.ts';

/** The kinds of exports that can be read. */
export type ImportFormat =
  | 'ai-sdk'
  | 'big-agi'
  | 'character-ai'
  | 'chat-log'
  | 'chatbox'
  | 'chatgpt'
  | 'cherry-studio'
  | 'claude'
  | 'claude-code'
  | 'cline'
  | 'codex'
  | 'cohere'
  | 'copilot'
  | 'copilot-cli'
  | 'deepseek'
  | 'gemini'
  | 'gemini-cli'
  | 'grok'
  | 'langchain'
  | 'le-chat'
  | 'librechat'
  | 'llama-cpp'
  | 'llm'
  | 'lm-studio'
  | 'notes'
  | 'open-webui'
  | 'openai'
  | 'opencode'
  | 'perplexity'
  | 'pi'
  | 'sharegpt'
  | 'sillytavern'
  | 'typingmind'
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
  /** The role of the speaker. Messages that only set the scene count as `system`, with any speaker. */
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
  /** Further messages that it continues from, where branches were merged. */
  readonly alsoAfter?: readonly string[];
  /** Notes of the node that ends with it. */
  readonly notes?: NodeNotes;
  readonly parts: readonly MessagePart[];
  /** The value that it was read from, for the account of texts. */
  readonly raw?: JsonValue;
  /** Texts of the source that are in the parts in another form. */
  readonly rewritten?: readonly string[];
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
  /** Parents before or after their children; siblings in their order. */
  readonly messages: readonly ImportedMessage[];
  /** The last message of the branch that was looked at. */
  readonly head?: string;
  /** Oddities, and how they were read. */
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
  /** Oddities, and how they were read. */
  readonly warnings: readonly string[];
}

/** An entry that is not a conversation. The message says why. */
export class BrokenEntry extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenEntry';
  }
}

/** Notes on a node besides its texts, where a format has a place for them. */
export interface NodeNotes {
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly summary?: NodeSummary;
  /** The names of the branches to it, by the last messages of the nodes that it continues from. */
  readonly branches: ReadonlyMap<string, string>;
}

/** Notes as they are in the metadata of the last message of a node; empty if there is nothing. */
export function writeNotes({ tags, keywords, summary, branches }: NodeNotes): JsonObject {
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(keywords.length > 0 ? { keywords } : {}),
    ...(summary ? writeSummary(summary) : {}),
    ...(branches.size > 0 ? { branches: Object.fromEntries(branches) } : {}),
  };
}

function writeSummary({ text, isOutdated, lastBuilt }: NodeSummary): JsonObject {
  const wasNeverMade = text === '' && isOutdated && lastBuilt === undefined;
  if (wasNeverMade) return {};
  const state = isOutdated ? { is_outdated: true } : {};
  return { summary: { text, ...state, ...defined({ last_built: lastBuilt }) } };
}

/** Reads what {@link writeNotes} wrote; `undefined` if there is nothing. */
export function readNotes(written: JsonObject): NodeNotes | undefined {
  const branches = Object.entries(objectAt(written, 'branches'));
  const notes: NodeNotes = {
    tags: textsAt(written, 'tags'),
    keywords: textsAt(written, 'keywords'),
    ...defined({ summary: readSummary(objectAt(written, 'summary')) }),
    branches: new Map(
      branches.flatMap(([id, name]) => (typeof name === 'string' ? [[id, name]] : [])),
    ),
  };
  return Object.keys(writeNotes(notes)).length > 0 ? notes : undefined;
}

function readSummary(summary: JsonObject): NodeSummary | undefined {
  const text = textAt(summary, 'text');
  if (text === undefined) return undefined;
  const built = textAt(summary, 'last_built');
  const lastBuilt = built !== undefined && isTimestamp(built) ? built : undefined;
  return { text, isOutdated: summary['is_outdated'] === true, ...defined({ lastBuilt }) };
}

function textsAt(object: JsonObject, key: string): string[] {
  return listAt(object, key).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}
