import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  closedElements,
  omitUndefined as defined,
  isJsonObject,
  listAt,
  objectOf,
  textAt,
} from '@vizprompt/providers/internal';
import { linkCitations } from './citations.ts';
import type { MessagePart } from './conversation.ts';
import {
  firstId,
  firstOf,
  firstText,
  isBlank,
  parseNested,
  spelled,
  type Spelled,
  squash,
} from './fields.ts';
import { readAttached } from './files.ts';

type Kind = 'call' | 'file' | 'group' | 'reasoning' | 'result' | 'text';

/** The kinds of content by squashed type, in the spellings of all APIs and programs. */
const KINDS: ReadonlyMap<string, Kind> = new Map(
  (
    [
      [
        'text',
        'text inputtext outputtext summarytext markdown maintext plaintext ' +
          'audiotranscription transcript voicenote request response textcontent userprompt systemprompt',
      ],
      ['reasoning', 'thinking reasoning think thought thoughts reasoningtext reasoningcontent ma'],
      [
        'call',
        'tooluse toolcall functioncall servertooluse mcptooluse mcpcall customtoolcall ' +
          'toolinvocation dynamictool tool toolrequest toolcallrequest computercall localshellcall websearchcall ' +
          'filesearchcall codeinterpretercall imagegenerationcall functioncallcontent',
      ],
      [
        'result',
        'toolresult functioncalloutput functionresponse toolresponse mcptoolresult ' +
          'customtoolcalloutput websearchtoolresult codeexecutiontoolresult ' +
          'toolcallresult webfetchtoolresult bashcodeexecutiontoolresult texteditorcodeexecutiontoolresult ' +
          'localshellcalloutput toolreturn functionresultcontent retryprompt',
      ],
      [
        'file',
        'imageurl inputimage image file inputfile document audio inputaudio outputaudio video ' +
          'imageref localfile imagefile audiofile imagecontent',
      ],
      ['group', 'message contentblock singlestep multistep doc'],
    ] as const
  ).flatMap(([kind, types]) => types.split(' ').map((type): [string, Kind] => [type, kind])),
);

/** Checks whether a type is that of a piece that may appear among messages, such as a call. */
export function isPieceType(type: string): boolean {
  const kind = KINDS.get(squash(type));
  return kind !== undefined && kind !== 'group' && kind !== 'text';
}

/** Reads what a message says: a string, a piece, or a list of pieces. */
export function readContent(content: JsonValue | undefined): MessagePart[] {
  if (isBlank(content) || content === undefined) return [];
  return Array.isArray(content) ? content.flatMap(readPiece) : readPiece(content);
}

