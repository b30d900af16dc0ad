import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, numberAt, textAt } from '@vizprompt/providers/internal';
import { parseShallowJson, wellFormed } from '@vizprompt/providers/transcripts/internal';
import { MemoryError } from '../../errors.ts';
import { type HookMoment, presentMoment } from './hook-moment.ts';

/** The input that an agent passes to a hook, in Claude Code's format. Source: docs/formats/transcripts.md. */
export interface HookInput {
  readonly event: string;
  readonly sessionId: string;
  readonly transcriptPath?: string;
  readonly cwd?: string;
  /** The subagent that the event belongs to. */
  readonly agentId?: string;
  readonly tool?: HookTool;
  /** All fields. */
  readonly fields: JsonObject;
  /** When it was called. */
  readonly moment: HookMoment;
}

/** The call of a tool in the input of a hook. */
export interface HookTool {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly response?: JsonValue;
  readonly durationMs?: number;
}

/**
 * Reads what is on the hook's standard input.
 *
 * @throws MemoryError `invalid-input` if it is not a hook's input.
 */
export function readHookInput(
  input: JsonObject | string,
  moment: HookMoment = presentMoment(),
): HookInput {
  const fields = typeof input === 'string' ? parsed(input) : input;
  const event = textAt(fields, 'hook_event_name');
  const sessionId = textAt(fields, 'session_id', 'sessionId');
  if (event === undefined || sessionId === undefined || sessionId === '') {
    throw new MemoryError(
      'invalid-input',
      "the input of a hook has no 'hook_event_name' and 'session_id'",
    );
  }
  const transcriptPath = textAt(fields, 'transcript_path', 'transcriptPath');
  const cwd = textAt(fields, 'cwd');
  const agentId = textAt(fields, 'agent_id');
  const tool = toolOf(fields);
  return {
    event,
    sessionId,
    fields,
    moment,
    ...(transcriptPath ? { transcriptPath } : {}),
    ...(cwd ? { cwd } : {}),
    ...(agentId ? { agentId } : {}),
    ...(tool ? { tool } : {}),
  };
}

/** Returns the path of the transcript of the subagent that a call belongs to, in a folder next to that of its session. */
export function subagentTranscript({
  fields,
  transcriptPath,
  agentId,
}: HookInput): string | undefined {
  const named = textAt(fields, 'agent_transcript_path');
  if (named !== undefined) return named;
  if (transcriptPath === undefined || agentId === undefined || !/^[\w-]+$/.test(agentId))
    return undefined;
  return join(transcriptPath.replace(/\.jsonl$/, ''), 'subagents', `agent-${agentId}.jsonl`);
}

function parsed(text: string): JsonObject {
  // Windows PowerShell puts a byte order mark before what it pipes.
  const value = parseShallowJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined) throw new MemoryError('invalid-input', 'the input of a hook is no JSON');
  const whole = wellFormed(value, text);
  if (isJsonObject(whole)) return whole;
  throw new MemoryError('invalid-input', 'the input of a hook is no object');
}

function toolOf(fields: JsonObject): HookTool | undefined {
  const id = textAt(fields, 'tool_use_id');
  const name = textAt(fields, 'tool_name');
  if (id === undefined || name === undefined) return undefined;
  const response = fields['tool_response'] ?? fields['tool_result'];
  const durationMs = numberAt(fields, 'duration_ms');
  return {
    id,
    name,
    input: fields['tool_input'] ?? null,
    ...(response === undefined ? {} : { response }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

/** How calls of hooks are recorded. */
export interface RecordSettings {
  /** Where the places up to which transcripts were read are kept. Default: `~/.ptta/hooks`. */
  readonly stateFolder?: string | undefined;
  /** How many bytes of a transcript one hook reads. Default: 2 MiB; eight times so at the session's end. */
  readonly maxBytes?: number | undefined;
  /** Outputs of tools in files that may be gone, by path. */
  readonly outputs?: ReadonlyMap<string, string> | undefined;
}
