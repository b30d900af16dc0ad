import { isAbsolute } from 'node:path';
import { absolutePath, claudeCodeFiles } from '@vizprompt/providers/transcripts/internal';
import type { TranscriptAgent } from '../draft.ts';
import { type HookInput, readHookInput, subagentTranscript } from './hook-input.ts';
import { fileSize, fileText } from './hook-moment.ts';
import { movedOutput } from '../tool-output.ts';
import { writeCall } from './spool.ts';

/** A call of a hook. */
export interface HookCall {
  readonly agent: TranscriptAgent;
  /** The standard input. */
  readonly input: string;
  /** The folder in which calls wait for the memory; see `spoolFolder`. */
  readonly spool: string;
}

/** Variables of the environment by which transcripts are found. */
const PLACES = ['COPILOT_HOME', 'OPENCODE_DB', 'XDG_DATA_HOME'] as const;
/** Events that agents report when they have answered: no next call may come for long. */
const TURN_ENDS: ReadonlySet<string> = new Set(['Stop', 'AfterAgent', 'SessionEnd']);

/**
 * Leaves a call of a hook to be stored later, with what could not be known then: the time, the texts of the files that
 * are about to change, and how far the transcripts were written.
 *
 * @returns `'ended'` after the end of a turn, `'left'` after another call; `undefined` if nothing is left, as the agent
 * waits for an answer, or the call is not whole.
 * @throws the error of the file system.
 */
export function spoolHook({ agent, input, spool }: HookCall): 'ended' | 'left' | undefined {
  const read = readOrNothing(input);
  if (!read || read.event === 'SessionStart' || !isPlaced(read)) return undefined;
  const { env } = process;
  writeCall(spool, {
    agent,
    at: read.moment.at.getTime(),
    env: Object.fromEntries(PLACES.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    // The transcripts of the other agents say all that is recorded of them, but for outputs in temporary files.
    files: agent === 'claude-code' ? filesOf(read) : outputsOf(read),
    sizes: agent === 'claude-code' ? sizesOf(read) : {},
    input,
  });
  return TURN_ENDS.has(read.event) ? 'ended' : 'left';
}

function readOrNothing(input: string): HookInput | undefined {
  try {
    return readHookInput(input);
  } catch {
    return undefined;
  }
}

/** Checks whether the paths of a call mean the same in another folder. */
function isPlaced({ cwd, transcriptPath }: HookInput): boolean {
  return (
    cwd !== undefined &&
    isAbsolute(cwd) &&
    (transcriptPath === undefined || isAbsolute(transcriptPath))
  );
}

/** Returns the texts of the files that a call changes. */
function filesOf({ tool, cwd }: HookInput): Record<string, string> {
  const files: Record<string, string> = {};
  if (!tool) return files;
  const { changes } = claudeCodeFiles({ tool: tool.name, input: tool.input }, undefined);
  for (const { path } of changes) {
    const absolute = absolutePath(path, cwd);
    const text = fileText(absolute);
    if (text !== undefined) files[absolute] = text;
  }
  return files;
}

/** Returns the text of the temporary file with the output of a tool. */
function outputsOf({ fields }: HookInput): Record<string, string> {
  const path = movedOutput(fields['tool_response'] ?? fields['tool_result']);
  const text = path === undefined ? undefined : fileText(path);
  return path === undefined || text === undefined ? {} : { [path]: text };
}

function sizesOf(input: HookInput): Record<string, number> {
  const paths = [input.transcriptPath, subagentTranscript(input)];
  const named = paths.filter((path) => path !== undefined);
  return Object.fromEntries(named.map((path) => [path, fileSize(path)]));
}