/** Returns the text of the parts of a message. */
export function textOfParts(parts: readonly MessagePart[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();
}

/** Reads a piece of content in any of the known spellings; what is unknown becomes `data`. */
export function readPiece(piece: JsonValue): MessagePart[] {
  if (typeof piece === 'string') return [{ type: 'text', text: piece }];
  if (Array.isArray(piece)) return piece.flatMap(readPiece);
  if (!isJsonObject(piece)) {
    return piece === null ? [] : [{ type: 'data', kind: 'unknown', value: piece }];
  }
  const fields = spelled(piece);
  // Fragments of Big-AGI wrap their part.
  const inner = fields.get('part');
  if (isJsonObject(inner)) return readPiece(inner);
  const named = firstText(fields, [
    'type',
    '$type',
    'contenttype',
    'pt',
    'kind',
    'partkind',
    'blocktype',
  ]);
  const type = named === undefined ? '' : squash(named);
  const kind =
    KINDS.get(type) ?? (type.startsWith('tool') && fields.has('toolcallid') ? 'call' : undefined);
  switch (kind) {
    case 'text':
      return (
        readText(piece, fields)?.map((part) => linkCitations(part, piece)) ??
        readParts(fields) ??
        dataOf(piece, named)
      );
    case 'reasoning':
      return readReasoning(piece, fields) ?? dataOf(piece, named);
    case 'call':
      return readCall(piece, named);
    case 'result':
      return [readResult(piece)];
    case 'file':
      return readHeard(piece, fields) ?? readAttached(piece);
    case 'group':
      return readGroup(piece, fields, named);
    default:
      if (type === 'html') return readHtml(fields) ?? dataOf(piece, named);
      return (named === undefined ? readUntyped(piece, fields) : undefined) ?? dataOf(piece, named);
  }
}

/** Reads the list of pieces in an object around it. */
function readParts(fields: Spelled): MessagePart[] | undefined {
  const parts = fields.get('parts');
  return Array.isArray(parts) ? parts.flatMap(readPiece) : undefined;
}

/** Reads a recording of which only the transcript is left. */
function readHeard(piece: JsonObject, fields: Spelled): MessagePart[] | undefined {
  const text = firstText(fields, ['transcript']);
  if (text === undefined) return undefined;
  const { transcript: _, type: _type, ...recording } = piece;
  const heard: MessagePart = { type: 'text', text };
  return Object.values(recording).some((value) => !isBlank(value))
    ? [heard, ...readAttached(recording)]
    : [heard];
}

function dataOf(piece: JsonObject, named: string | undefined): MessagePart[] {
  if (named === 'refusal') {
    return [{ type: 'data', kind: 'refusal', value: firstText(spelled(piece), ['refusal']) ?? '' }];
  }
  return [{ type: 'data', kind: named ?? 'unknown', value: piece }];
}

/** Pieces that hold pieces; where it is a step of LM Studio, its style says what they are. */
function readGroup(piece: JsonObject, fields: Spelled, named: string | undefined): MessagePart[] {
  const content = firstOf(fields, ['content', 'steps', 'parts', 'data']);
  const parts = readContent(content);
  if (parts.length === 0) return dataOf(piece, named);
  const style = fields.get('style');
  if (!isJsonObject(style) || style['type'] !== 'thinking') return parts;
  return parts.map((part) =>
    part.type === 'text' ? { type: 'reasoning', text: part.text } : part,
  );
}

/** Returns the string of a piece: plain, or within an object. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  return firstText(spelled(value), ['value', 'text', 'content']);
}

const TEXT_FIELDS = ['text', 'content', 'value', 'markdown', 'transcript', 'body', 'msg'];

function readText(piece: JsonObject, fields: Spelled): MessagePart[] | undefined {
  if (fields.get('thought') === true) return readReasoning(piece, fields);
  for (const name of TEXT_FIELDS) {
    const text = textOf(fields.get(name));
    if (text !== undefined) return [{ type: 'text', text }];
  }
  // The fields omit empty texts.
  return TEXT_FIELDS.some((name) => piece[name] === '') ? [{ type: 'text', text: '' }] : undefined;
}

const THOUGHT_FIELDS = [
  'thinking',
  'reasoning',
  'think',
  'thought',
  'text',
  'content',
  'summary',
  'reasoningtext',
  'atext',
  'value',
];

function readReasoning(piece: JsonObject, fields: Spelled): MessagePart[] | undefined {
  const name =
    THOUGHT_FIELDS.find((each) => textOf(fields.get(each)) !== undefined) ??
    // A provider may give only the signature of a thought.
    THOUGHT_FIELDS.find((each) => piece[each] === '');
  if (name === undefined) return undefined;
  const rest = Object.entries(piece).filter(([key]) => key !== 'type' && squash(key) !== name);
  return [
    { type: 'reasoning', text: textOf(fields.get(name)) ?? '', meta: Object.fromEntries(rest) },
  ];
}

const INPUTS = [
  'input',
  'args',
  'arguments',
  'parameters',
  'params',
  'rawinput',
  'action',
  'code',
  'queries',
];
const OUTPUTS = ['output', 'result', 'response', 'outputs', 'errortext'];
const CALL_IDS = ['toolcallid', 'callid', 'tooluseid', 'id'];
const WRAPPERS = [
  'toolinvocation',
  'toolcall',
  'function',
  'functioncall',
  'functionresponse',
  'custom',
  'invocation',
  'state',
  'toolresult',
  'value',
  'call',
];

/** The fields of a call or a result, with those of the objects that wrap its parts. */
function callFields(piece: JsonObject): Spelled {
  const outer = spelled(piece);
  const inner = WRAPPERS.map((name) => outer.get(name)).filter(isJsonObject);
  const deeper = inner.flatMap((each) =>
    WRAPPERS.map((name) => spelled(each).get(name)).filter(isJsonObject),
  );
  return spelled(piece, ...inner, ...deeper);
}

/** Reads a call, and its result where the piece holds both. */
export function readCall(piece: JsonObject, named?: string): MessagePart[] {
  const fields = callFields(piece);
  const id = firstId(fields, CALL_IDS) ?? '';
  const [, typed] = /^tool-(?!call$|invocation$|use$)(..*)$/.exec(named ?? '') ?? [];
  const said = firstText(fields, ['toolname', 'name', 'tool', 'apiname']);
  const tool = typed ?? said ?? (named?.endsWith('_call') ? named.slice(0, -'_call'.length) : '');
  const input = readToolInput(firstOf(fields, INPUTS));
  const asked: MessagePart = { type: 'tool-call', id, tool, input };
  const output = firstOf(fields, OUTPUTS);
  if (output === undefined) return [asked];
  const isError = fields.has('errortext') ? { isError: true } : {};
  return [asked, { type: 'tool-result', id, tool, output, ...isError }];
}

/** Reads the result of a call. */
export function readResult(piece: JsonObject): MessagePart {
  const fields = callFields(piece);
  return {
    type: 'tool-result',
    id: firstId(fields, ['toolcallid', 'callid', 'tooluseid', 'id']) ?? '',
    tool: firstText(fields, ['name', 'toolname', 'tool']) ?? '',
    output: firstOf(fields, ['content', ...OUTPUTS]) ?? null,
    ...(fields.get('iserror') === true ? { isError: true } : {}),
  };
}

/** Reads what a tool is given, which often comes as the text of a JSON value. */
export function readToolInput(input: JsonValue | undefined): JsonValue {
  if (typeof input !== 'string') return input ?? null;
  return parseNested(input) ?? input;
}

/** Pieces of Gemini and of VS Code have no type: their only field says what they are. */
function readUntyped(piece: JsonObject, fields: Spelled): MessagePart[] | undefined {
  const [tag, ...others] = Object.keys(piece);
  const inner = tag === undefined ? null : piece[tag];
  if (tag !== undefined && others.length === 0 && isJsonObject(inner) && KINDS.has(squash(tag))) {
    // Bedrock and programs in Rust name the type by the only key.
    return readPiece({ type: tag, ...inner });
  }
  if (fields.has('functioncall')) return readCall(piece);
  if (fields.has('functionresponse')) return [readResult(piece)];
  if (['inlinedata', 'filedata', 'inlinefile'].some((name) => fields.has(name)))
    return readAttached(piece);
  for (const [name, file] of fields) {
    if (/^(?:drive|youtube)(?:audio|document|image|video)$/.test(name) && isJsonObject(file))
      return readAttached(file, 'google-drive');
  }
  const ran = fields.get('codeexecutionresult');
  if (isJsonObject(ran)) {
    const output = firstText(spelled(ran), ['output']);
    if (output !== undefined) return [{ type: 'text', text: `\`\`\`\n${output}\n\`\`\`` }];
  }
  const code = fields.get('executablecode');
  if (isJsonObject(code)) {
    const language = firstText(spelled(code), ['language']) ?? '';
    const text = firstText(spelled(code), ['code']);
    if (text !== undefined)
      return [{ type: 'text', text: `\`\`\`${language.toLowerCase()}\n${text}\n\`\`\`` }];
  }
  const block = fields.get('markdownblock');
  const answer = isJsonObject(block) ? answerIn(block) : undefined;
  if (answer !== undefined) return [{ type: 'text', text: answer }];
  const content = fields.get('content');
  if (Array.isArray(content)) return content.flatMap(readPiece);
  // Blocks of Kimi have an id next to the field that says what they are.
  const tagged = Object.entries(piece).filter(([key, value]) => {
    return isJsonObject(value) && KINDS.has(squash(key));
  });
  const [only] = tagged;
  if (only && tagged.length === 1) {
    const parts = readPiece({ type: only[0], ...objectOf(only[1]) });
    if (parts.every(({ type }) => type !== 'data')) return parts;
  }
  return readText(piece, fields) ?? readHtml(fields) ?? readParts(fields);
}

/** Returns the answer in a block of Perplexity, which may be in chunks only. */
function answerIn(block: JsonObject): string | undefined {
  const chunks = listAt(block, 'chunks');
  const isWhole = chunks.length > 0 && chunks.every((chunk) => typeof chunk === 'string');
  return textAt(block, 'answer') ?? (isWhole ? chunks.join('') : undefined);
}

/** Answers in the activity of Google are HTML. */
function readHtml(fields: Spelled): MessagePart[] | undefined {
  const html = firstText(fields, ['html', 'htmlvalue', 'content', 'text', 'value']);
  return html === undefined
    ? undefined
    : [{ type: 'text', text: plainOf(html), ...defined({ meta: { html } }) }];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Replaces the entities that programs write into HTML. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(
    /&(?:lt|gt|quot|apos|nbsp|amp|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, decimal: string | undefined, hexadecimal: string | undefined) => {
      const point = Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10);
      if (Number.isNaN(point)) return ENTITIES[entity.toLowerCase()] ?? entity;
      return point > 0x10_ff_ff ? entity : String.fromCodePoint(point);
    },
  );
}

