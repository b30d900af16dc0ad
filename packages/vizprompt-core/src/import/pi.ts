import { defined, isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { readBlock } from './claude-block.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { listAt, objectAt, textAt, timeAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';
import { roleOf } from './openai-message.ts';

/**
 * Reads a session of the agent pi: a line that says which session, then entries that name their
 * parents; those of old sessions stand in a row.
 *
 * Source: badlogic/pi-mono, packages/coding-agent/docs/session.md (version 3).
 *
 * @throws BrokenEntry if there is no session line.
 */
export function readPi(entry: JsonObject): ImportedConversation {
  const records = listAt(entry, 'records').filter(isJsonObject);
  const session = records.find(({ type }) => type === 'session');
  const id = session && textAt(session, 'id');
  if (!session || id === undefined) throw new BrokenEntry("it has no line of the type 'session'");
  const entries = records.filter((record) => record !== session);
  const ids = entries.map((record, at) => textAt(record, 'id') ?? String(at));
  const isTree = entries.some((record) => 'parentId' in record);
  const warnings: string[] = [];
  const messages: ImportedMessage[] = [];
  const passed = new Map<string, string | undefined>();
  for (const [at, record] of entries.entries()) {
    const parent = isTree ? textAt(record, 'parentId') : ids[at - 1];
    const content = readEntry(record);
    if (!content) passed.set(ids[at] ?? '', parent);
    else messages.push({ id: ids[at] ?? '', ...defined({ parent }), ...content });
  }
  const title = entries.findLast(({ type }) => type === 'session_info');
  const labels = labelsOf(entries);
  return {
    format: 'pi',
    id,
    title: (title && textAt(title, 'name')) ?? '',
    ...defined({ created: timeAt(session, 'timestamp') }),
    messages: linkMessages(
      messages.map((message) => withLabel(message, labels)),
      warnings,
      passed,
    ),
    ...defined({ head: messages.at(-1)?.id }),
    warnings,
  };
}

type Content = Omit<ImportedMessage, 'id' | 'parent'>;

/** `undefined` for entries that say nothing, such as a change of the model. */
function readEntry(record: JsonObject): Content | undefined {
  const time = timeAt(record, 'timestamp');
  const { type } = record;
  switch (type) {
    case 'message':
      return readMessage(objectAt(record, 'message'), time);
    case 'compaction':
    case 'branch_summary':
      return scene(time, { type: 'data', kind: type, value: record });
    case 'custom_message':
      return {
        ...scene(time, ...readContent(record)),
        ...defined({ name: textAt(record, 'customType') }),
      };
    case 'custom':
      return scene(time, {
        type: 'data',
        kind: textAt(record, 'customType') ?? type,
        value: record,
      });
    case 'model_change':
    case 'thinking_level_change':
    case 'label':
    case 'session_info':
      return undefined;
    default:
      return scene(time, {
        type: 'data',
        kind: typeof type === 'string' ? type : 'unknown',
        value: record,
      });
  }
}

function scene(time: string | undefined, ...parts: MessagePart[]): Content {
  return { role: 'system', ...defined({ time }), parts };
}

function readMessage(message: JsonObject, time: string | undefined): Content {
  const spoken = textAt(message, 'role');
  const when = defined({ time: time ?? timeAt(message, 'timestamp') });
  if (spoken === 'toolResult') {
    return {
      role: 'tool',
      ...when,
      ...defined({ name: textAt(message, 'toolName') }),
      parts: [
        {
          type: 'tool-result',
          id: textAt(message, 'toolCallId') ?? '',
          tool: textAt(message, 'toolName') ?? '',
          output: message['content'] ?? null,
          ...(message['isError'] === true ? { isError: true } : {}),
        },
      ],
    };
  }
  // What the user ran in the shell, and roles of extensions.
  if (spoken !== 'user' && spoken !== 'assistant') {
    return scene(when.time, { type: 'data', kind: spoken ?? 'unknown', value: message });
  }
  const stopped = textAt(message, 'stopReason');
  return {
    role: roleOf(spoken),
    ...when,
    ...defined({ model: textAt(message, 'model') }),
    ...(stopped === 'aborted' ? { isAborted: true } : {}),
    ...(stopped === 'error' ? { hasFailed: true } : {}),
    parts: readContent(message),
  };
}

function readContent(message: JsonObject): MessagePart[] {
  const text = textAt(message, 'content');
  const error = textAt(message, 'errorMessage');
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...listAt(message, 'content').map(readPiece),
    ...(error === undefined ? [] : [{ type: 'data' as const, kind: 'error', value: error }]),
  ];
}

function readPiece(block: JsonValue): MessagePart {
  if (!isJsonObject(block) || block['type'] !== 'toolCall') return readBlock(block);
  return {
    type: 'tool-call',
    id: textAt(block, 'id') ?? '',
    tool: textAt(block, 'name') ?? '',
    input: block['arguments'] ?? null,
  };
}

/** The last label of each entry; one without text takes it away. */
function labelsOf(entries: readonly JsonObject[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const record of entries) {
    if (record['type'] !== 'label') continue;
    const target = textAt(record, 'targetId') ?? '';
    const label = textAt(record, 'label');
    if (label === undefined) labels.delete(target);
    else labels.set(target, label);
  }
  return labels;
}

function withLabel(message: ImportedMessage, labels: ReadonlyMap<string, string>): ImportedMessage {
  const label = labels.get(message.id);
  if (label === undefined) return message;
  return { ...message, parts: [...message.parts, { type: 'data', kind: 'label', value: label }] };
}
