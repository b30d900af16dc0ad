import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { textHash } from '@vizprompt/providers/transcripts/internal';
import { closeOpenCalls } from '../capture/calls.ts';
import type { EventDraft } from '../capture/draft.ts';
import { textAt } from '../capture/fields.ts';
import { ImportDeduplicator } from '../capture/import/import-deduplicator.ts';
import { writeDrafts } from '../capture/import/draft-writer.ts';
import { newReaderState } from '../capture/reader-state.ts';
import type { Recording } from '../capture/recording.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookInput } from './hook-input.ts';
import type { HookOptions } from './hook-options.ts';
import { recallText } from './recall-text.ts';
import { recordPrompt } from './record-prompt.ts';
import { announceTool, finishTool } from './record-tool.ts';
import { dropTailState, saveTailState, statePath, type TailState } from './tail-state.ts';
import { tailTranscript, type Tail } from './tail-transcript.ts';

const MAX_BYTES = 2 << 20;

/** Notes what a hook tells, behind what the transcript has got since. Returns what to print. */
export async function recordHook(
  store: MemoryStore,
  input: HookInput,
  options: HookOptions,
): Promise<string> {
  const { stateFolder = join(homedir(), '.ptta', 'hooks'), maxBytes = MAX_BYTES } = options;
  const isEnd = input.event === 'SessionEnd';
  const path = statePath(stateFolder, input.transcriptPath ?? input.sessionId);
  const limit = isEnd ? maxBytes * 8 : maxBytes;
  const tail = await tailTranscript(input.transcriptPath, input.sessionId, path, limit);
  const { recording } = tail;
  const session = recording.session(input.sessionId);
  if (input.cwd !== undefined) session.workspacePath ??= input.cwd;
  const told = recording.take();
  await recordEvent(store, recording, input, told, tail);
  const own = recording.take();
  if (isEnd && tail.isWhole) {
    closeOpenCalls(recording);
    if (tail.exists) recording.end();
  }
  const chooser = newChooser(store, input);
  const events = [...withoutOwn(told, own), ...own, ...recording.take()];
  if (events.length > 0 || input.event === 'SessionStart') {
    session.startedAt ??= new Date().toISOString();
    await chooser.reopen(session);
  } else if (isEnd) await chooser.start(session);
  await writeDrafts(store, chooser, events);
  await chooser.finish(session, isEnd ? new Date().toISOString() : undefined);
  if (isEnd && tail.isWhole) await dropTailState(path);
  else if (tail.exists || input.tool) await saveTailState(path, stateOf(tail));
  if (input.event === 'SubagentStop') await readSubagent(store, input, stateFolder, limit);
  return input.event === 'SessionStart' ? recallText(store, input, options) : '';
}

/** Of a transcript that is not there yet only the open calls are known: it tells the rest by itself. */
function stateOf({ recording, offset, exists }: Tail): TailState {
  const { state } = recording;
  const isAhead = !exists && offset === 0;
  return { offset, reader: isAhead ? { ...newReaderState(), calls: state.calls } : state };
}

async function recordEvent(
  store: MemoryStore,
  recording: Recording,
  input: HookInput,
  told: readonly EventDraft[],
  tail: Tail,
): Promise<void> {
  const { event, tool, fields } = input;
  if (event === 'UserPromptSubmit') await recordPrompt(store, recording, input, told);
  else if (event === 'PreToolUse' && tool) await announceTool(recording, input, tool);
  else if (event === 'PostToolUse' && tool) {
    await finishTool(store, recording, input, tool, undefined);
  } else if (event === 'PostToolUseFailure' && tool) {
    const failure = textAt(fields, 'error') ?? 'the tool failed';
    await finishTool(store, recording, input, tool, failure);
  } else if (event === 'Stop' && !tail.exists) recordAnswer(recording, input);
}

/** The answer as the hook has it, where there is no transcript that would tell it. */
function recordAnswer(recording: Recording, { sessionId, fields, event }: HookInput): void {
  const content = textAt(fields, 'last_assistant_message') ?? '';
  if (content.trim() === '') return;
  const timestamp = new Date().toISOString();
  recording.add({
    type: 'assistant_message',
    key: `${sessionId}#answer:${textHash(`${timestamp}:${content}`)}`,
    data: { content },
    meta: { hook: event },
    timestamp,
  });
}

/** The transcript's drafts without those that the hook knows better, having seen the file. */
function withoutOwn(told: readonly EventDraft[], own: readonly EventDraft[]): EventDraft[] {
  const keys = new Set(own.map(({ key }) => key));
  return told.filter(({ key, unlessWhole }) => {
    return !keys.has(key) && (unlessWhole === undefined || !keys.has(unlessWhole));
  });
}

function newChooser(store: MemoryStore, input: HookInput): ImportDeduplicator {
  const fallback = input.transcriptPath === undefined ? '.' : dirname(input.transcriptPath);
  return new ImportDeduplicator(
    store,
    ({ workspacePath }) => workspacePath ?? input.cwd ?? fallback,
  );
}

async function readSubagent(
  store: MemoryStore,
  input: HookInput,
  stateFolder: string,
  limit: number,
): Promise<void> {
  const transcript = textAt(input.fields, 'agent_transcript_path');
  if (transcript === undefined) return;
  const path = statePath(stateFolder, transcript);
  const { recording, offset, exists } = await tailTranscript(
    transcript,
    input.sessionId,
    path,
    limit,
  );
  await writeDrafts(store, newChooser(store, input), recording.take());
  if (exists) await saveTailState(path, { offset, reader: recording.state });
}
