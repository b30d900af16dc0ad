import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { writeDrafts } from '../import/draft-writer.ts';
import { ImportDeduplicator } from '../import/import-deduplicator.ts';
import type { TranscriptStore } from '../import/import-options.ts';
import { placeSession, sessionPlace } from '../import/session-place.ts';
import { isOpencodeName, OpencodeDatabase } from '../opencode/opencode-database.ts';
import type { TranscriptAgent } from '../draft.ts';
import type { HookInput, RecordSettings } from './hook-input.ts';
import type { HookMoment } from './hook-moment.ts';
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
  readonly agent: TranscriptAgent;
  readonly input: HookInput;
  readonly transcript: string;
  readonly session: string;
}

/**
 * Records what an agent has written to its transcript since the last hook, as an import does: both find the same events.
 */
export async function followHook(
  store: TranscriptStore,
  agent: TranscriptAgent,
  input: HookInput,
  options: RecordSettings,
): Promise<void> {
  const transcript = input.transcriptPath ?? (await transcriptOf(agent, input));
  if (transcript !== undefined) {
    const followed = { agent, input, transcript };
    for (const session of await sessionsOf(followed, input.sessionId, options)) {
      await followSession(store, { ...followed, session }, options);
    }
    for (const child of await childrenOf(followed)) {
      const session = basename(child).replace(/\.jsonl$/, '');
      await followSession(store, { ...followed, transcript: child, session }, options);
    }
  }
}

/** Returns the transcripts of subagents: Gemini CLI has them in a folder next to its own, and calls no hook for them. */
async function childrenOf({
  agent,
  input: { event, sessionId },
  transcript,
}: Omit<Followed, 'session'>): Promise<readonly string[]> {
  if (agent !== 'gemini' || !ENDS.has(event) || !/^[\w-]+$/.test(sessionId)) return [];
  const folder = join(dirname(transcript), sessionId);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** The sessions to read: a new fork comes after the session from which it has its first messages. */
async function sessionsOf(
  { agent, transcript }: Omit<Followed, 'session'>,
  session: string,
  options: RecordSettings,
): Promise<readonly string[]> {
  const path = stateOf(transcript, agent, session, options);
  if (agent !== 'opencode' || existsSync(path) || !existsSync(transcript)) return [session];
  await using database = new OpencodeDatabase(transcript);
  const origin = await database.originOf(session);
  return origin === undefined ? [session] : [origin, session];
}

function stateOf(
  transcript: string,
  agent: TranscriptAgent,
  session: string,
  { stateFolder = join(homedir(), '.ptta', 'hooks') }: RecordSettings,
): string {
  // A database has all sessions.
  return statePath(stateFolder, agent === 'opencode' ? `${transcript}#${session}` : transcript);
}

async function followSession(
  store: TranscriptStore,
  { agent, input, transcript, session: name }: Followed,
  options: RecordSettings,
): Promise<void> {
  const { maxBytes = MAX_BYTES } = options;
  const path = stateOf(transcript, agent, name, options);
  const limit = ENDS.has(input.event) ? maxBytes * 8 : maxBytes;
  const tail =
    agent === 'opencode'
      ? await tailOpencode(transcript, name, path)
      : await tailTranscript(transcript, name, path, {
          maxBytes: limit,
          agent,
          outputs: options.outputs,
        });
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
    await deduplicator.finish(session, isEnd ? input.moment.at.toISOString() : undefined);
  }
  if (exists) {
    const files = savedFiles(recording) ?? [];
    await saveTailState(path, { offset, reader: recording.state, files });
  }
}

/** Returns the path of the transcript of an agent that does not pass it to its hooks. */
async function transcriptOf(
  agent: TranscriptAgent,
  { sessionId, moment: { env } }: HookInput,
): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(sessionId)) return undefined;
  if (agent === 'opencode') return opencodeDatabase(sessionId, env);
  if (agent !== 'copilot') return undefined;
  const home = env['COPILOT_HOME'] ?? join(homedir(), '.copilot');
  return join(home, 'session-state', sessionId, 'events.jsonl');
}

/** Returns the path of the database of opencode that has a session: each release channel has a database of its own. */
async function opencodeDatabase(session: string, env: HookMoment['env']): Promise<string> {
  const folder = join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'opencode');
  const path = resolve(folder, env['OPENCODE_DB'] ?? 'opencode.db');
  if (env['OPENCODE_DB'] !== undefined) return path;
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter(isOpencodeName).map((name) => join(folder, name));
  const others = paths.filter((other) => other !== path);
  if (others.length === 0) return path;
  for (const each of paths.includes(path) ? [path, ...others] : others) {
    if (await hasSession(each, session)) return each;
  }
  return path;
}

/** A database of a channel that is set up right now, or is none, has no sessions. */
async function hasSession(path: string, session: string): Promise<boolean> {
  try {
    await using database = new OpencodeDatabase(path);
    const head = await database.lines(session, { since: Infinity }).next();
    return head.done !== true;
  } catch {
    return false;
  }
}
