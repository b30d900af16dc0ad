import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, listAt, objectAt } from '@vizprompt/providers/internal';
import { detectAgent } from '@vizprompt/providers/transcripts';
import { isCharacterAi, readCharacterAi } from './character-ai.ts';
import { isChatLog, readChatLog } from './chat-log.ts';
import { mappingOf, readChatGpt } from './chatgpt.ts';
import { readChunks, readSteps } from './chunks.ts';
import { isNotes, readClaude, readNotes } from './claude.ts';
import { isCline, readCline } from './cline.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportFormat,
  type ReadyFlow,
} from './conversation.ts';
import { isBlank, squash } from './fields.ts';
import { isMessage, listMessages, type ListedMessage } from './list-messages.ts';
import { readOpenWebUi } from './open-webui.ts';
import { readOpencode } from './opencode-storage.ts';
import { hasFields } from './plain-rows.ts';
import { readMessages, type SourceFields } from './read-messages.ts';
import { readClaudeCode, readPi, readTranscript } from './coding-agents.ts';
import { knownRole, roleIn } from './spellings.ts';

type Imported = ImportedConversation | ReadyFlow;

/** A kind of source: how it is recognised, and how it is read. */
interface Source {
  readonly format: ImportFormat;
  /** Fields that an entry has, all of one list; squashed names. */
  readonly entry?: readonly (readonly string[])[];
  /** Fields that one of its first messages has, all of one list; squashed names. */
  readonly message?: readonly (readonly string[])[];
  /** Checks for any other sign of it. */
  readonly is?: (entry: JsonObject, messages: () => readonly ListedMessage[]) => boolean;
  /** Its own fields; a function reads it in its own way. */
  readonly read?: SourceFields | ((entry: JsonObject) => Imported | Promise<Imported>);
}

/**
 * The kinds of sources, the first that fits wins. Without `read`, the usual spellings are all that it takes.
 * docs/formats/imports.md says where each was seen.
 */
const SOURCES: readonly Source[] = [
  {
    format: 'vizprompt',
    is: (entry) => entry['format'] === 'vizprompt-flow',
    read: async (entry) => (await import('./vizprompt.ts')).readVizPrompt(entry),
  },
  { format: 'chatgpt', is: isChatGpt, read: readChatGpt },
  {
    format: 'deepseek',
    entry: [['mapping']],
    message: [['fragments']],
    read: { messages: ['mapping'] },
  },
  { format: 'claude', is: isClaude, read: readClaude },
  { format: 'notes', is: isNotes, read: readNotes },
  { format: 'open-webui', is: isOpenWebUi, read: readOpenWebUi },
  { format: 'character-ai', is: isCharacterAi, read: readCharacterAi },
  { format: 'cline', is: isCline, read: readCline },
  { format: 'chat-log', is: isChatLog, read: readChatLog },
  { format: 'pi', is: (entry) => recordsOf(entry).some(beginsSession), read: readPi },
  {
    format: 'claude-code',
    is: (entry) => recordsOf(entry).some(isLinked) && !recordsOf(entry).some(isOfQwen),
    read: readClaudeCode,
  },
  ...(['codex', 'gemini-cli', 'copilot-cli'] as const).map((format): Source => {
    return {
      format,
      is: (entry) => agentOf(entry) === format,
      read: (entry) => readTranscript(format, entry),
    };
  }),
  {
    format: 'librechat',
    entry: [['messagestree']],
    message: [['messageid'], ['iscreatedbyuser']],
    read: { fileScheme: 'librechat-file' },
  },
  {
    format: 'gemini',
    entry: [['chunkedprompt']],
    read: {
      messages: ['chunkedPrompt.chunks', 'chunkedPrompt.pendingInputs'],
      settings: 'runSettings',
    },
  },
  {
    format: 'gemini',
    entry: [['contents']],
    read: { messages: ['contents', 'candidates.*.content'] },
  },
  {
    format: 'gemini',
    message: [['safehtmlitem'], ['header', 'products']],
    read: {
      isApart: true,
      prompt: promptOfActivity,
    },
  },
  {
    format: 'grok',
    entry: [['conversation', 'responses']],
    read: { conversation: 'conversation', messages: ['responses'] },
  },
  { format: 'le-chat', message: [['contentchunks'], ['chatid', 'version']] },
  { format: 'perplexity', message: [['querystr']], read: { answer: readSteps } },
  {
    format: 'copilot',
    entry: [
      ['requests', 'responderusername'],
      ['requests', 'creationdate', 'sessionid'],
    ],
    message: [['requestid', 'message', 'response']],
    read: { answer: readChunks },
  },
  { format: 'copilot', message: [['conversation', 'author', 'message']] },
  {
    format: 'llama-cpp',
    entry: [['conv', 'messages']],
    message: [['convid', 'children']],
    read: { conversation: 'conv' },
  },
  { format: 'lm-studio', message: [['versions', 'currentlyselected']] },
  { format: 'sillytavern', message: [['mes']] },
  {
    format: 'big-agi',
    message: [['purposeid'], ['fragments', 'tokencount']],
    entry: [['systempurposeid']],
  },
  { format: 'typingmind', entry: [['chattitle'], ['chatid', 'messages']] },
  { format: 'chatbox', message: [['contentparts']], entry: [['messageforkshash']] },
  { format: 'cherry-studio', message: [['topicid'], ['askid', 'assistantid']] },
  { format: 'openai', is: (entry) => recordsOf(entry).some(isOfQwen) },
  {
    format: 'opencode',
    message: [
      ['sessionid', 'parts'],
      ['sessionid', 'providerid'],
    ],
    read: readOpencode,
  },
  {
    format: 'cohere',
    entry: [['chathistory']],
    message: [['toolplan'], ['agent', 'isactive']],
  },
  { format: 'langchain', message: [['lc', 'kwargs'], ['additionalkwargs']] },
  { format: 'sharegpt', message: [['from', 'value']] },
  { format: 'llm', message: [['conversationid', 'prompt', 'response']] },
  { format: 'ai-sdk', message: [['parts', 'role']] },
  { format: 'openai', is: (_, messages) => messages().length > 0 },
];

