import type { JsonObject } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { TranscriptEntry, TranscriptPart } from '@vizprompt/providers/transcripts';
import { readPiece } from './content.ts';
import {
  type ImportedMessage,
  type MessagePart,
  BrokenEntry,
  type ImportedConversation,
} from './conversation.ts';
import { idAt, objectOf, textAt, timeAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';
import { entriesOf, messageOf } from './transcript.ts';

/**
 * Reads a session of the agent pi: a line that says which session, then entries that name their
 * parents; those of old sessions are in a row.
 *
 * Source: badlogic/pi-mono, packages/coding-agent/docs/session.md (version 3).
 *
 * @throws BrokenEntry if there is no session line.
 */
export function readPi(entry: JsonObject): ImportedConversation {
  const all = entriesOf(entry, 'pi');
  const head = all.find(({ type }) => type === 'session');
  const session = objectOf(head?.raw);
  const id = idAt(session, 'id');
  if (id === undefined) throw new BrokenEntry("it has no line of the type 'session'");
  const entries = all.filter((each) => each !== head);
  const warnings: string[] = [];
  const messages: ImportedMessage[] = [];
  const passed = new Map<string, string | undefined>();
  const labels = labelsOf(entries);
  for (const each of entries) {
    const label = labels.get(each.id ?? '');
    if (SETTINGS.has(each.type)) passed.set(each.id ?? '', each.parent);
    else messages.push(readEntry(each, label));
  }
  return {
    format: 'pi',
    id,
    title: entries.findLast(({ type }) => type === 'session_info')?.title ?? '',
    ...defined({ created: timeAt(session, 'timestamp'), head: messages.at(-1)?.id }),
    messages: linkMessages(messages, warnings, passed),
    warnings,
  };
}

/** Entries that say nothing. */
const SETTINGS: ReadonlySet<string> = new Set([
  'label',
  'model_change',
  'session_info',
  'thinking_level_change',
]);

function readEntry(entry: TranscriptEntry, label: string | undefined): ImportedMessage {
  const { raw, type, name = type } = entry;
  const isSaid = type === 'message' || type === 'custom_message';
  const value = objectOf(raw);
  const parts: MessagePart[] = isSaid
    ? entry.parts.flatMap(partOf)
    : [{ type: 'data', kind: type === 'custom' ? name : type, value }];
  if (label !== undefined) parts.push({ type: 'data', kind: 'label', value: label });
  return { ...messageOf(entry, parts), ...defined({ name: isSaid ? entry.name : undefined }) };
}

function partOf(part: TranscriptPart): MessagePart[] {
  const { raw, type } = part;
  switch (type) {
    case 'tool-call':
      return [{ type, id: part.id, tool: part.tool, input: part.input }];
    case 'tool-result': {
      const { id, tool = '', output = null, success } = part;
      return [{ type, id, tool, output, ...(success ? {} : { isError: true }) }];
    }
    case 'other':
      // Entries that are not blocks: an error, a command that the user ran in the shell, and roles of extensions.
      if (part.kind === 'note') return [{ type: 'data', kind: part.name, value: raw }];
      break;
    default:
  }
  return readPiece(raw);
}

/** Returns the last label of each entry; one without text takes it away. */
function labelsOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { raw, type } of entries) {
    if (type !== 'label') continue;
    const target = textAt(objectOf(raw), 'targetId') ?? '';
    const label = textAt(objectOf(raw), 'label');
    if (label === undefined) labels.delete(target);
    else labels.set(target, label);
  }
  return labels;
}
