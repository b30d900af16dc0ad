import { listAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptPart, TranscriptText } from '../model/entry.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { globalKey, isNew, noteSession, textHash, type TranscriptState } from '../model/state.ts';

/**
 * Reads a message: an entry for each thought, its text and each call, unless an earlier line had it.
 *
 * @param isCheckpoint - The message is one of a history, in which texts that were read before may be shortened.
 */
function readMessage(raw: JsonObject, state: TranscriptState, isCheckpoint: boolean): EntryDraft[] {
  const messageId = textAt(raw, 'id') ?? '';
  const key = globalKey(state.session?.sourceId ?? '', messageId);
  const type = textAt(raw, 'type') ?? 'without a type';
  if (type !== 'user' && type !== 'gemini') {
    const isKnown = type === 'info' || type === 'error' || type === 'warning';
    return [{ kind: isKnown ? 'note' : 'unknown', type, raw }];
  }
  if (type === 'user') {
    const own = programText(raw['content']);
    if (own !== undefined) return [{ kind: own, type: 'user:program', raw }];
  }
  const said = contentText(raw['content']);
  const words = type === 'user' ? typedText(raw, said) : said;
  const text = type === 'user' ? (shellText(words) ?? steeringText(words) ?? words) : words;
  if (type === 'gemini' && isFiller(raw, said)) return [{ kind: 'note', type: 'filler', raw }];
  // The program sends what hooks give alone, too.
  if (text.trim() === '' && said.trim() !== '')
    return [{ kind: 'note', type: 'user:program', raw }];
  const isSummary = type === 'user' && SUMMARY.test(text);
  const role = isSummary ? 'system' : type === 'user' ? 'user' : 'assistant';
  const model = textAt(raw, 'model');
  // The user of a subagent is the agent that gives it a task.
  const isTask = type === 'user' && state.session?.metadata['kind'] === 'subagent';
  const subagent = isTask ? 'subagent' : undefined;
  const message = {
    kind: 'message',
    type,
    role,
    isSummary: isSummary || undefined,
    messageId,
    model,
    subagent,
    raw,
  } as const;
  const entryOf = (part: TranscriptPart, more: Partial<EntryDraft> = {}): EntryDraft => {
    const time = timeAt(objectOf(part.raw), 'timestamp') ?? timeAt(raw, 'timestamp');
    return { ...message, time, parts: [part], ...more };
  };
  const say = (part: TranscriptText): EntryDraft[] => {
    if (!isNew(state, part.key)) return [];
    state.notes['last'] = part.key;
    return [entryOf(part, { id: part.key, usage: takeUsage(raw, key, state) })];
  };
  const thoughts = listAt(raw, 'thoughts').filter(isJsonObject);
  // A text that grew is another one: what was there is not changed.
  const textKey = `${key}#${textHash(words)}`;
  const read = state.seen.get(key) ?? 0;
  const isRead = isCheckpoint && (read === true || words.length <= read);
  if (text.trim() !== '' && read !== true) state.seen.set(key, Math.max(read, words.length));
  return [
    ...thoughts
      .map((thought) => thoughtOf(thought, key))
      .flatMap((part) => (part.text.trim() === '' ? [entryOf(part)] : say(part))),
    ...(text.trim() === '' || isRead ? [] : say({ type: 'text', key: textKey, text, raw })),
    ...listAt(raw, 'toolCalls')
      .filter(isJsonObject)
      .flatMap((call) => {
        const parts = callParts(call, key, state);
        const parent = stringOf(state.notes['last']);
        return parts[0] ? [entryOf(parts[0], { parent, parts })] : [];
      }),
  ];
}

