import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { writeDrafts } from '../capture/import/draft-writer.ts';
import { ImportDeduplicator } from '../capture/import/import-deduplicator.ts';
import { placeSession, sessionPlace } from '../capture/import/session-place.ts';
import { sessionIdOf } from '../capture/keys.ts';
import { OpencodeDatabase } from '../capture/opencode/opencode-database.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookAgent } from './agent-hooks.ts';
import type { HookInput } from './hook-input.ts';
import type { HookOptions } from './hook-options.ts';
import { recallText } from './recall-text.ts';
import {
  savedFiles,
  saveTailState,
  statePath,
  tailOpencode,
  tailTranscript,
} from './tail-transcript.ts';

const MAX_BYTES = 2 << 20;
const ENDS: ReadonlySet<string> = new Set(['SessionEnd', 'Stop', 'AfterAgent']);

/** A transcript that is followed. */
interface Followed {
  readonly agent: HookAgent;
  readonly input: HookInput;
  readonly transcript: string;
  readonly session: string;
}

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
  const transcript = input.transcriptPath ?? transcriptOf(agent, input.sessionId);
  if (transcript !== undefined) {
    const followed = { agent, input, transcript };
    for (const session of await sessionsOf(followed, input.sessionId, options)) {
      await followSession(store, { ...followed, session }, options);
    }
  }
  if (input.event !== 'SessionStart') return '';
  const text = await recallText(store, sessionIdOf(agent, input.sessionId), input, options);
  return text === '' ? '' : answerOf(agent, text);
}

/** The sessions to read: a new fork comes after the session from which it has its first messages. */
async function sessionsOf(
  { agent, transcript }: Omit<Followed, 'session'>,
  session: string,
  options: HookOptions,
): Promise<readonly string[]> {
  const path = stateOf(transcript, agent, session, options);
  if (agent !== 'opencode' || existsSync(path) || !existsSync(transcript)) return [session];
  await using database = new OpencodeDatabase(transcript);
  const origin = await database.originOf(session);
  return origin === undefined ? [session] : [origin, session];
}

function stateOf(
  transcript: string,
  agent: HookAgent,
  session: string,
  { stateFolder = join(homedir(), '.ptta', 'hooks') }: HookOptions,
): string {
  // A database has all sessions.
  return statePath(stateFolder, agent === 'opencode' ? `${transcript}#${session}` : transcript);
}

async function followSession(
  store: MemoryStore,
  { agent, input, transcript, session: name }: Followed,
  options: HookOptions,
): Promise<void> {
  const { maxBytes = MAX_BYTES } = options;
  const path = stateOf(transcript, agent, name, options);
  const limit = ENDS.has(input.event) ? maxBytes * 8 : maxBytes;
  const tail =
    agent === 'opencode'
      ? await tailOpencode(transcript, name, path)
      : await tailTranscript(transcript, name, path, limit, agent);
  const { recording, offset, exists } = tail;
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

/** Returns the path of the transcript of an agent that does not pass it to its hooks. */
function transcriptOf(agent: HookAgent, session: string): string | undefined {
  if (!/^[\w-]+$/.test(session)) return undefined;
  if (agent === 'opencode') return opencodeDatabase();
  if (agent !== 'copilot') return undefined;
  const home = process.env['COPILOT_HOME'] ?? join(homedir(), '.copilot');
  return join(home, 'session-state', session, 'events.jsonl');
}

/** Returns the path of the database of opencode. */
function opencodeDatabase(): string {
  const { env } = process;
  const folder = join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'opencode');
  return resolve(folder, env['OPENCODE_DB'] ?? 'opencode.db');
}

/** The form in which an agent takes context. */
function answerOf(agent: HookAgent, additionalContext: string): string {
  if (agent === 'codex' || agent === 'opencode') return additionalContext;
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext };
  return JSON.stringify(agent === 'gemini' ? { hookSpecificOutput } : { additionalContext });
}