/** Returns the text of simple HTML, with its paragraphs, lists and code. */
export function plainOf(html: string): string {
  // The white space of code is a part of it.
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, inner } of closedElements(html, (name) => name === 'pre')) {
    const code = unescapeHtml(
      inner.replaceAll(/<br\s{0,9}\/?>/gi, '\n').replaceAll(/<[^<>]*>/g, ''),
    );
    const fenced = `\n\n\`\`\`\n${code.replace(/\n\n*$/, '')}\n\`\`\`\n\n`;
    pieces.push(proseOf(html.slice(done, start)), fenced);
    done = end;
  }
  return [...pieces, proseOf(html.slice(done))]
    .join('')
    .replaceAll(/\n{3}\n*/g, '\n\n')
    .trim();
}

function proseOf(html: string): string {
  const text = html
    .replaceAll(/(?<!\s)\s\s*/g, (space) => (space.includes('\n') ? '\n' : space))
    .replaceAll(/<li[^<>]*>/gi, '- ')
    .replaceAll(/<h([1-6])[^<>]*>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<br\s{0,9}\/?>|<\/(?:li|tr)>/gi, '\n')
    .replaceAll(/<\/(?:p|div|h[1-6]|ul|ol|table)>/gi, '\n\n')
    .replaceAll(/<[^<>]*>/g, '');
  return unescapeHtml(text);
}
