import { listAt, numberAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptBlock, TranscriptResult, TranscriptText } from '../model/entry.ts';
import { unpacked, words } from '../model/read-fields.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { callKey, doneKey } from './read-completed.ts';
import { type CodexLine, contextOf, messageInText, readAgentMessage, speak } from './speak.ts';

/** Reads what the model was given or gave. */
export function readItem(read: CodexLine, state: TranscriptState): readonly EntryDraft[] {
  const { payload, key } = read;
  const type = textAt(payload, 'type') ?? 'without a type';
  switch (type) {
    case 'message':
      return readMessage(read, state);
    case 'additional_tools':
    case 'compaction':
    case 'compaction_summary':
    case 'compaction_trigger':
    case 'configuration_update':
    case 'context_compaction':
    case 'ghost_snapshot':
    case 'other':
    case 'tool_search_output':
      return [{ kind: 'note', type }];
    case 'agent_message':
      return [readAgentMessage(read, type)];
    case 'reasoning':
      return readReasoning(read, state);
    case 'function_call':
      return [readCall(read, state, unpacked(payload['arguments']))];
    case 'custom_tool_call':
      return [readCall(read, state, payload['input'] ?? null)];
    case 'local_shell_call':
      return [readCall(read, state, payload['action'] ?? null, 'local_shell')];
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const id = textAt(payload, 'call_id') ?? '';
      // A message of another program or agent comes as an output that no call asked for.
      if (id === '') return [readAgentMessage({ ...read, payload: sentOutput(payload) }, type)];
      // The whole output of the command was read before; the model received only its beginning.
      if (state.seen.has(doneKey(id))) return [{ kind: 'passing', type }];
      state.seen.set(doneKey(id), true);
      const part = { type: 'tool-result', id, ...readOutput(payload['output']) } as const;
      return [{ kind: 'message', type, role: 'tool', parts: [{ ...part, raw: payload }] }];
    }
    case 'image_generation_call':
    case 'web_search_call':
    case 'tool_search_call': {
      const action = objectAt(payload, 'action');
      // The result is a picture in base64, and in a file besides.
      const { result: _result, ...fields } = payload;
      const input = Object.keys(action).length > 0 ? action : fields;
      const id = `${key}#0`;
      const part = { type: 'tool-call', id, key: id, tool: type, input, raw: payload } as const;
      return [{ kind: 'message', type, parent: contextOf(state).parent, parts: [part] }];
    }
    default:
      return [{ kind: 'unknown', type: `response_item:${type}` }];
  }
}

/** Roles of instructions to the model. */
const CONTEXT_ROLES: ReadonlySet<string> = new Set(['developer', 'system']);

function readMessage({ payload, key }: CodexLine, state: TranscriptState): EntryDraft[] {
  const id = `${key}#0`;
  const content = listAt(payload, 'content').filter(isJsonObject);
  const textsOf = (items: readonly JsonObject[]): TranscriptText[] =>
    items.flatMap((raw): TranscriptText[] => {
      const text = textAt(raw, 'text');
      return text === undefined ? [] : [{ type: 'text', key: id, text, raw }];
    });
  const blocks = content.filter((raw) => textAt(raw, 'text') === undefined).map(readBlock);
  const role = textAt(payload, 'role');
  // The model continues only when its calls have returned.
  const settlesCalls = role === 'assistant' || role === 'user';
  if (!settlesCalls && !CONTEXT_ROLES.has(role ?? '')) {
    return [{ kind: 'unknown', type: `message:${role ?? ''}`, raw: payload }];
  }
  const all = textsOf(content);
  const texts = role === 'user' ? textsOf(typedItems(payload, content)).map(asTyped) : all;
  const isContext =
    (texts.length === 0 && all.length > 0) ||
    CONTEXT_HEAD.test(texts.map(({ text }) => text).join('\n\n'));
  if (!settlesCalls || (role === 'user' && isContext)) {
    const type = `message:${role ?? ''}:context`;
    return [{ kind: 'note', type, parts: [...blocks, ...all], settlesCalls, raw: payload }];
  }
  const speech = role === 'user' ? 'user_message' : 'assistant_message';
  const told = role === 'user' ? undefined : messageInText(texts.map(({ text }) => text).join(''));
  const entries = told
    ? [readAgentMessage({ payload: told, key }, 'message')]
    : speak(state, key, 'message', { speech, side: 'item', parts: texts });
  const [first = { kind: 'message', type: 'message' }, ...others] = entries;
  return [{ ...first, parts: [...blocks, ...(first.parts ?? [])], settlesCalls }, ...others];
}

