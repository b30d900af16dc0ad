import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import { linkNumbers } from './citations.ts';
import { readCall, readContent, readPiece, readResult } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type ImportFormat,
  type MessagePart,
} from './conversation.ts';
import {
  firstId,
  firstOf,
  firstText,
  firstTime,
  objectOf,
  spelled,
  squash,
  type Spelled,
} from './fields.ts';
import { readAttached } from './files.ts';
import { chainOf, linkMessages } from './link-messages.ts';
import { listMessages, type ListedMessage, turnFields } from './list-messages.ts';
import { knownRole, NAMES, roleIn } from './spellings.ts';

/** What a source has of its own; all else is found by the usual spellings. */
export interface SourceFields {
  /** Paths to the messages, such as `chat.messages` or `candidates.*.content`. Default: found by their form. */
  readonly messages?: readonly string[];
  /** Path to the object that has the id and the title. Default: the entry. */
  readonly conversation?: string;
  /** Path to the object that says the model. Default: the entry. */
  readonly settings?: string;
  /** Names files that are known by an id only. */
  readonly fileScheme?: string;
  /** Each message is a question with its answer that begins a tree of its own. */
  readonly isApart?: boolean;
  /** Rewrites what a question says. */
  readonly prompt?: (text: string) => string;
}

/** The messages of an item of the source, with its links. */
interface Group {
  readonly drafts: readonly {
    readonly id: string;
    readonly message: Omit<ImportedMessage, 'id' | 'parent'>;
  }[];
  readonly isTurn: boolean;
  readonly named: string | undefined;
  readonly asked: string | undefined;
  /** The message that the next one of a row goes on from; `undefined`: none of these. */
  readonly next: string | undefined;
}

/**
 * Reads a conversation in any of the usual spellings: messages with a role and a content, in a row or in a
 * tree by their parents.
 *
 * A conversation that has no id gets one from its content, so that the same messages are the same conversation,
 * and one that goes on from it can be recognised.
 *
 * @throws BrokenEntry if there are no messages.
 */
export function readMessages(
  format: ImportFormat,
  entry: JsonObject,
  source: SourceFields = {},
): ImportedConversation {
  const { messages: listed, passed } = listMessages(entry, source.messages);
  if (listed.length === 0) throw new BrokenEntry('it holds no messages');
  const head = objectOf(valueAt(entry, source.conversation ?? ''));
  const about = spelled(head, entry, objectOf(entry['head'] ?? null));
  const warnings: string[] = [];
  const scene = readScene(entry);
  const chain = chainOf(
    listed.map(({ raw }) => raw),
    scene.tools?.parts.map(valueOf),
  );
  const given = conversationId(about, listed);
  const settings = spelled(objectOf(valueAt(entry, source.settings ?? '')), entry);
  const model = firstText(settings, NAMES.model);
  const groups = listed.map((each, index) =>
    groupOf(each, each.id ?? chain[index] ?? '', { source, model }),
  );
  const messages = linked(scene.messages, groups, source.isApart === true);
  const [first] = listed;
  const named = first && firstText(first.fields, ['threadtitle', 'conversation']);
  const title = firstText(about, NAMES.title) ?? named ?? '';
  warnOfStrangers(listed, warnings);
  return {
    format,
    id: given ?? chain.at(-1) ?? '',
    ...(given === undefined ? { earlier: earlierIds(chain, messages.slice(-chain.length)) } : {}),
    title,
    ...defined({
      created: firstTime(about, NAMES.created) ?? messages.find(({ time }) => time)?.time,
      updated: firstTime(about, NAMES.updated) ?? messages.findLast(({ time }) => time)?.time,
      head: firstId(about, NAMES.head),
    }),
    messages: linkMessages(nameTools(messages), warnings, passed),
    warnings,
  };
}

function valueAt(entry: JsonObject, path: string): JsonValue | undefined {
  if (path === '') return entry;
  let value: JsonValue | undefined = entry;
  for (const step of path.split('.')) value = objectOf(value)[step];
  return value;
}

function conversationId(about: Spelled, listed: readonly ListedMessage[]): string | undefined {
  const own = firstId(about, NAMES.conversationId);
  if (own !== undefined) return own;
  const named = new Set(
    listed.map(({ fields }) => firstId(fields, [...NAMES.conversation, 'conversation'])),
  );
  return named.size === 1 ? [...named][0] : undefined;
}

