import { isJsonObject, type Role } from '@vizprompt/providers/internal';
import type { JsonValue } from '@vizprompt/providers';
import { firstOf, spelled, squash, type Spelled } from './fields.ts';

type NameList =
  | 'alternatives'
  | 'answer'
  | 'asked'
  | 'callId'
  | 'calls'
  | 'children'
  | 'content'
  | 'conversation'
  | 'conversationId'
  | 'created'
  | 'files'
  | 'head'
  | 'id'
  | 'isBot'
  | 'isUser'
  | 'model'
  | 'name'
  | 'parent'
  | 'prompt'
  | 'reasoning'
  | 'role'
  | 'scene'
  | 'selected'
  | 'time'
  | 'title'
  | 'tools'
  | 'updated';

/** Fields with several answers to one question, or with their number. */
export const SEVERAL: readonly string[] = ['responses', 'answers', 'completions'];

/** The spellings of the fields of messages and conversations; names are squashed, the likeliest first. */
export const NAMES: Readonly<Record<NameList, readonly string[]>> = {
  id: ['id', 'uuid', 'messageid', 'msgid', 'responseid', 'requestid', 'contextuuid', 'backenduuid'],
  /** A message that is answered. */
  parent: [
    'parent',
    'parentid',
    'parentuuid',
    'parentmessageid',
    'parentmessageuuid',
    'parentmessage',
    'parentresponseid',
    'parentmsgid',
    'parentnodeid',
    'previousmessageid',
  ],
  /** A question in a row of messages that are else in their order. */
  asked: ['askid', 'replyto', 'replytoid', 'replytomessageid', 'replytomsgid', 'inreplyto'],
  role: ['role', 'sender', 'from', 'author', 'speaker', 'participant', 'src'],
  isUser: ['isuser', 'byuser', 'iscreatedbyuser', 'fromuser', 'ishuman', 'isfromuser', 'fromme'],
  isBot: ['isbot', 'isai', 'isassistant', 'frombot', 'fromai', 'fromassistant'],
  name: ['name', 'sendername', 'authorname', 'botname'],
  model: [
    'model',
    'modelslug',
    'modelname',
    'modelid',
    'modelversion',
    'displaymodel',
    'lastusedmodel',
  ],
  time: [
    'createdat',
    'createtime',
    'timestamp',
    'insertedat',
    'created',
    'time',
    'date',
    'senddate',
    'datetimeutc',
    'datetime',
    'updateddatetime',
    'createddate',
    'sentat',
    'ts',
    'creationtime',
    'timestampms',
    'startedat',
    'updatedat',
  ],
  /** The content of a message, pieces before plain texts. */
  content: [
    'contentparts',
    'contentchunks',
    'fragments',
    'segments',
    'blocks',
    'parts',
    'content',
    'contents',
    'rawcontent',
    'text',
    'message',
    'mes',
    'value',
    'body',
    'markdown',
    'say',
    'steps',
    'speechesv2',
  ],
  reasoning: [
    'reasoningcontent',
    'reasoning',
    'thinking',
    'thoughts',
    'thinkingcontent',
    'reasoningtext',
    'thinkingtrace',
    'reasoningtrace',
    'chainofthought',
    'toolplan',
  ],
  calls: ['toolcalls', 'functioncall', 'toolinvocations', 'tooluses'],
  /** A result is one of this call. */
  callId: ['toolcallid', 'callid', 'tooluseid'],
  files: [
    'attachments',
    'files',
    'extra',
    'experimentalattachments',
    'fileattachments',
    'attachedfiles',
    'images',
    'pictures',
    'filesv2',
    'generatedimageurls',
  ],
  children: ['children', 'childrenids', 'childids', 'replies', 'next', 'nextids'],
  alternatives: ['swipes', 'versions', 'alternatives', 'candidates', 'variants', 'regenerations'],
  selected: ['swipeid', 'currentlyselected', 'selected', 'primarycandidateid'],
  prompt: [
    'prompt',
    'query',
    'querystr',
    'question',
    'instruction',
    'usermessage',
    'input',
    'message',
  ],
  answer: [
    'response',
    'answer',
    'output',
    'completion',
    'reply',
    'safehtmlitem',
    'blocks',
    'text',
    ...SEVERAL,
  ],
  conversation: [
    'topicid',
    'conversationid',
    'convid',
    'chatid',
    'sessionid',
    'threadid',
    'contextuuid',
  ],
  conversationId: [
    'id',
    'uuid',
    'conversationid',
    'convid',
    'chatid',
    'sessionid',
    'threadid',
    'slug',
  ],
  title: [
    'title',
    'name',
    'usertitle',
    'autotitle',
    'customtitle',
    'chattitle',
    'conversationtitle',
    'threadtitle',
    'conversationname',
    'topic',
    'summary',
  ],
  created: [
    'createdat',
    'createtime',
    'insertedat',
    'created',
    'createdate',
    'creationtime',
    'starttime',
    'timestamp',
  ],
  updated: ['updatedat', 'updatetime', 'modifytime', 'lastmodified', 'lastupdated', 'updated'],
  head: [
    'currentnode',
    'currnode',
    'currentid',
    'currentmessageid',
    'currentleafmessageuuid',
    'leafresponseid',
    'leafid',
    'activeleaf',
    'head',
  ],
  /** The instructions that a model receives before all messages. */
  scene: [
    'system',
    'systemprompt',
    'systeminstruction',
    'systemmessage',
    'instructions',
    'promptprefix',
    'preprompt',
    'custominstructions',
    'preamble',
  ],
  tools: ['tools', 'functions'],
};

