import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  closedElements,
  isJsonObject,
  listAt,
  objectAt,
  objectOf,
  omitUndefined as defined,
  type Role,
  textAt,
} from '@vizprompt/providers/internal';
import { readPiece } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { idAt, parseNested, timeAt } from './fields.ts';
import { readAttached } from './files.ts';
import { chainOf, linkMessages } from './link-messages.ts';
import { hasFields } from './plain-rows.ts';
import { nameTools } from './read-messages.ts';

/** Checks whether an entry is a task of Cline, Roo Code or Kilo Code: what was shown, or what the model was sent. */
export function isCline(entry: JsonObject): boolean {
  const records = listAt(entry, 'records').slice(0, 20);
  return records.some(isShown) || records.some(beginsTask);
}

/** Checks whether a record is an item of `ui_messages.json`. */
function isShown(record: JsonValue): boolean {
  return hasFields(record, 'ts') && ('say' in record || 'ask' in record);
}

/** Checks whether a message of `api_conversation_history.json` says what the task is. */
function beginsTask(record: JsonValue): boolean {
  if (!hasFields(record, 'role', 'content')) return false;
  const pieces = Array.isArray(record['content']) ? record['content'] : [record['content']];
  return pieces.some((piece: JsonValue) => /^<(?:task|user_message)>/.test(plainOf(piece).trim()));
}

function plainOf(piece: JsonValue | undefined): string {
  return typeof piece === 'string' ? piece : (textAt(objectOf(piece), 'text') ?? '');
}

/** Reads a task of Cline, Roo Code or Kilo Code, from either of its files. */
export function readCline(entry: JsonObject): ImportedConversation {
  const records = listAt(entry, 'records').filter(isJsonObject);
  const shown = records.some(isShown);
  const chain = chainOf(records, undefined);
  const messages: ImportedMessage[] = [];
  for (const [at, raw] of records.entries()) {
    const read = shown ? readShown(raw, messages) : readSent(raw);
    for (const { role, parts } of read) {
      if (parts.length === 0) continue;
      const id = `${idAt(raw, 'ts') ?? chain[at] ?? at}/${messages.length}`;
      const model = textAt(objectAt(raw, 'modelInfo'), 'modelId', 'model_id');
      const about = defined({ parent: messages.at(-1)?.id, time: timeAt(raw, 'ts'), model });
      messages.push({ id, role, ...about, parts, raw, rewritten: textsOf(raw) });
    }
  }
  if (messages.length === 0) throw new BrokenEntry('it holds no messages');
  const warnings: string[] = [];
  return {
    format: 'cline',
    id: idAt(records[0] ?? {}, 'ts') ?? chain[0] ?? '',
    title: '',
    messages: linkMessages(nameTools(messages), warnings),
    warnings,
  };
}

/** Texts whose marks are removed, or that hold JSON. */
function textsOf(raw: JsonObject): readonly string[] {
  return [
    textAt(raw, 'text') ?? '',
    ...listAt(raw, 'content').map(plainOf),
    plainOf(raw['content']),
  ];
}

interface Said {
  readonly role: Role;
  readonly parts: readonly MessagePart[];
}

/** The kinds of items that a user wrote. */
const BY_USER = new Set(['task', 'user_feedback', 'user_feedback_diff']);

/** The kinds of items that are text of the answer; in some, it is in a field of JSON. */
const TEXTS = new Set([
  'text',
  'completion_result',
  'followup',
  'plan_mode_respond',
  'act_mode_respond',
]);

/** The kinds of items that are what a tool gave back. */
const RESULTS: ReadonlyMap<string, string> = new Map([
  ['command_output', 'execute_command'],
  ['browser_action_result', 'browser_action'],
  ['mcp_server_response', 'use_mcp_tool'],
]);

