import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import { BrokenEntry, type ImportedConversation, type MessagePart } from './conversation.ts';
import { firstTime, idAt, spelled, textAt } from './fields.ts';
import { readAttached } from './files.ts';
import { chainOf } from './link-messages.ts';
import { NAMES } from './spellings.ts';

/** Fields that hold what people wrote for a project, and what was remembered of them. */
const TEXTS = [
  'description',
  'prompt_template',
  'instructions',
  'custom_instructions',
  'conversations_memory',
  'project_memories',
  'memories',
  'memory',
];

/** Checks whether an entry is a project or the memory of an assistant, and no conversation. */
export function isNotes(entry: JsonObject): boolean {
  const isProject = 'prompt_template' in entry || (Array.isArray(entry['docs']) && 'name' in entry);
  return isProject || ['conversations_memory', 'project_memories'].some((key) => key in entry);
}

/**
 * Reads a project or the memory of an assistant as a conversation of one message: what it says, and its documents.
 *
 * @throws BrokenEntry if it says nothing.
 */
export function readNotes(entry: JsonObject): ImportedConversation {
  const said = TEXTS.flatMap((key) => textsIn(entry[key])).map((text): MessagePart => {
    return { type: 'text', text };
  });
  const docs = Array.isArray(entry['docs']) ? entry['docs'] : [];
  const parts = [...said, ...docs.flatMap((doc: JsonValue) => readAttached(doc, 'claude-file'))];
  if (parts.length === 0) throw new BrokenEntry('it holds no text');
  const about = spelled(entry);
  const own = idAt(entry, 'uuid', 'id', 'account_uuid');
  const isMemory = 'conversations_memory' in entry || 'project_memories' in entry;
  const id = own ?? chainOf([entry], undefined)[0] ?? '';
  return {
    format: 'notes',
    id: isMemory ? `memory/${id}` : id,
    title: textAt(entry, 'name', 'title') ?? (isMemory ? 'Memories' : ''),
    ...defined({
      created: firstTime(about, NAMES.created),
      updated: firstTime(about, NAMES.updated),
    }),
    messages: [{ id: isMemory ? 'memory' : id, role: 'user', parts, raw: entry }],
    warnings: [],
  };
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => textsIn(each));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