/** The start of texts that the program sends in the name of the user. */
const PROGRAM =
  /^\s*(?:<(?:session_context|background_tasks?|loaded_context)\b|You have stopped calling tools without finishing\.|System: (?:Please continue|Potential loop)|\[Request cancelled|This is the Gemini CLI\. We are setting up the context)/;

/** The start of those that are a message of their own: a user may say the same, and more in another part. */
const PROGRAM_ALONE =
  /^\s*(?:You have exceeded the (?:time limit|maximum number of turns)\. You have one final chance|\[Continuing from previous AI thoughts|### \[System Note: Conversation History Truncated\]|Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context, in JSON format)\.|Background execution update:\s*<background_output>)/;

/** The start of the summary that replaces a chat after its compression. */
const SUMMARY = /^\s*<state_snapshot\b/;

/** Answers that the program gives in the name of the model; those of a model have its name. */
const FILLERS: ReadonlySet<string> = new Set(['Got it. Thanks for the additional context!']);

function isFiller(raw: JsonObject, text: string): boolean {
  return FILLERS.has(text.trim()) && textAt(raw, 'model') === undefined;
}

/** Returns what a user typed: newer versions show it apart, where the message has the files that it names, too. */
function typedText(raw: JsonObject, said: string): string {
  const shown = raw['displayContent'];
  const text = shown === undefined ? '' : contentText(shown);
  return withoutContext(text.trim() === '' ? withoutFiles(said) : text);
}

const SHELL = {
  start: 'I ran the following shell command:\n```sh\n',
  end: '\n```\n\nThis produced the following result:\n```\n',
} as const;

const FENCE = '\n```';

/** Returns a command that the user ran in the shell of the program as it was typed, without its output. */
function shellText(said: string): string | undefined {
  const end = said.indexOf(SHELL.end);
  if (!said.startsWith(SHELL.start) || end < SHELL.start.length) return undefined;
  // A user may quote such a result, and ask for something.
  const output = said.slice(end + SHELL.end.length).trimEnd();
  if (output.indexOf(FENCE) !== output.length - FENCE.length) return undefined;
  // The program escapes both signs.
  return `! ${said.slice(SHELL.start.length, end).replaceAll(/\\([\\`])/g, '$1')}`;
}

const STEERING = /^User (?:hints|steering update):\n<user_input>\n/;
const STEERED = '\n</user_input>\n';

/** Returns the words by which the user steered the work, without the instructions of the program around them. */
function steeringText(said: string): string | undefined {
  const [head] = STEERING.exec(said) ?? [];
  const end = said.lastIndexOf(STEERED);
  if (head === undefined || end < head.length) return undefined;
  const isWhole = said
    .slice(end + STEERED.length)
    .trimStart()
    .startsWith('Internal instruction: ');
  return isWhole ? said.slice(head.length, end) : undefined;
}

const FILES = {
  start: '--- Content from referenced files ---',
  end: '--- End of content ---',
} as const;

/** Removes the contents of files, which the program puts on lines of their own: a user may name the marks, too. */
function withoutFiles(text: string): string {
  const start = text.startsWith(FILES.start) ? 0 : text.indexOf(`\n${FILES.start}`);
  const end = text.lastIndexOf(`\n${FILES.end}`);
  if (start === -1 || end < start) return text;
  const after = text.slice(end + 1 + FILES.end.length);
  // Parts that follow are written without a space.
  if (/^[^\S\r\n]*[^\s<[]/.test(after)) return text;
  return `${text.slice(0, start).trimEnd()}${after}`;
}

const CONTEXT = { start: '<hook_context>', end: '</hook_context>' } as const;

/** Returns the words of a user without what hooks give with them, before or after: it has no such tags, as they are escaped. */
function withoutContext(text: string): string {
  let words = text;
  while (words.trimStart().startsWith(CONTEXT.start)) {
    const end = words.indexOf(CONTEXT.end);
    if (end === -1) break;
    words = words.slice(end + CONTEXT.end.length).replace(/^\s\s*/, '');
  }
  while (words.trimEnd().endsWith(CONTEXT.end)) {
    const start = words.lastIndexOf(CONTEXT.start);
    if (start === -1) break;
    words = words.slice(0, start).trimEnd();
  }
  return words;
}

/** Results of tools, which the calls have, and what the program says; `undefined` for words of the user. */
function programText(content: JsonValue | undefined): 'note' | 'passing' | undefined {
  const parts = (
    Array.isArray(content) ? (content as readonly JsonValue[]) : [content ?? '']
  ).filter((part) => !isJsonObject(part) || part['text'] !== '');
  const isResult = (part: JsonValue): boolean => isJsonObject(part) && 'functionResponse' in part;
  const [first] = parts;
  if (first === undefined) return undefined;
  // A picture that a tool returned comes after its result.
  if (isResult(first))
    return parts.some((part) => isJsonObject(part) && 'text' in part) ? undefined : 'passing';
  const [text = '', ...others] = parts.map(contentText).filter((one) => one.trim() !== '');
  const isAlone = others.length === 0 && PROGRAM_ALONE.test(text);
  return isAlone || PROGRAM.test(contentText(first)) ? 'note' : undefined;
}

function thoughtOf(raw: JsonObject, key: string): TranscriptText {
  const subject = textAt(raw, 'subject');
  const text = textAt(raw, 'description') ?? subject ?? '';
  return {
    type: 'thinking',
    key: `${key}#thought:${textHash(`${subject ?? ''}\n${text}`)}`,
    text,
    subject: subject === text ? undefined : subject,
    raw,
  };
}