/** What a conversation was called when it was shorter, the latest first; it held a question and an answer. */
function earlierIds(
  chain: readonly string[],
  messages: readonly Pick<ImportedMessage, 'role'>[],
): readonly string[] {
  if (messages.length !== chain.length) return [];
  const asked = messages.findIndex(({ role }) => role === 'user');
  const answered = messages.findIndex(({ role }, index) => index > asked && role === 'assistant');
  if (asked < 0 || answered < 0) return [];
  return chain.slice(answered, -1).toReversed();
}

function valueOf(part: MessagePart): JsonValue {
  return part.type === 'data' ? [part.kind, part.value] : null;
}

interface Scene {
  readonly tools?: ImportedMessage;
  readonly messages: readonly ImportedMessage[];
}

/** What stands beside the messages and is told to the model: instructions, and the tools that it may call. */
function readScene(entry: JsonObject): Scene {
  const fields = spelled(entry, objectOf(entry['options']));
  const told = NAMES.scene.flatMap((name): ImportedMessage[] => {
    const parts = readContent(fields.get(name)).filter(
      (part) => part.type === 'text' && part.text.trim() !== '',
    );
    return parts.length > 0 ? [{ id: name, role: 'system', parts }] : [];
  });
  const parts = NAMES.tools.flatMap((kind): MessagePart[] => {
    const value = fields.get(kind);
    return Array.isArray(value) ? [{ type: 'data', kind, value }] : [];
  });
  const tools: ImportedMessage | undefined =
    parts.length > 0 ? { id: 'tools', role: 'system', parts } : undefined;
  return { ...defined({ tools }), messages: [...(tools ? [tools] : []), ...told] };
}

interface DraftContext {
  readonly source: SourceFields;
  readonly model: string | undefined;
}

/** The messages of one item: it alone, alternatives side by side, or a question with its answer. */
function groupOf(listed: ListedMessage, id: string, context: DraftContext): Group {
  const { fields, raw, outer } = listed;
  const parent = firstId(spelled(outer), NAMES.parent) ?? firstId(fields, NAMES.parent);
  const named = listed.above ?? (parent === undefined || isNoParent(parent) ? undefined : parent);
  const links = { named, asked: firstId(fields, NAMES.asked), isTurn: listed.isTurn };
  if (listed.isTurn) {
    const said = turnOf(listed, context);
    const drafts = said.map((message, at) => ({ id: at === 0 ? id : `${id}/answer`, message }));
    return { ...links, drafts, next: drafts.at(-1)?.id };
  }
  const said = { ...readMessage(listed, context), raw };
  // Of the answers to one question, the folded ones are left by the conversation.
  const next = fields.get('foldselected') === false ? undefined : id;
  const others = firstOf(fields, NAMES.alternatives);
  if (!Array.isArray(others)) return { ...links, drafts: [{ id, message: said }], next };
  const wanted = firstOf(fields, NAMES.selected);
  const selected = typeof wanted === 'number' && wanted in others ? wanted : others.length - 1;
  const drafts = others.map((other, at) => {
    const isSelected = at === selected;
    const inner = objectOf(other);
    const own = isJsonObject(other)
      ? readMessage({ ...listed, raw: inner, fields: spelled(inner, withoutContent(raw)) }, context)
      : { ...said, parts: swiped(said.parts, other, isSelected) };
    const { raw: _, ...message } = own;
    // The selected one answers for all that they share.
    return {
      id: isSelected ? id : `${id}/${at + 1}`,
      message: isSelected ? { ...message, raw } : message,
    };
  });
  return { ...links, drafts, next };
}

function withoutContent(raw: JsonObject): JsonObject {
  const own: ReadonlySet<string> = new Set([...NAMES.content, ...NAMES.files]);
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !own.has(squash(key))));
}

/** The parts of a message with another text. */
function swiped(
  parts: readonly MessagePart[],
  other: JsonValue,
  isSelected: boolean,
): readonly MessagePart[] {
  if (isSelected && parts.some(({ type }) => type === 'text')) return parts;
  return readContent(other);
}

/** A parent of zeros, as some programs give to first messages. */
function isNoParent(parent: string): boolean {
  return /^[0-]*$|^-1$|^(?:root|client-created-root|none|null)$/.test(parent) && parent !== 'root';
}