/** The kinds of items that are calls, by the name of the tool. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['tool', ''],
  ['command', 'execute_command'],
  ['browser_action', 'browser_action'],
  ['browser_action_launch', 'browser_action'],
  ['use_mcp_server', 'use_mcp_tool'],
  ['use_mcp_tool', 'use_mcp_tool'],
]);

/** Reads an item of `ui_messages.json`. The first text is the task. */
function readShown(raw: JsonObject, before: readonly ImportedMessage[]): readonly Said[] {
  const kind = textAt(raw, 'say', 'ask') ?? '';
  const text = textAt(raw, 'text') ?? '';
  const images = listAt(raw, 'images').flatMap((image) => readAttached(image));
  const value = /^\s*[{[]/.test(text) ? parseNested(text) : undefined;
  if (BY_USER.has(kind) || (kind === 'text' && before.length === 0)) {
    return [{ role: 'user', parts: [...saidIn(text), ...images] }];
  }
  if (TEXTS.has(kind)) {
    const fields = objectOf(value);
    const said = textAt(fields, 'question', 'response') ?? text;
    const options = listAt(fields, 'options').map((option) => `- ${plainOf(option)}`);
    const whole = [said, options.join('\n')].filter((each) => each !== '').join('\n\n');
    // The question whether a task is done repeats its result.
    const last = before.at(-1)?.parts[0];
    const isRepeated = last?.type === 'text' && last.text === whole;
    return [{ role: 'assistant', parts: isRepeated ? images : [...saidIn(whole), ...images] }];
  }
  if (kind === 'reasoning') {
    const thought = text === '' ? (textAt(raw, 'reasoning') ?? '') : text;
    return [{ role: 'assistant', parts: [{ type: 'reasoning', text: thought }] }];
  }
  const ran = RESULTS.get(kind);
  if (ran !== undefined) {
    const output = value ?? text;
    const isEmpty = output === '' && images.length === 0;
    const result: MessagePart = { type: 'tool-result', id: '', tool: ran, output };
    return isEmpty ? [] : [{ role: 'tool', parts: [result, ...images] }];
  }
  const called = CALLS.get(kind);
  if (called === undefined) {
    const isBlank = text.trim() === '';
    return isBlank
      ? []
      : [{ role: 'assistant', parts: [{ type: 'data', kind, value: value ?? text }] }];
  }
  const { tool = called, ...rest } = objectOf(value);
  const input = value === undefined ? { command: text } : rest;
  const name = typeof tool === 'string' && tool !== '' ? tool : called || 'tool';
  return [
    { role: 'assistant', parts: [{ type: 'tool-call', id: '', tool: name, input }, ...images] },
  ];
}

function saidIn(text: string): MessagePart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

const ENVIRONMENT = 'environment_details';
const BY_A_USER = /^<(task|user_message|feedback|answer)>\n?([\s\S]*?)\n?<\/\1>$/;
const RESULT = /^\[(\w\w*)[^\]\n]*\] Result:\s*/;

/** Reads a message of `api_conversation_history.json`, in which tools are marks in the text. */
function readSent(raw: JsonObject): readonly Said[] {
  const content = raw['content'] ?? '';
  const pieces: readonly JsonValue[] = Array.isArray(content) ? content : [content];
  if (textAt(raw, 'role') !== 'user') {
    return [{ role: 'assistant', parts: pieces.flatMap((piece) => readAnswer(piece)) }];
  }
  const said: Said[] = [];
  let tool: string | undefined;
  let mark = '';
  for (const piece of pieces) {
    const text = plainOf(piece);
    const found = closedElements(text, (name) => name === ENVIRONMENT);
    const wholes = found.map(({ start, end }) => text.slice(start, end));
    const around = wholes.map((value): MessagePart => {
      return { type: 'data', kind: ENVIRONMENT, value };
    });
    const plain = found
      .reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
      .trim();
    const [, , inner] = BY_A_USER.exec(plain) ?? [];
    const [start = '', name] = RESULT.exec(plain) ?? [];
    if (name !== undefined) [tool, mark] = [name, start.trim()];
    const output = plain.slice(start.length);
    if (inner !== undefined) {
      tool = undefined;
      said.push({ role: 'user', parts: saidIn(inner) });
    } else if (text === '') said.push(...asSaid(readPiece(piece)));
    else if (output !== '' && tool !== undefined) {
      const result: MessagePart = { type: 'tool-result', id: '', tool, output, meta: { mark } };
      said.push({ role: 'tool', parts: [result] });
    } else if (output !== '') said.push({ role: 'user', parts: saidIn(output) });
    if (around.length > 0) said.push({ role: 'system', parts: around });
  }
  return inOrder(said);
}

function asSaid(parts: readonly MessagePart[]): readonly Said[] {
  const role = parts.every(({ type }) => type === 'tool-result') ? 'tool' : 'user';
  return [{ role, parts }];
}

/** Joins pieces of one speaker; the environment belongs to what was said before it. */
function inOrder(said: readonly Said[]): readonly Said[] {
  const joined: Said[] = [];
  for (const each of said) {
    const last = joined.at(-1);
    const isSame = last && (last.role === each.role || each.role === 'system');
    if (isSame) joined[joined.length - 1] = { ...last, parts: [...last.parts, ...each.parts] };
    else joined.push(each);
  }
  return joined;
}

/** Calls that are text for the user, and the field that has it. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['attempt_completion', 'result'],
  ['ask_followup_question', 'question'],
  ['plan_mode_respond', 'response'],
]);

/** The tools whose calls are marks in the text of an answer. */
const TOOLS: ReadonlySet<string> = new Set(
  `access_mcp_resource apply_diff ask_followup_question attempt_completion browser_action codebase_search
  condense delete_file edit_file execute_command fetch_instructions generate_image insert_content
  list_code_definition_names list_files new_rule new_task plan_mode_respond read_file replace_in_file report_bug
  run_slash_command search_and_replace search_files switch_mode update_todo_list use_mcp_tool use_skill
  web_fetch write_to_file`.split(/\s\s*/),
);
const THINKING = 'thinking';

/** Returns the parameters of a call, each with its value on lines of its own. */
function fieldsIn(body: string): Readonly<Record<string, string>> {
  const fields = closedElements(body, (_, attributes) => attributes === '');
  return Object.fromEntries(
    fields.map(({ name, inner }) => [name, inner.replace(/^\n/, '').replace(/\n$/, '')] as const),
  );
}

/** Returns a call that only says something to the user as text. */
function spokenIn(part: MessagePart): MessagePart {
  if (part.type !== 'tool-call') return part;
  const text = textAt(objectOf(part.input), SPOKEN.get(part.tool) ?? '');
  return text === undefined ? part : { type: 'text', text };
}

/** Reads a piece of an answer: thoughts and calls are marks in its text. */
function readAnswer(piece: JsonValue): readonly MessagePart[] {
  const text = plainOf(piece);
  if (text === '') return typeof piece === 'string' ? [] : readPiece(piece).map(spokenIn);
  const parts: MessagePart[] = [];
  let end = 0;
  const isMark = (name: string, attributes: string): boolean =>
    attributes === '' && (name === THINKING || TOOLS.has(name));
  for (const { start, end: after, name: tool, inner } of closedElements(text, isMark)) {
    const fields = tool === THINKING ? {} : fieldsIn(inner);
    if (tool !== THINKING && Object.keys(fields).length === 0) continue;
    parts.push(...saidIn(text.slice(end, start).trim()));
    end = after;
    const spoken = fields[SPOKEN.get(tool) ?? ''];
    if (tool === THINKING) parts.push({ type: 'reasoning', text: inner.trim() });
    else if (spoken !== undefined) parts.push(...saidIn(spoken.trim()));
    else parts.push({ type: 'tool-call', id: '', tool, input: fields });
  }
  return [...parts, ...saidIn(text.slice(end).trim())];
}
