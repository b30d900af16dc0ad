import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { checkArgument } from '../input/check-input.ts';
import { ARRAY, either, having } from '../input/kinds.ts';

/**
 * Data that only one provider understands (thought signatures, cache marks), by provider name.
 * It is opaque: a receiver sends it back unchanged.
 */
export type ProviderMeta = Readonly<Record<string, JsonObject>>;

/** Plain text. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly meta?: ProviderMeta | undefined;
}

/** A thought of the model before its answer. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  /** Empty where the provider keeps the thought to itself and only signs it (see `meta`). */
  readonly text: string;
  readonly meta?: ProviderMeta | undefined;
}

/** A picture, a document, a recording. */
export interface FilePart {
  readonly type: 'file';
  /** IANA media type, such as `image/png`. */
  readonly mediaType: string;
  /** The bytes, or a URL where they lie. */
  readonly data: Uint8Array | URL;
  readonly name?: string | undefined;
  readonly meta?: ProviderMeta | undefined;
}

/** A model asks for a tool to be run. */
export interface ToolCallPart {
  readonly type: 'tool-call';
  /** Ties the call to its result; unique within a conversation. */
  readonly id: string;
  readonly name: string;
  /** The arguments, parsed. */
  readonly input: JsonValue;
  readonly meta?: ProviderMeta | undefined;
}

/** The result of a tool. */
export interface ToolResultPart {
  readonly type: 'tool-result';
  /** The id of the {@link ToolCallPart} that this answers. */
  readonly id: string;
  readonly name: string;
  readonly output: JsonValue;
  /** The tool failed and `output` says why. Default: `false`. */
  readonly isError?: boolean | undefined;
  readonly meta?: ProviderMeta | undefined;
}

/** Names a source of an answer: a citation, a hit of a search, a page that was read. */
export interface SourcePart {
  readonly type: 'source';
  /** Its address; absent for documents that have none. */
  readonly url?: string;
  readonly title?: string;
  /** The passage that is quoted. */
  readonly text?: string;
  /** The provider's own record is in `meta`. */
  readonly meta?: ProviderMeta;
}

/** One piece of a message. */
export type Part = TextPart | ReasoningPart | FilePart | ToolCallPart | ToolResultPart | SourcePart;

/** The role of a speaker. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

const ROLES: Readonly<Record<Role, true>> = {
  system: true,
  user: true,
  assistant: true,
  tool: true,
};

/** Checks whether a value is one of the roles of a message. */
export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(ROLES, value);
}

/** One message of a conversation, its parts in the order they were said. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly meta?: ProviderMeta | undefined;
}

/** Makes a message of plain text. */
export function textMessage(role: Role, text: string): Message {
  return { role, parts: [{ type: 'text', text }] };
}

const PARTS = either(having('a message with parts', 'parts'), ARRAY);

/** Returns the text parts of a message or of a list of parts, joined without a separator. */
export function textOf(source: Message | readonly Part[]): string {
  checkArgument('the argument of textOf', source, PARTS);
  const parts = 'parts' in source ? source.parts : source;
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
