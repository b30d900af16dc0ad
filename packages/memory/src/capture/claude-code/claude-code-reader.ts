import { lineReader } from '../line-reader.ts';
import { defined, type JsonObject } from '@vizprompt/providers';
import { count } from '../counts.ts';
import type { TranscriptReader } from '../draft.ts';
import { objectAt, textAt, timeAt } from '../fields.ts';
import { globalKey } from '../keys.ts';
import { remember } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import { readAssistant } from './assistant-line.ts';
import { KNOWN_LINES, PASSING_PROGRESS } from './line-types.ts';
import type { MessageLine } from './message-line.ts';
import { readUser } from './user-line.ts';

const MAX_NODES = 20_000;

/**
 * Reads a log of Claude Code, of all versions known: a file of a session, or of a subagent.
 *
 * Source: docs/formats/transcripts.md; Anthropic publishes no description.
 */
export function claudeCodeReader(recording: Recording): TranscriptReader {
  return lineReader(recording, (line) => readLine(recording, line));
}

function readLine(recording: Recording, line: JsonObject): void {
  const type = textAt(line, 'type') ?? 'without a type';
  const { counts } = recording;
  noteSession(recording, line);
  if (type === 'user' || type === 'assistant') {
    readMessage(recording, line, type);
    return;
  }
  passNode(recording, line);
  if (type === 'progress') readProgress(recording, line);
  else if (KNOWN_LINES.has(type)) recording.keep(counts.kept, type, line);
  else recording.keep(counts.unknown, type, line);
}

function noteSession(recording: Recording, line: JsonObject): void {
  const id = textAt(line, 'sessionId');
  if (id !== undefined && id !== '') recording.session(id);
  const { session } = recording.state;
  if (!session) return;
  const cwd = textAt(line, 'cwd');
  if (cwd !== undefined && cwd !== '') session.workspacePath ??= cwd;
  const branch = textAt(line, 'gitBranch');
  // Only the first is the one that the session began on; events name others.
  if (branch !== undefined && branch !== '' && branch !== 'HEAD') {
    session.metadata['branch'] ??= branch;
  }
  const title = titleOf(recording, line);
  if (title !== undefined) session.metadata['title'] = title;
  const version = textAt(line, 'version');
  if (version !== undefined) session.metadata['agent_version'] = version;
}

function titleOf(recording: Recording, line: JsonObject): string | undefined {
  const { type } = line;
  if (type === 'custom-title') return textAt(line, 'customTitle');
  if (type === 'ai-title') return textAt(line, 'aiTitle');
  // A file begins with the summaries of other sessions; they name lines that are not in it.
  const leaf = type === 'summary' ? textAt(line, 'leafUuid') : undefined;
  return leaf !== undefined && recording.state.nodes.has(leaf)
    ? textAt(line, 'summary')
    : undefined;
}

/** Old versions tell what a subagent says in the progress of the call that started it. */
function readProgress(recording: Recording, line: JsonObject): void {
  const data = objectAt(line, 'data');
  const kind = textAt(data, 'type') ?? 'without a type';
  const inner = objectAt(data, 'message');
  const innerType = textAt(inner, 'type');
  if (kind === 'agent_progress' && (innerType === 'user' || innerType === 'assistant')) {
    const agentId = textAt(data, 'agentId') ?? 'subagent';
    const { parentUuid: _parent, data: _data, ...outer } = line;
    const uuid = textAt(inner, 'uuid') ?? textAt(line, 'uuid');
    const merged = { ...outer, ...inner, isSidechain: true, agentId };
    readMessage(recording, defined({ ...merged, uuid }), innerType);
  } else if (PASSING_PROGRESS.has(kind)) count(recording.counts.passing, `progress:${kind}`);
  else recording.keep(recording.counts.unknown, `progress:${kind}`, line);
}

function readMessage(recording: Recording, line: JsonObject, type: 'assistant' | 'user'): void {
  const uuid = textAt(line, 'uuid');
  const { session } = recording.state;
  const message = objectAt(line, 'message');
  if (!session || uuid === undefined || Object.keys(message).length === 0) {
    recording.keep(recording.counts.unknown, `${type} without message, uuid or session`, line);
    return;
  }
  recording.state.notes['isPart'] ??= line['isSidechain'] === true;
  const agentId = textAt(line, 'agentId') ?? (line['isSidechain'] === true ? 'sidechain' : '');
  const cwd = textAt(line, 'cwd');
  const branch = textAt(line, 'gitBranch');
  const read: MessageLine = {
    line,
    message,
    key: globalKey(session.sourceId, uuid),
    speaker: agentId,
    parent: parentOf(recording, line),
    timestamp: timeAt(line, 'timestamp'),
    meta: defined({
      uuid,
      agent_id: agentId === '' ? undefined : agentId,
      cwd: cwd === session.workspacePath ? undefined : cwd,
      branch: branch === session.metadata['branch'] || branch === '' ? undefined : branch,
    }),
  };
  const last = type === 'user' ? readUser(recording, read) : readAssistant(recording, read);
  if (last !== undefined) remember(recording.state.nodes, uuid, last, MAX_NODES);
}

function parentOf({ state }: Recording, line: JsonObject): string | undefined {
  // Behind a compaction the conversation goes on from where it was.
  const id = textAt(line, 'parentUuid') ?? textAt(line, 'logicalParentUuid');
  return id === undefined ? undefined : state.nodes.get(id);
}

/** A line without an event hands the event before it on to those that name it. */
function passNode(recording: Recording, line: JsonObject): void {
  const uuid = textAt(line, 'uuid');
  const parent = parentOf(recording, line);
  if (uuid !== undefined && parent !== undefined) {
    remember(recording.state.nodes, uuid, parent, MAX_NODES);
  }
}
