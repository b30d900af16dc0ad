import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { Role } from '@vizprompt/providers/internal';

/** How far the answer of a node has come. */
export type NodeStatus = 'pending' | 'done' | 'failed' | 'aborted';

/** The cost of one side of a node. */
export interface NodeStats {
  /** Tokens. */
  readonly count: number;
  /** Seconds. */
  readonly duration: number;
  /** Tokens a second. */
  readonly rate: number;
}

/** The summary of a node, of prompt and response together. */
export interface NodeSummary {
  readonly text: string;
  /** The node has changed since: the next build makes the summary again. */
  readonly isOutdated: boolean;
  /** When it was made, ISO 8601. Absent if it never was. */
  readonly lastBuilt?: string | undefined;
}

/** The origin of a part, for parts that another speaker or program brought. */
export interface PartOrigin {
  /** Prompt parts are the user's and response parts the model's unless it says so here. */
  readonly role?: Role | undefined;
  /** The name of the speaker or the tool. */
  readonly name?: string | undefined;
  /** The id of the message in the system it was imported from. */
  readonly source?: string | undefined;
  /** When it was said, ISO 8601. */
  readonly time?: string | undefined;
  /** Data that only one provider understands; it is stored and sent back. */
  readonly meta?: JsonObject | undefined;
}

/** A piece of the prompt or of the response itself. */
export interface TextRangePart extends PartOrigin {
  readonly type: 'text';
  /** UTF-16 offset of its first character in the prompt or response. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
}

/** A thought of the model. */
interface NodeReasoningPart extends PartOrigin {
  readonly type: 'reasoning';
  readonly text: string;
}

/** The model asked for a tool. */
interface NodeToolCallPart extends PartOrigin {
  readonly type: 'tool-call';
  readonly id: string;
  readonly tool: string;
  readonly input: JsonValue;
}

/** The result of a tool. */
interface NodeToolResultPart extends PartOrigin {
  readonly type: 'tool-result';
  readonly id: string;
  readonly tool: string;
  readonly output: JsonValue;
  readonly isError?: boolean | undefined;
}

/** A file that belongs to the node: stored in the project, or only known by its address. */
export interface NodeFilePart extends PartOrigin {
  readonly type: 'file';
  /** The key of the file in the project, `attachments/..`; absent if only `uri` is known. */
  readonly path?: string | undefined;
  readonly uri?: string | undefined;
  /** IANA media type. */
  readonly mediaType?: string | undefined;
  readonly fileName?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
}

/** Content of a kind that VizPrompt does not know, kept as it came. */
export interface NodeDataPart extends PartOrigin {
  readonly type: 'data';
  /** The kind, as its source calls it. */
  readonly kind: string;
  readonly value: JsonValue;
}

/** The content of a node besides its two texts, in the order it was said. */
export type NodePart =
  | TextRangePart
  | NodeReasoningPart
  | NodeToolCallPart
  | NodeToolResultPart
  | NodeFilePart
  | NodeDataPart;

/** A prompt and its response. */
export interface VizNode {
  /** A UUID. Several files may carry it (copies, edits by hand); the newest is the node. */
  readonly id: string;
  /** When it was made, ISO 8601 with offset. */
  readonly timestamp: string;
  readonly prompt: string;
  /** Empty while there is none. */
  readonly response: string;
  /** The model that answered, as its provider names it. */
  readonly model?: string;
  readonly stats: {
    readonly user?: NodeStats | undefined;
    readonly assistant?: NodeStats | undefined;
  };
  readonly summary: NodeSummary;
  readonly tags: readonly string[];
  /** Absent: `done`. */
  readonly status?: NodeStatus;
  /** The speaker, where there are several. */
  readonly speaker?: string;
  /** The id in the system it was imported from, such as `chatgpt:CONVERSATION:MESSAGE`. */
  readonly source?: string;
  /** Empty unless the prompt is more than its text. */
  readonly promptParts: readonly NodePart[];
  /** Empty unless the response is more than its text. */
  readonly responseParts: readonly NodePart[];
  /** Elements of the file that this version does not know; they are written back. */
  readonly unknown?: readonly XmlElement[];
}

/** A node with the file it was read from. */
export interface StoredNode extends VizNode {
  /** The key of its file, such as `nodes/00/00.xml`. */
  readonly file: string;
  /** The version of that file. */
  readonly version: string;
}

/** An element with its attributes and what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text in it, CDATA sections joined. */
  readonly text: string;
}
