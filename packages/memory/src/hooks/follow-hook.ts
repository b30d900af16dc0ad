import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeDrafts } from '../capture/import/draft-writer.ts';
import { ImportDeduplicator } from '../capture/import/import-deduplicator.ts';
import { placeSession, sessionPlace } from '../capture/import/session-place.ts';
import { sessionIdOf } from '../capture/keys.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookAgent } from './agent-hooks.ts';
import type { HookInput } from './hook-input.ts';
import type { HookOptions } from './hook-options.ts';
import { recallText } from './recall-text.ts';
import { savedFiles, saveTailState, statePath, tailTranscript } from './tail-transcript.ts';

const MAX_BYTES = 2 << 20;
const ENDS: ReadonlySet<string> = new Set(['SessionEnd', 'Stop', 'AfterAgent']);

/**
 * Records what an agent has written to its transcript since the last hook, as an import does: both find the same events.
 * Returns what to print.
 */
export async function followHook(
  store: MemoryStore,
  agent: HookAgent,
  input: HookInput,
  options: HookOptions,
): Promise<string> {
  const { stateFolder = join(homedir(), '.ptta', 'hooks'), maxBytes = MAX_BYTES } = options;
  const transcript = input.transcriptPath ?? transcriptOf(agent, input.sessionId);
  if (transcript !== undefined) {
    const path = statePath(stateFolder, transcript);
    const limit = ENDS.has(input.event) ? maxBytes * 8 : maxBytes;
    const tail = await tailTranscript(transcript, input.sessionId, path, limit, agent);
    const { recording, offset, exists } = tail;
    recording.beside = transcript.replace(/\.jsonl$/, '');
    const { session } = recording.state;
    if (session) {
      placeSession(session, await sessionPlace(transcript));
      if (input.cwd !== undefined) session.workspacePath ??= input.cwd;
    }
    const drafts = recording.take();
    if (drafts.length > 0 && session) {
      const fallback = input.cwd ?? dirname(transcript);
      const deduplicator = new ImportDeduplicator(
        store,
        ({ workspacePath }) => workspacePath ?? fallback,
      );
      await deduplicator.reopen(session);
      await writeDrafts(store, deduplicator, drafts);
      const isEnd = input.event === 'SessionEnd';
      await deduplicator.finish(session, isEnd ? new Date().toISOString() : undefined);
    }
    if (exists) {
      const files = savedFiles(recording) ?? [];
      await saveTailState(path, { offset, reader: recording.state, files });
    }
  }
  if (input.event !== 'SessionStart') return '';
  const text = await recallText(store, sessionIdOf(agent, input.sessionId), input, options);
  return text === '' ? '' : answerOf(agent, text);
}

/** Returns the path of the transcript of an agent that does not pass it to its hooks. */
function transcriptOf(agent: HookAgent, session: string): string | undefined {
  if (agent !== 'copilot' || !/^[\w-]+$/.test(session)) return undefined;
  const home = process.env['COPILOT_HOME'] ?? join(homedir(), '.copilot');
  return join(home, 'session-state', session, 'events.jsonl');
}

/** Returns the form in which an agent takes context. */
function answerOf(agent: HookAgent, additionalContext: string): string {
  if (agent === 'codex') return additionalContext;
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext };
  return JSON.stringify(agent === 'gemini' ? { hookSpecificOutput } : { additionalContext });
}
