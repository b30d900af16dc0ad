import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import {
  TranscriptReader,
  type TranscriptAgent,
  type TranscriptEntry,
  type TranscriptPart,
} from '@vizprompt/providers/transcripts';
import { readPiece } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type ImportFormat,
  type MessagePart,
} from './conversation.ts';
import { isBlank, listAt, objectOf, textAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';

/** Reads the records of a session as the entries of its transcript. */
export function entriesOf(entry: JsonObject, agent: TranscriptAgent): readonly TranscriptEntry[] {
  const reader = new TranscriptReader({ agent });
  const records = isBlank(entry['records']) ? [entry] : listAt(entry, 'records');
  return records.filter(isJsonObject).flatMap((value) => reader.read({ value }));
}

/** Returns the message of an entry. */
export function messageOf(
  { id = '', parent, time, model, hasFailed, isAborted, role, raw }: TranscriptEntry,
  parts: readonly MessagePart[],
): ImportedMessage {
  return { id, role, parts, raw, ...defined({ parent, time, model, hasFailed, isAborted }) };
}

type AgentFormat = Extract<ImportFormat, 'codex' | 'copilot-cli' | 'gemini-cli'>;

const AGENTS: Readonly<Record<AgentFormat, TranscriptAgent>> = {
  codex: 'codex',
  'gemini-cli': 'gemini',
  'copilot-cli': 'copilot',
};

/**
 * Reads a session of a coding agent whose entries are in the order in which they were said. Where a session was
 * rewound, what follows is a branch.
 *
 * Source: docs/formats/transcripts.md.
 *
 * @throws BrokenEntry if nothing was said.
 */
export function readTranscript(format: AgentFormat, entry: JsonObject): ImportedConversation {
  const messages: ImportedMessage[] = [];
  const entries = entriesOf(entry, AGENTS[format]);
  const ids = new Set<string>();
  let parent: string | undefined;
  for (const [at, each] of entries.entries()) {
    const rewound = textAt(objectOf(each.raw), '$rewindTo');
    if (rewound !== undefined) parent = messages.find(({ id }) => id === rewound)?.parent;
    const isSaid = each.kind === 'message' && each.parts.length > 0;
    if (!isSaid) continue;
    const own = each.id ?? `${at + 1}`;
    const id = ids.has(own) ? `${own}/${at + 1}` : own;
    ids.add(id);
    const { parent: _, ...message } = messageOf(each, each.parts.flatMap(partOf));
    messages.push({ ...message, id, ...defined({ parent }) });
    parent = id;
  }
  const session = entries.findLast((each) => each.session)?.session;
  if (messages.length === 0 || !session) throw new BrokenEntry('it holds no messages');
  const warnings: string[] = [];
  return {
    format,
    id: session.sourceId,
    title: entries.findLast(({ title }) => title)?.title ?? '',
    ...defined({ created: session.startedAt ?? messages.find(({ time }) => time)?.time }),
    messages: linkMessages(messages, warnings),
    warnings,
  };
}

function partOf(part: TranscriptPart): MessagePart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'thinking': {
      const { text, subject } = part;
      if (text === '' && subject === undefined) return [];
      return [{ type: 'reasoning', text: [subject, text].filter(Boolean).join('\n') }];
    }
    case 'tool-call': {
      const { type, id, tool, input } = part;
      return [{ type, id, tool, input }];
    }
    case 'tool-result': {
      const { type, id, tool = '', output = null, success } = part;
      return [{ type, id, tool, output, ...(success ? {} : { isError: true }) }];
    }
    default:
      return part.kind === 'note'
        ? [{ type: 'data', kind: part.name, value: part.raw }]
        : readPiece(part.raw);
  }
}
