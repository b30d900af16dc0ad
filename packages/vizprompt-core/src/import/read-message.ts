import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  objectOf,
  omitUndefined as defined,
  type Role,
} from '@vizprompt/providers/internal';
import { readChunks } from './chunks.ts';
import { linkNumbers } from './citations.ts';
import {
  readCall,
  readContent,
  readPiece,
  readResult,
  readToolInput,
  textOfParts,
} from './content.ts';
import type { ImportedMessage, MessagePart } from './conversation.ts';
import {
  firstId,
  firstOf,
  firstText,
  firstTime,
  parseNested,
  spelled,
  type Spelled,
} from './fields.ts';
import { readAttached } from './files.ts';
import { type ListedMessage, turnFields } from './list-messages.ts';
import { isCaller, NAMES, roleIn, SEVERAL, strangerIn } from './spellings.ts';

/** Spellings of messages that only one source uses. */
export interface MessageFields {
  /** Prefix of the addresses of files that have an id only. */
  readonly fileScheme?: string;
  /** Rewrites the text of a question. */
  readonly prompt?: (text: string) => string;
  /** Reads an answer to a question in a form of its own; `undefined` for one in a usual form. */
  readonly answer?: (value: JsonValue | undefined) => MessagePart[] | undefined;
}

/** The conversation that a message belongs to. */
export interface MessageContext {
  readonly source: MessageFields;
  /** The model of answers that name none. */
  readonly model: string | undefined;
  /** The role of speakers whose names mean none. Default: they set the scene. */
  readonly strangers?: Role;
}

/** A message without its place in the conversation. */
export type SaidMessage = Omit<ImportedMessage, 'id' | 'parent'>;

/** Reads a question and its answer from one object. */
export function readTurn(
  { fields, raw }: ListedMessage,
  { source, model }: MessageContext,
): SaidMessage[] {
  const time = firstTime(fields, NAMES.time);
  const [asked, answered] = turnFields(fields);
  const text = (part: MessagePart): MessagePart =>
    part.type === 'text' && source.prompt ? { ...part, text: source.prompt(part.text) } : part;
  const given = asked === 'instruction' ? readContent(firstOf(fields, ['input', 'context'])) : [];
  const prompt = [...readSaid(fields.get(asked ?? ''), 'user').map(text), ...given];
  const thoughts = readThoughts(fields);
  const said = fields.get(answered ?? '');
  const several = SEVERAL.includes(answered ?? '') && Array.isArray(said) ? said : [said];
  const answers = several.map((each: JsonValue | undefined) =>
    linkNumbers(source.answer?.(each) ?? readSaid(each, 'assistant'), fields),
  );
  const own = firstText(fields, NAMES.model) ?? model;
  const files = readFiles(fields, source.fileScheme);
  return [
    { role: 'user', parts: [...prompt, ...files], ...defined({ time }), raw },
    ...(answered === undefined || !fields.has(answered)
      ? []
      : answers.map((answer, at) => {
          const each = several[at];
          const its = isJsonObject(each) ? firstText(spelled(each), NAMES.model) : undefined;
          return {
            role: 'assistant' as const,
            parts: [...thoughts, ...answer],
            ...defined({ time, model: its ?? own, name: undefined }),
          };
        })),
  ];
}

/** The fields of an object around a text. */
const AROUND = ['text', 'content', 'prompt', 'message', 'response', 'answer'];

/** The greatest depth of a text in the object that a side of a question with its answer is. */
const MOST_AROUND = 4;

/** Reads one side of a question with its answer. Where it is an object of no usual form, its text comes before it. */
function readSaid(value: JsonValue | undefined, role: Role): MessagePart[] {
  const parts = readContent(value);
  if (!isJsonObject(value) || parts.some(isText)) return parts;
  const text = textWithin(value, role, MOST_AROUND);
  return text === undefined ? parts : [{ type: 'text', text }, ...parts];
}