/** Returns the usage of the message, with the first entry after it is known. */
function takeUsage(
  message: JsonObject,
  key: string,
  { usage }: TranscriptState,
): JsonObject | undefined {
  const tokens = objectAt(message, 'tokens');
  if (Object.keys(tokens).length === 0 || usage.has(key)) return undefined;
  usage.set(key, {});
  return tokens;
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [content ?? null];
  return parts
    .map((part) => (typeof part === 'string' ? part : isJsonObject(part) ? partText(part) : ''))
    .join('');
}

function partText(part: JsonObject): string {
  // A session that is resumed has its history again, with calls and thoughts as parts of the text.
  if ('functionResponse' in part || 'functionCall' in part || part['thought'] === true) return '';
  const text = textAt(part, 'text');
  if (text !== undefined) return text;
  const data = objectAt(part, 'inlineData');
  return `[${textAt(data, 'mimeType') ?? Object.keys(part)[0] ?? 'part'}]`;
}

/** States in which a call is pending; it is written again when it ends. */
const PENDING = new Set(['awaiting_approval', 'executing', 'scheduled', 'validating']);

/** The call and its result; none if it is pending, or was read before. */
function callParts(
  raw: JsonObject,
  messageKey: string,
  state: TranscriptState,
): readonly TranscriptPart[] {
  const callId = textAt(raw, 'id') ?? '';
  const id = `${messageKey}/${callId}`;
  const status = textAt(raw, 'status');
  if ((status !== undefined && PENDING.has(status)) || !isNew(state, id)) return [];
  const tool = textAt(raw, 'name') ?? 'unknown';
  const cwd = state.session?.workspacePath;
  const shown = raw['resultDisplay'];
  const isOpenEnded = status === undefined && !('result' in raw);
  return [
    { type: 'tool-call', id, callId, tool, input: raw['args'] ?? null, cwd, raw },
    {
      type: 'tool-result',
      id,
      tool,
      output: isOpenEnded ? undefined : (raw['result'] ?? shown ?? null),
      success: (status === undefined || status === 'success') && exitCode(tool, raw) === 0,
      error: typeof shown === 'string' ? shown : (status ?? ''),
      raw,
    },
  ];
}

/** Returns a command that failed is a success for the program: only the output has its code. */
function exitCode(tool: string, raw: JsonObject): number {
  if (tool !== 'run_shell_command') return 0;
  const [first] = listAt(raw, 'result').filter(isJsonObject);
  const response = objectAt(objectAt(first ?? {}, 'functionResponse'), 'response');
  const codes = [...(textAt(response, 'output') ?? '').matchAll(/^Exit Code: (-?\d\d*)\s*$/gm)];
  return Number(codes.at(-1)?.[1] ?? 0);
}

/**
 * Reads a line of a chat of Gemini CLI: each message is written again whole when it grows. Older versions
 * write a single object.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readGeminiLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const type = textAt(line, 'type');
  if ('$set' in line) {
    const { messages, ...$set } = objectAt(line, '$set');
    const title = begin($set, context);
    // A checkpoint repeats the messages; those in it that are new are read.
    const entries = readMessages(messages, context, true);
    return [...entries, { kind: 'note', type: '$set', title, raw: { $set } }];
  }
  if ('$rewindTo' in line) return [{ kind: 'note', type: '$rewindTo' }];
  if (textAt(line, 'id') !== undefined && type !== undefined) return readMessages([line], context);
  if (textAt(line, 'sessionId') === undefined) {
    return [{ kind: 'unknown', type: type ?? 'without a type' }];
  }
  const { messages, ...raw } = line;
  const title = begin(line, context);
  return [{ kind: 'note', type: 'session', title, raw }, ...readMessages(messages, context)];
}

/** Returns the title, if there is one. */
function begin(facts: JsonObject, context: ReadContext): string | undefined {
  const { state } = context;
  const id = textAt(facts, 'sessionId');
  if (id !== undefined && !state.session) context.session(id);
  const more = { project_hash: textAt(facts, 'projectHash'), kind: textAt(facts, 'kind') };
  const cwd = stringOf(listAt(facts, 'directories')[0]);
  noteSession(state.session, { cwd, startedAt: timeAt(facts, 'startTime'), more });
  return textAt(facts, 'summary');
}

function readMessages(
  messages: JsonValue | undefined,
  context: ReadContext,
  isCheckpoint = false,
): EntryDraft[] {
  const list = Array.isArray(messages) ? (messages as readonly JsonValue[]) : [];
  return list.flatMap((raw): readonly EntryDraft[] => {
    if (!isJsonObject(raw)) return [{ kind: 'unknown', type: 'no object', raw }];
    // Files without a head are known by their first message.
    const id = textAt(raw, 'id');
    if (!context.state.session && id !== undefined) context.session(`first:${id}`);
    return readMessage(raw, context.state, isCheckpoint);
  });
}