/** Matches what Codex puts before and after a picture of the user. */
const PICTURE_TAG = /^\s*<(?:image(?: name=[^<>]*)?|\/image)>\s*$/;

/**
 * Returns what the user typed or sent: since 0.150 Codex logs the kind of each item, and adds some of its own. Before, the
 * tags around a picture are items as others are.
 */
function typedItems(payload: JsonObject, sent: readonly JsonObject[]): readonly JsonObject[] {
  const items = itemsOfUser(payload, sent);
  if (!items.some((raw) => textAt(raw, 'type') === 'input_image')) return items;
  const typed = items.filter((raw) => !PICTURE_TAG.test(textAt(raw, 'text') ?? ''));
  return typed.some((raw) => textAt(raw, 'text') !== undefined) ? typed : items;
}

function itemsOfUser(payload: JsonObject, content: readonly JsonObject[]): readonly JsonObject[] {
  const facts = objectAt(payload, 'internal_chat_message_metadata_passthrough');
  const kinds = listAt(facts, 'content_item_kinds');
  if (kinds.length !== content.length) return content;
  return content.filter((_, at) => {
    const kind = kinds[at];
    return typeof kind !== 'string' || kind === 'unknown' || kind.startsWith('user.');
  });
}

/** Returns a command that the user ran in the shell of the program as it was typed, without its output. */
function asTyped(part: TranscriptText): TranscriptText {
  const text = part.text.trim();
  const from = text.indexOf(USER_COMMAND.start);
  const to = text.indexOf(USER_COMMAND.end, from);
  const isWhole = text.startsWith('<user_shell_command>') && text.endsWith('</user_shell_command>');
  if (!isWhole || from < 0 || to < 0) return part;
  return { ...part, text: `! ${text.slice(from + USER_COMMAND.start.length, to).trim()}` };
}

const USER_COMMAND = { start: '<command>', end: '</command>' } as const;

function readBlock(raw: JsonObject): TranscriptBlock {
  const isImage = textAt(raw, 'image_url')?.startsWith('data:') === true;
  if (isImage) return { type: 'other', name: 'image', kind: 'note', raw };
  return { type: 'other', name: textAt(raw, 'type') ?? '', kind: 'unknown', raw };
}

function readReasoning({ payload, key }: CodexLine, state: TranscriptState): EntryDraft[] {
  const type = 'reasoning';
  const all = [...listAt(payload, 'summary'), ...listAt(payload, 'content')].filter(isJsonObject);
  const thoughts = all.filter((raw) => (textAt(raw, 'text') ?? '').trim() !== '');
  if (thoughts.length === 0) {
    const part = { type: 'thinking', key: `${key}#0`, text: '', raw: payload } as const;
    return [{ kind: 'message', type, parts: [part] }];
  }
  return thoughts.flatMap((raw, index) => {
    const id = `${key}#${index}`;
    const part = { type: 'thinking', key: id, text: textAt(raw, 'text') ?? '', raw } as const;
    return speak(state, key, type, { speech: 'thinking', side: 'item', parts: [part] });
  });
}

function readCall(
  { payload: raw, key }: CodexLine,
  state: TranscriptState,
  input: JsonValue,
  name?: string,
): EntryDraft {
  const id = textAt(raw, 'call_id', 'id') ?? key;
  const tool = name ?? textAt(raw, 'name') ?? 'unknown';
  const workdir = textAt(objectOf(input), 'workdir', 'working_directory');
  const cwd = workdir ?? stringOf(state.notes['cwd']);
  state.seen.set(callKey(id), true);
  return {
    kind: 'message',
    type: textAt(raw, 'type') ?? '',
    ...contextOf(state),
    parts: [{ type: 'tool-call', id, tool, input, cwd, raw }],
  };
}

function sentOutput(payload: JsonObject): JsonObject {
  const { output } = payload;
  return { ...payload, content: isJsonObject(output) ? (output['content'] ?? '') : (output ?? '') };
}

const EXIT = /^(?:Exit code|Process exited with code)[: ][: ]*(-?\d\d*)/m;
const WALL = /^Wall time:? ([\d.][\d.]*) ?s/m;