const ROLES: ReadonlyMap<string, Role> = new Map([
  ...['system', 'developer', 'context', 'root'].map((word) => [word, 'system'] as const),
  ...(
    'user human you me request prompt prompter client customer userinput userprompt humanmessage ' +
    'ユーザー ユーザ あなた 用户 사용자'
  )
    .split(' ')
    .map((word) => [word, 'user'] as const),
  ...(
    'assistant model ai airesponse gpt chatgpt bot chatbot claude gemini grok copilot bing agent llm answer response ' +
    'deepseek perplexity api cascade coral cursor kiro goose cody plannerresponse metaai char ' +
    'アシスタント 助手 助理 어시스턴트'
  )
    .split(' ')
    .map((word) => [word, 'assistant'] as const),
  ...['tool', 'function', 'observation', 'ipython', 'toolresult'].map(
    (word) => [word, 'tool'] as const,
  ),
]);

/** Roles of messages that are a call. */
const CALLERS: ReadonlySet<string> = new Set(['functioncall', 'toolcall']);

/** Checks whether a role says that its message is a call. */
export function isCaller(word: JsonValue | undefined): boolean {
  return typeof word === 'string' && CALLERS.has(squash(word));
}

/** Returns the role that a word means; `undefined` if it means none. */
export function knownRole(word: JsonValue | undefined): Role | undefined {
  if (typeof word !== 'string') return undefined;
  // Squashed, a word of another script is nothing.
  const plain = squash(word) || word.trim();
  // Classes of LangChain: HumanMessage, AIMessageChunk.
  return ROLES.get(plain) ?? ROLES.get(plain.replace(/message(?:chunk)?$/, ''));
}

/** Returns the role that a word means; `system` for an unknown speaker. */
export function roleOf(word: string | undefined): Role {
  return knownRole(word) ?? 'system';
}

/** Returns who speaks, by any spelling; `undefined` if no field says so. */
export function roleIn(fields: Spelled): Role | undefined {
  return statedRole(fields) ?? impliedRole(fields);
}

/** Returns who speaks by fields that mean other things elsewhere, so that a role that is stated comes first. */
function impliedRole(fields: Spelled): Role | undefined {
  // Pydantic AI says what kind of a message its parts are.
  const kind = Array.isArray(fields.get('parts')) ? knownRole(fields.get('kind')) : undefined;
  if (kind) return kind;
  const isBot = asBoolean(firstOf(fields, NAMES.isBot));
  if (isBot !== undefined) return isBot ? 'assistant' : 'user';
  // AutoGen and OpenHands call the speaker a source, as others call where a thing is from.
  const source = fields.get('source');
  const isSpeaker = typeof source === 'string' && SOURCES.has(source.toLowerCase());
  return isSpeaker && isEvent(fields) ? knownRole(source) : undefined;
}

function isEvent(fields: Spelled): boolean {
  const type = fields.get('type');
  const isTyped = typeof type === 'string' && /(?:message|event)$/i.test(type);
  return isTyped || fields.has('action') || fields.has('observation');
}

/** The speakers that a source may be: other roles are also names of programs. */
const SOURCES: ReadonlySet<string> = new Set(['user', 'agent', 'assistant', 'system']);

/** Returns who speaks, by a field that is for it. */
export function statedRole(fields: Spelled): Role | undefined {
  const speaker = firstOf(fields, NAMES.role);
  const isUser = asBoolean(
    firstOf(fields, NAMES.isUser) ??
      (isJsonObject(speaker) ? firstOf(spelled(speaker), NAMES.isUser) : undefined),
  );
  if (isUser !== undefined) {
    if (isUser) return 'user';
    return asBoolean(fields.get('issystem')) === true ? 'system' : 'assistant';
  }
  const word = isJsonObject(speaker)
    ? firstOf(spelled(speaker), ['role', 'type', 'name', 'label'])
    : speaker;
  const asks = fields.get('fragments');
  const fragment = Array.isArray(asks) && word === undefined ? asks.find(isJsonObject) : undefined;
  if (fragment && 'type' in fragment) return fragment['type'] === 'REQUEST' ? 'user' : 'assistant';
  const isBubble = fields.has('bubbleid');
  if (isBubble && typeof fields.get('type') === 'number') {
    return fields.get('type') === 1 ? 'user' : 'assistant';
  }
  if (isCaller(word)) return 'assistant';
  const known =
    knownRole(word) ??
    // Cohere calls the speaker an agent, as others call a program.
    knownRole(fields.get('agent')) ??
    knownRole(fields.get('interactiontype')) ??
    knownRole(fields.get('type')) ??
    knownRole(classOf(fields));
  // A speaker with an unknown name is `system`, so that the words are attributed to no other speaker.
  return known ?? (typeof word === 'string' ? 'system' : undefined);
}

/** Returns a value that is true or false, also as a string or a number, as tables and databases have it. */
function asBoolean(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return undefined;
  return BOOLEANS.get(value.trim().toLowerCase());
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** Returns the name of a speaker that means no role. */
export function strangerIn(fields: Spelled): string | undefined {
  const speaker = firstOf(fields, NAMES.role);
  const word = isJsonObject(speaker) ? speaker['name'] : speaker;
  if (typeof word !== 'string' || roleIn(fields) !== 'system') return undefined;
  return knownRole(word) !== undefined || isCaller(word) ? undefined : word;
}

/** Returns the class of a message that LangChain has serialized: the last of its path. */
function classOf(fields: Spelled): JsonValue | undefined {
  const path = fields.has('lc') ? fields.get('id') : undefined;
  return Array.isArray(path) ? path.at(-1) : undefined;
}
