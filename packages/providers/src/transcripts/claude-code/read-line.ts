import { objectAt, textAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptEntry, TranscriptPart } from '../model/entry.ts';
import { globalKey } from '../model/keys.ts';
import { timeAt } from '../model/read-fields.ts';
import { aside, type EntryDraft, type ReadContext } from '../model/read-line.ts';
import { readContent } from './content.ts';
import { KNOWN_LINES, PASSING_PROGRESS } from './line-types.ts';
import { addedUsage } from './usage.ts';

/**
 * Reads a line of a log of Claude Code, of all versions known: of a session, or of a subagent.
 *
 * Source: docs/formats/transcripts.md; Anthropic publishes no description.
 */
export function readClaudeCodeLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const type = textAt(line, 'type') ?? 'without a type';
  noteSession(line, context);
  if (type === 'user' || type === 'assistant') return [readMessage(line, type, context)];
  if (type === 'progress') return [readProgress(line, context)];
  return [
    {
      ...aside(KNOWN_LINES.has(type) ? 'note' : 'unknown', type, line),
      ...linksOf(line),
      ...omitUndefined({ time: timeAt(line, 'timestamp') }),
      ...titleOf(line, type),
    },
  ];
}

function noteSession(line: JsonObject, context: ReadContext): void {
  const id = textAt(line, 'sessionId');
  if (id !== undefined && id !== '') context.session(id);
  const { session } = context.state;
  if (!session) return;
  const cwd = textAt(line, 'cwd');
  if (cwd !== undefined && cwd !== '') session.workspacePath ??= cwd;
  const branch = textAt(line, 'gitBranch');
  // Only the first is the one that the session began on; entries name others.
  if (branch !== undefined && branch !== '' && branch !== 'HEAD') {
    session.metadata['branch'] ??= branch;
  }
  const version = textAt(line, 'version');
  if (version !== undefined) session.metadata['agent_version'] = version;
}

/** After a compaction the conversation continues from where it was. */
function linksOf(line: JsonObject): Pick<TranscriptEntry, 'id' | 'parent'> {
  const parent = textAt(line, 'parentUuid') ?? textAt(line, 'logicalParentUuid');
  return omitUndefined({ id: textAt(line, 'uuid'), parent });
}

function titleOf(line: JsonObject, type: string): Pick<TranscriptEntry, 'title' | 'titled'> {
  if (type === 'custom-title') return omitUndefined({ title: textAt(line, 'customTitle') });
  if (type === 'ai-title') return omitUndefined({ title: textAt(line, 'aiTitle') });
  if (type !== 'summary') return {};
  // A file begins with the summaries of other sessions; they name entries that are not in it.
  return omitUndefined({ title: textAt(line, 'summary'), titled: textAt(line, 'leafUuid') ?? '' });
}

/** Old versions report what a subagent says in the progress of the call that started it. */
function readProgress(line: JsonObject, context: ReadContext): EntryDraft {
  const data = objectAt(line, 'data');
  const kind = textAt(data, 'type') ?? 'without a type';
  const inner = objectAt(data, 'message');
  const innerType = textAt(inner, 'type');
  const links = linksOf(line);
  if (kind === 'agent_progress' && (innerType === 'user' || innerType === 'assistant')) {
    const agentId = textAt(data, 'agentId') ?? 'subagent';
    const { parentUuid: _parent, data: _data, ...outer } = line;
    const uuid = textAt(inner, 'uuid') ?? textAt(line, 'uuid');
    const merged = { ...outer, ...inner, isSidechain: true, agentId };
    const message = readMessage(omitUndefined({ ...merged, uuid }), innerType, context);
    return { ...message, carrier: links, raw: line };
  }
  const isPassing = PASSING_PROGRESS.has(kind);
  return { ...aside(isPassing ? 'passing' : 'unknown', `progress:${kind}`, line), ...links };
}

function readMessage(
  line: JsonObject,
  type: 'assistant' | 'user',
  { state }: ReadContext,
): EntryDraft {
  const message = objectAt(line, 'message');
  const { session } = state;
  const links = linksOf(line);
  const isWhole = session && links.id !== undefined && Object.keys(message).length > 0;
  const key = globalKey(session?.sourceId ?? '', links.id ?? '');
  const own = textAt(line, 'cwd');
  const isUser = type === 'user';
  const parts = readContent(
    line,
    message['content'],
    // The texts of a user are one; an answer has one in each block.
    (index) => `${key}#${isUser ? 0 : index}`,
    own ?? session?.workspacePath,
  );
  const isSidechain = line['isSidechain'] === true;
  return {
    kind: isWhole ? 'message' : 'unknown',
    type: isWhole ? type : `${type} without message, uuid or session`,
    role: isUser ? userRole(line, parts) : 'assistant',
    parts,
    ...links,
    ...omitUndefined({
      time: timeAt(line, 'timestamp'),
      model: textAt(message, 'model'),
      subagent: textAt(line, 'agentId') ?? (isSidechain ? 'sidechain' : undefined),
      isSidechain: isSidechain || undefined,
      isSummary: (line['isCompactSummary'] === true && line['isMeta'] !== true) || undefined,
      hasFailed: line['isApiErrorMessage'] === true || undefined,
      usage: isWhole && !isUser ? addedUsage(state, line) : undefined,
      messageId: textAt(message, 'id'),
      requestId: textAt(line, 'requestId'),
      cwd: own,
      branch: textAt(line, 'gitBranch'),
    }),
    raw: line,
  };
}

/** The program says in the user's place what results are, what it sums up and what commands print. */
function userRole(line: JsonObject, parts: readonly TranscriptPart[]): TranscriptEntry['role'] {
  if (line['isMeta'] === true || line['isCompactSummary'] === true) return 'system';
  const isResult = parts.some((part) => part.type === 'tool-result');
  return isResult && !parts.some((part) => part.type === 'text') ? 'tool' : 'user';
}