/** A question and its answer that are one object. */
function turnOf(
  { fields, raw }: ListedMessage,
  { source, model }: DraftContext,
): Group['drafts'][number]['message'][] {
  const time = firstTime(fields, NAMES.time);
  const [asked, answered] = turnFields(fields);
  const text = (part: MessagePart): MessagePart =>
    part.type === 'text' && source.prompt ? { ...part, text: source.prompt(part.text) } : part;
  const prompt = readContent(fields.get(asked ?? '')).map(text);
  const thoughts = readThoughts(fields);
  const answer = linkNumbers(readContent(fields.get(answered ?? '')), fields);
  const own = firstText(fields, NAMES.model) ?? model;
  const files = readFiles(fields, source.fileScheme);
  return [
    { role: 'user', parts: [...prompt, ...files], ...defined({ time }), raw },
    ...(answered === undefined || !fields.has(answered)
      ? []
      : [
          {
            role: 'assistant' as const,
            parts: [...thoughts, ...answer],
            ...defined({ time, model: own, name: undefined }),
          },
        ]),
  ];
}

function readMessage(
  { fields, raw }: ListedMessage,
  { source, model }: DraftContext,
): Omit<ImportedMessage, 'id' | 'parent'> {
  const role = roleIn(fields);
  const parts = readParts(fields, raw, role, source);
  const isResult = parts.length > 0 && parts.every(({ type }) => type === 'tool-result');
  const spoken = role ?? (isResult ? 'tool' : 'assistant');
  const own = modelIn(fields);
  const speaker =
    firstText(fields, NAMES.name) ?? (spoken === 'assistant' ? speakerIn(fields) : undefined);
  return {
    role: isResult ? 'tool' : spoken,
    ...defined({
      name: speaker,
      time: firstTime(fields, NAMES.time),
      model: spoken === 'assistant' ? (own ?? model) : own,
    }),
    ...stateOf(fields),
    parts,
    raw,
  };
}

/** The name of a speaker, where the field of the role has more than the role. */
function speakerIn(fields: Spelled): string | undefined {
  const word = fields.get('sender');
  return typeof word === 'string' && typeof fields.get('iscreatedbyuser') === 'boolean'
    ? word
    : undefined;
}

function modelIn(fields: Spelled): string | undefined {
  const value = firstOf(fields, NAMES.model);
  if (isJsonObject(value)) return firstText(spelled(value), ['id', 'modelid', 'name']);
  return typeof value === 'string' ? value : undefined;
}

const STOPPED =
  /^(?:aborted|abort|interrupted|incomplete|stopped|paused|cancell?ed|user_?cancell?ed)$/i;

function stateOf(fields: Spelled): Pick<ImportedMessage, 'hasFailed' | 'isAborted'> {
  const status = firstText(fields, ['status', 'stopreason', 'finishreason']) ?? '';
  const isAborted =
    fields.get('unfinished') === true ||
    fields.get('truncated') === true ||
    fields.get('done') === false ||
    STOPPED.test(status);
  const error = fields.get('error');
  const hasFailed = error === true || isJsonObject(error) || /^(?:error|failed)$/i.test(status);
  return { ...(isAborted ? { isAborted } : {}), ...(hasFailed ? { hasFailed } : {}) };
}

function readThoughts(fields: Spelled): MessagePart[] {
  const value = firstOf(fields, NAMES.reasoning);
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ type: 'reasoning', text: value }];
  const thoughts = Array.isArray(value) ? value : [value];
  return thoughts.map((thought): MessagePart => {
    const found = isJsonObject(thought) ? spelled(thought) : new Map<string, JsonValue>();
    const text = firstText(found, ['text', 'content', 'description', 'thinking', 'summary']);
    const subject = firstText(found, ['subject', 'title']);
    if (typeof thought === 'string') return { type: 'reasoning', text: thought };
    if (text === undefined) return { type: 'data', kind: 'reasoning', value: thought };
    const shown = subject === undefined || subject === text ? text : `${subject}\n${text}`;
    return { type: 'reasoning', text: shown, meta: objectOf(thought) };
  });
}

function readFiles(fields: Spelled, scheme: string | undefined): MessagePart[] {
  return NAMES.files.flatMap((name) => {
    const value = fields.get(name);
    return Array.isArray(value) ? value.flatMap((file) => readAttached(file, scheme)) : [];
  });
}