/** The words of Google before a prompt in English, and after one in Japanese and Korean. */
const ASKED = /^(?:Prompted(?: with:)?|Asked(?: Gemini:| Bard:)?|Said|Branched|Answered)\s+/;
const ASKED_AFTER =
  /\s*(?:という(?:プロンプト|メッセージ)を(?:入力|送信)しました|と(?:入力|質問|送信)しました|(?:이)?라고 (?:입력|질문)(?:함|했습니다))$/;

/** The words for a prompt or a message in other languages, before a colon. */
const ASKED_ELSEWHERE =
  /^(?=[^:：]*(?:prompt|プロンプト|メッセージ|提示|訊息|消息|프롬프트|메시지|message|mensa[jg]e|requête|petición|comando|запрос|промпт|polecenie))[^:：]{2,40}[:：]\s*/iu;

/** Returns a prompt without what Google writes around it. */
function promptOfActivity(title: string): string {
  const isEnglish = ASKED.test(title);
  const plain = title.replace(isEnglish ? ASKED : ASKED_ELSEWHERE, '');
  return isEnglish ? plain : plain.replace(ASKED_AFTER, '');
}

/** The names of all formats, each once. */
export const FORMATS: readonly ImportFormat[] = [...new Set(SOURCES.map(({ format }) => format))];

/** Returns the source of a conversation, by what only that kind has; `undefined` if it is unknown. */
export function sourceOf(entry: JsonObject, format?: ImportFormat): Source | undefined {
  const rows = SOURCES.filter((each) => format === undefined || each.format === format);
  let listed: readonly ListedMessage[] | undefined;
  const messages = (): readonly ListedMessage[] =>
    (listed ??= listMessages(entry).messages.slice(0, 20));
  return (
    rows.find((row) => fits(row, entry, messages)) ?? (format === undefined ? undefined : rows[0])
  );
}

/** Checks whether an entry is a conversation of its own, and no message of one. */
export function isConversation(entry: JsonObject): boolean {
  return !isMessage(entry) && sourceOf(entry) !== undefined;
}