/** Reads the output of a call, and whether it went well: a text, JSON in a text, or content items. */
function readOutput(
  output: JsonValue | undefined,
): Pick<TranscriptResult, 'durationMs' | 'output' | 'success'> {
  const value = unpacked(output);
  if (isJsonObject(value)) {
    const metadata = objectAt(value, 'metadata');
    const seconds = numberAt(metadata, 'duration_seconds');
    const exit = numberAt(metadata, 'exit_code');
    const success = exit === undefined ? value['success'] !== false : exit === 0;
    const text = textAt(value, 'output', 'content');
    return {
      output: Object.keys(metadata).length > 0 || text === undefined ? value : text,
      success,
      ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    };
  }
  if (typeof value !== 'string') return { output: value, success: true };
  // The head of the output of a command; the rest is the command's own.
  const head = value.slice(0, 400);
  const exit = EXIT.exec(head)?.[1];
  const wall = WALL.exec(head)?.[1];
  const isFailure = /^(?:failed|error)\b|^execution error|verification failed/i.test(head);
  return {
    output: value,
    success: exit === undefined ? !isFailure : Number(exit) === 0,
    ...(wall === undefined ? {} : { durationMs: Math.round(Number(wall) * 1000) }),
  };
}

/** Events that say in pieces what others say whole. */
export const PASSING_EVENTS: ReadonlySet<string> = words(`
  agent_message_content_delta agent_message_delta agent_reasoning_delta
  agent_reasoning_raw_content_delta agent_reasoning_section_break
  collab_agent_interaction_begin collab_agent_spawn_begin collab_close_begin
  collab_resume_begin collab_waiting_begin dynamic_tool_call_request dynamic_tool_call_response
  exec_command_begin exec_command_output_delta image_generation_begin mcp_tool_call_begin
  patch_apply_begin patch_apply_updated plan_delta raw_response_completed raw_response_item
  reasoning_content_delta reasoning_raw_content_delta view_image_tool_call web_search_begin
`);

/** Events that are no part of the talk. They are counted, and not stored. */
export const KNOWN_EVENTS: ReadonlySet<string> = words(`
  agent_reasoning_raw_content apply_patch_approval_request auth_recovery_completed
  auth_recovery_started background_event collab_agent_interaction_end collab_agent_spawn_end
  collab_close_end collab_resume_end collab_waiting_end context_compacted deprecation_notice
  elicitation_abandoned elicitation_request entered_review_mode environment_connected
  environment_disconnected error exec_approval_request exec_command_end exited_review_mode
  guardian_assessment guardian_warning hook_completed hook_started image_generation_end
  item_started mcp_startup_complete mcp_startup_update mcp_tool_call_end model_reroute
  model_verification network_approval_resolved plan_update private_session_event
  realtime_conversation_closed realtime_conversation_list_voices_response
  realtime_conversation_realtime realtime_conversation_sdp realtime_conversation_started
  request_permissions request_user_input safety_buffering session_configured shutdown_complete
  stream_error sub_agent_activity task_complete task_started terminal_interaction
  thread_goal_updated thread_name_updated thread_queue_changed thread_rolled_back
  thread_settings_applied token_count turn_aborted turn_complete turn_diff
  turn_moderation_metadata turn_started undo_completed undo_started warning web_search_end
`);

/** Lines that are not events. */
export const KNOWN_LINES: ReadonlySet<string> = words(`
  agent_response_observation dynamic_tools_updated fork_reference id_allocation
  inter_agent_communication_metadata retained_context rollout_reference security_risk_score
  token_usage_record world_state
`);

/**
 * The text that Codex puts before the user's words in the user's place, and what it says itself there. A tag alone may be a
 * word of the user: those of Codex have an end, or lines of their own.
 */
export const CONTEXT_HEAD: RegExp =
  /^\s*(?:<(INSTRUCTIONS|apps_instructions|codex_internal_context|collaboration_mode|context_window_(?:guidance|reminder)|current_time_reminder|environment_context|extension_context|goal_context|hook_prompt|image_resize_notice|model_instructions|model_switch|multi_agent_(?:mode|role)|permissions|persistent_mode|personality_spec|plugins_instructions|realtime_(?:conversation|delegation)|recommended_plugins|skills_instructions|subagent_notification|turn_aborted|user_instructions|user_shell_command)\b[^<>]*>(?:\s*(?:[\n<]|$)|[^]*<\/\1\b)|<(heartbeat|skill|user_action)>[^]*<\/\2>|# AGENTS\.md instructions|Warning: (?:apply_patch was requested via |The maximum number of unified exec processes |Your account was flagged ))/;