function readParts(
  fields: Spelled,
  raw: JsonObject,
  role: Role | undefined,
  { fileScheme }: SourceFields,
): MessagePart[] {
  const isItem = role === undefined && typeof raw['type'] === 'string';
  if (isItem) return readPiece(raw);
  if (fields.get('isthought') === true) return asThoughts(readAllContent(fields, false));
  if (role === 'tool' && firstId(fields, NAMES.callId) !== undefined) return [readResult(raw)];
  const refusal = fields.get('refusal');
  const calls = firstOf(fields, NAMES.calls);
  const listed = Array.isArray(calls) ? calls : calls === undefined ? [] : [calls];
  return [
    ...readThoughts(fields),
    ...linkNumbers(readAllContent(fields, role === 'tool'), fields),
    ...(typeof refusal === 'string'
      ? [{ type: 'data', kind: 'refusal', value: refusal } as const]
      : []),
    ...listed.flatMap((call): MessagePart[] =>
      isJsonObject(call) ? readCall(call) : [{ type: 'data', kind: 'tool_call', value: call }],
    ),
    ...readFiles(fields, fileScheme),
  ];
}

function asThoughts(parts: readonly MessagePart[]): MessagePart[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'reasoning', text: part.text } : part,
  );
}

/** What a message says, in the first of the fields that hold something, and what others say beside it. */
function readAllContent(fields: Spelled, isTool: boolean): MessagePart[] {
  const found: MessagePart[] = [];
  for (const name of NAMES.content) {
    const value = fields.get(name);
    if (value === undefined || (isTool && name === 'parts' && found.length > 0)) continue;
    const parts = readContent(value);
    if (found.length === 0) found.push(...parts);
    else found.push(...parts.filter((part) => part.type === 'text' && !isSaid(found, part.text)));
  }
  if (found.length === 0 && fields.has('name') && isTool) return [];
  return found;
}

/** Whether parts say a text already, but for its white space. */
function isSaid(parts: readonly MessagePart[], text: string): boolean {
  const plain = (each: string): string => each.replaceAll(/\s+/g, '');
  const said = parts.map((part) => ('text' in part ? plain(part.text) : '')).join('');
  return said.includes(plain(text));
}

/** Gives each message its parent: as named, or the one before it where none names any. */
function linked(
  scene: readonly ImportedMessage[],
  groups: readonly Group[],
  isApart: boolean,
): ImportedMessage[] {
  const ids = new Set(groups.flatMap(({ drafts }) => drafts.map(({ id }) => id)));
  const isTree = groups.some(({ drafts, named }) => named !== undefined && named !== drafts[0]?.id);
  const messages = scene.map((message, at): ImportedMessage => {
    return { ...message, ...defined({ parent: scene[at - 1]?.id }) };
  });
  const top = messages.at(-1)?.id;
  let last = top;
  for (const { drafts, named, asked, next, isTurn } of groups) {
    const isReply = asked !== undefined && ids.has(asked) && asked !== drafts[0]?.id;
    const inRow = isApart ? top : isReply ? asked : last;
    const parent = isTree ? (named ?? top) : inRow;
    for (const [at, { id, message }] of drafts.entries()) {
      const above = isTurn && at > 0 ? drafts[at - 1]?.id : parent;
      messages.push({ id, ...defined({ parent: above }), ...message });
    }
    last = next ?? last;
  }
  return messages;
}

/** Results name the call, and the call the tool. */
function nameTools(messages: readonly ImportedMessage[]): ImportedMessage[] {
  const tools = new Map<string, string>();
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'tool-call') tools.set(part.id, part.tool);
      if (part.type !== 'tool-result' || part.tool !== '') return part;
      return { ...part, tool: tools.get(part.id) ?? '' };
    }),
  }));
}

/** Reports roles that are not known: what they say sets the scene. */
function warnOfStrangers(listed: readonly ListedMessage[], warnings: string[]): void {
  const strangers = new Map<string, number>();
  for (const { fields } of listed) {
    const word = firstText(fields, NAMES.role);
    const isKnown = word === undefined || roleIn(fields) !== 'system' || knownRole(word);
    if (!isKnown) strangers.set(word, (strangers.get(word) ?? 0) + 1);
  }
  for (const [word, count] of strangers) {
    warnings.push(`${count} messages are of the unknown role '${word}': they set the scene`);
  }
}