/** Reads a conversation of a source. */
export async function readConversation(source: Source, entry: JsonObject): Promise<Imported> {
  const { read = {}, format } = source;
  if (typeof read !== 'function') return readMessages(format, entry, read);
  try {
    return await read(entry);
  } catch (error) {
    // An entry that only looks like a session of an agent may be plain messages.
    const isPlain = error instanceof BrokenEntry && listMessages(entry).messages.some(isSpoken);
    if (!isPlain) throw error;
    return readMessages('openai', entry);
  }
}

function isSpoken({ fields, isTurn }: ListedMessage): boolean {
  const role = roleIn(fields);
  return isTurn || role === 'user' || role === 'assistant';
}

function fits(row: Source, entry: JsonObject, messages: () => readonly ListedMessage[]): boolean {
  if (row.is) return row.is(entry, messages);
  const own = new Set(Object.keys(entry).map(squash));
  const hasEntry = row.entry?.some((names) => names.every((name) => own.has(name))) === true;
  // A mapping and its messages are asked for both.
  if (row.entry && row.format === 'deepseek' && !hasEntry) return false;
  if (hasEntry && row.format !== 'deepseek') return true;
  const wanted = row.message ?? [];
  return wanted.some((names) =>
    messages().some(({ fields, outer }) => {
      const keys = new Set(Object.keys(outer).map(squash));
      return names.every((name) => fields.has(name) || keys.has(name));
    }),
  );
}

/** Checks whether a line has the links of Claude Code. */
function isLinked(record: JsonObject): boolean {
  return 'parentUuid' in record && 'sessionId' in record;
}

/** Checks whether a line is of Qwen Code: a message in the form of Gemini, with the links of Claude Code. */
function isOfQwen(record: JsonObject): boolean {
  return isLinked(record) && 'parts' in objectAt(record, 'message');
}

function isChatGpt(entry: JsonObject): boolean {
  const nodes = Object.values(mappingOf(entry)).filter(isJsonObject);
  const messages = nodes.map(({ message }) => message).filter(isJsonObject);
  // A conversation without any message is reported as empty.
  if (messages.length === 0)
    return isJsonObject(entry['mapping']) && listMessages(entry).messages.length === 0;
  return messages.some((message) => 'author' in message || isJsonObject(message['content']));
}

function isClaude(entry: JsonObject): boolean {
  if (!Array.isArray(entry['chat_messages'])) return false;
  const messages = listAt(entry, 'chat_messages').filter(isJsonObject);
  // The pages of DeepSeek call theirs the same.
  return messages.every((message) => !('message_id' in message)) || messages.some(hasSender);
}

function hasSender(message: JsonObject): boolean {
  return 'sender' in message;
}

function isOpenWebUi(entry: JsonObject): boolean {
  const chat = isJsonObject(entry['chat']) ? entry['chat'] : entry;
  const hasHistory = isJsonObject(objectAt(chat, 'history')['messages']);
  return (
    hasHistory ||
    (chat !== entry && listAt(chat, 'messages').some((each) => hasFields(each, 'role')))
  );
}

function recordsOf(entry: JsonObject): readonly JsonObject[] {
  return listAt(entry, 'records').filter(isJsonObject);
}

/** Checks whether a record is the first of a session of pi. */
export function beginsSession(record: JsonObject): boolean {
  return record['type'] === 'session' && typeof record['id'] === 'string';
}

/** Checks whether a record has a type that Gemini CLI never writes: in its sessions, `gemini` answers. */
function isOfOther({ type }: JsonObject): boolean {
  return type !== 'gemini' && type !== 'user' && knownRole(type) !== undefined && type !== 'system';
}

const AGENTS = { codex: 'codex', gemini: 'gemini-cli', copilot: 'copilot-cli' } as const;

function agentOf(entry: JsonObject): ImportFormat | undefined {
  // Gemini CLI writes its older sessions as one object; any other object is a line of a session.
  const isWhole = isBlank(entry['records']) && 'messages' in entry;
  const records = isWhole ? [entry] : recordsOf(entry);
  for (const record of records) {
    const agent = detectAgent(record);
    if (agent === 'gemini' && records.some(isOfOther)) return undefined;
    if (agent === 'codex' || agent === 'gemini' || agent === 'copilot') return AGENTS[agent];
    if (agent !== undefined) return undefined;
  }
  return undefined;
}