function textWithin(value: JsonObject, role: Role, depth: number): string | undefined {
  const fields = spelled(value);
  const own = firstText(fields, AROUND) ?? lastSaid(fields.get('messages'), role);
  if (own !== undefined || depth === 0) return own;
  const named = AROUND.map((name) => fields.get(name));
  // Programs in Rust name the kind of a value around it: `{ Prompt: { … } }`.
  const inner = [...named, ...(fields.size === 1 ? fields.values() : [])].filter(isJsonObject);
  for (const each of inner) {
    const text = textWithin(each, role, depth - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns what a speaker said last in the messages that are one side of a turn, as traces have them. */
function lastSaid(messages: JsonValue | undefined, role: Role): string | undefined {
  const list: readonly JsonValue[] = Array.isArray(messages) ? messages.flat() : [];
  const last = list.findLast((each) => isJsonObject(each) && roleIn(spelled(each)) === role);
  const text = textOfParts(readContent(objectOf(last)['content']));
  return text === '' ? undefined : text;
}

/** Reads one message: its role, its parts, and who said it when. */
export function readMessage(
  { fields, raw }: ListedMessage,
  { source, model, strangers = 'system' }: MessageContext,
): SaidMessage {
  const stranger = strangerIn(fields);
  const role = stranger === undefined ? roleIn(fields) : strangers;
  const parts = readParts(fields, raw, role, source);
  const isResult = parts.length > 0 && parts.every(({ type }) => type === 'tool-result');
  const spoken = role ?? (isResult ? 'tool' : 'assistant');
  const own = ownModelIn(fields);
  const speaker =
    firstText(fields, NAMES.name) ??
    (spoken === 'assistant' ? (speakerIn(fields) ?? stranger) : undefined);
  return {
    role: isResult ? 'tool' : spoken,
    ...defined({
      name: speaker,
      time: timeIn(fields),
      model: spoken === 'assistant' ? (own ?? model) : own,
    }),
    ...stateOf(fields),
    parts,
    raw,
  };
}

/** Returns the name of a speaker from the field that elsewhere has the role. */
function speakerIn(fields: Spelled): string | undefined {
  const word = fields.get('sender');
  return typeof word === 'string' && typeof fields.get('iscreatedbyuser') === 'boolean'
    ? word
    : undefined;
}

export function modelIn(fields: Spelled): string | undefined {
  const value = firstOf(fields, NAMES.model);
  if (isJsonObject(value))
    return firstText(spelled(value), ['id', 'modelid', 'model', 'name', 'identifier']);
  return typeof value === 'string' ? value : undefined;
}

/** Objects with facts about a message that some programs have in its own fields. */
const FACTS = ['metadata', 'meta', 'extra', 'responsemetadata', 'time', 'generator', 'customdata'];

/** Returns the facts of a message: its own fields, and those of objects in it. */
function factsOf(fields: Spelled): readonly Spelled[] {
  const inner = FACTS.map((name) => fields.get(name)).filter(isJsonObject);
  return [fields, ...inner.map((each) => spelled(each))];
}

/** Returns when a message was said. */
export function timeIn(fields: Spelled): string | undefined {
  for (const facts of factsOf(fields)) {
    const time = firstTime(facts, NAMES.time);
    if (time !== undefined) return time;
  }
  return undefined;
}

function ownModelIn(fields: Spelled): string | undefined {
  const generator = fields.get('generator');
  const name = isJsonObject(generator) ? firstText(spelled(generator), ['name']) : undefined;
  for (const facts of factsOf(fields)) {
    const model = modelIn(facts);
    if (model !== undefined) return model;
  }
  return name;
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
  const extra = ['extra', 'additionalkwargs'].map((name) => fields.get(name)).filter(isJsonObject);
  const value = firstOf(fields, NAMES.reasoning) ?? firstOf(spelled(...extra), NAMES.reasoning);
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
  const extra = fields.get('extra');
  const all = isJsonObject(extra) ? spelled(extra, Object.fromEntries(fields)) : fields;
  const listed = NAMES.files.flatMap((name) => {
    const value = all.get(name);
    return Array.isArray(value) ? value.flatMap((file) => readAttached(file, scheme)) : [];
  });
  if (listed.length > 0) return listed;
  const file = firstText(all, ['imagefile', 'image', 'photo']) ?? '';
  return /^\S.*\.\w{2,5}$/.test(file) ? readAttached(file) : [];
}

function readParts(
  fields: Spelled,
  raw: JsonObject,
  role: Role | undefined,
  { fileScheme }: MessageFields,
): MessagePart[] {
  const isItem = role === undefined && typeof raw['type'] === 'string';
  if (isItem) return readPiece(raw);
  const isCall = isCaller(firstText(fields, NAMES.role));
  const only = isCall ? parseNested(firstText(fields, NAMES.content) ?? '') : undefined;
  if (isJsonObject(only)) return readCall(only);
  if (fields.get('isthought') === true) return asThoughts(readAllContent(fields, false));
  if (role === 'tool' && firstId(fields, NAMES.callId) !== undefined) {
    return [readResult(Object.fromEntries(fields))];
  }
  const results = fields.get('toolresults');
  if (role === 'tool' && Array.isArray(results)) {
    return results.flatMap((result: JsonValue) =>
      isJsonObject(result) ? [readResult(result)] : readPiece(result),
    );
  }
  const refusal = fields.get('refusal');
  const calls =
    firstOf(fields, NAMES.calls) ?? (role === 'assistant' ? calledTools(fields) : undefined);
  const parsed = typeof calls === 'string' ? readToolInput(calls) : calls;
  const listed = Array.isArray(parsed) ? parsed : parsed === undefined ? [] : [parsed];
  const content = readAllContent(fields, role === 'tool');
  return [
    ...readThoughts(fields),
    ...linkNumbers(content, fields),
    ...readSpoken(fields, content.filter(isText)),
    ...(typeof refusal === 'string'
      ? [{ type: 'data', kind: 'refusal', value: refusal } as const]
      : []),
    ...listed.flatMap((call): MessagePart[] =>
      isJsonObject(call) ? readCall(call) : [{ type: 'data', kind: 'tool_call', value: call }],
    ),
    ...readFiles(fields, fileScheme),
  ];
}

/** Returns the tools next to an answer, if they were called with something and are no definitions. */
function calledTools(fields: Spelled): JsonValue | undefined {
  const tools = fields.get('tools');
  const isCalled = (tool: JsonValue): boolean => isJsonObject(tool) && 'arguments' in tool;
  return Array.isArray(tools) && tools.every((tool: JsonValue) => isCalled(tool))
    ? tools
    : undefined;
}

/** Reads an answer that was spoken: what was said, unless its texts have it, and the recording. */
function readSpoken(fields: Spelled, written: readonly MessagePart[]): MessagePart[] {
  const audio = fields.get('audio');
  if (!isJsonObject(audio)) return [];
  const { transcript, ...recording } = audio;
  if (typeof transcript !== 'string') return [];
  const said = isSaid(written, transcript) ? [] : [{ type: 'text' as const, text: transcript }];
  return [...said, ...readAttached(recording)];
}

function asThoughts(parts: readonly MessagePart[]): MessagePart[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'reasoning', text: part.text } : part,
  );
}

/** Reads the first content field that is not empty, and the texts of the others that it lacks. */
function readAllContent(fields: Spelled, isTool: boolean): MessagePart[] {
  const found: MessagePart[] = [];
  const isCut = isCutText(fields);
  for (const name of NAMES.content) {
    const value = isCut && name === 'parts' ? undefined : fields.get(name);
    if (value === undefined || (isTool && name === 'parts' && found.length > 0)) continue;
    const parts = (name === 'contentchunks' ? readChunks(value) : undefined) ?? readContent(value);
    if (found.length === 0) found.push(...parts);
    // Steps next to an answer are what a model thought before it.
    else if (name === 'steps') found.unshift(...asThoughts(parts.filter(isText)));
    else found.push(...parts.filter((part) => part.type === 'text' && !isSaid(found, part.text)));
  }
  if (found.length === 0 && fields.has('items')) return readContent(fields.get('items'));
  if (found.length === 0 && fields.has('name') && isTool) return [];
  return found;
}

/** Checks whether the parts of a message are the pieces in which its text came, as AI Studio stores both. */
function isCutText(fields: Spelled): boolean {
  const [text, parts] = [fields.get('text'), fields.get('parts')];
  if (typeof text !== 'string' || !Array.isArray(parts)) return false;
  const pieces = parts.map((part: JsonValue) => objectOf(part)['text']);
  return pieces.every((piece) => typeof piece === 'string') && pieces.join('') === text;
}

function isText({ type }: MessagePart): boolean {
  return type === 'text';
}

/** Checks whether parts hold a text already, apart from white space. */
function isSaid(parts: readonly MessagePart[], text: string): boolean {
  const plain = (each: string): string => each.replaceAll(/\s\s*/g, '');
  const said = parts.map((part) => ('text' in part ? plain(part.text) : '')).join('');
  return said.includes(plain(text));
}
