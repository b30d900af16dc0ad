import { words } from '../model/read-fields.ts';

/** Events that say in pieces what others say whole. */
export const PASSING_EVENTS: ReadonlySet<string> = words(`
  agent_message_content_delta agent_message_delta agent_reasoning_delta
  agent_reasoning_raw_content_delta agent_reasoning_section_break exec_command_begin
  exec_command_output_delta mcp_tool_call_begin patch_apply_begin reasoning_content_delta
  web_search_begin
`);

/** Events that are kept as they are. */
export const KNOWN_EVENTS: ReadonlySet<string> = words(`
  agent_reasoning_raw_content background_event context_compacted entered_review_mode error
  exec_command_end exited_review_mode item_started mcp_tool_call_end plan_update
  session_configured stream_error task_complete task_started thread_name_updated
  thread_settings_applied
  thread_rolled_back token_count turn_aborted turn_diff warning web_search_end
`);

/** Lines that are not events. */
export const KNOWN_LINES: ReadonlySet<string> = words(`
  inter_agent_communication_metadata token_usage_record world_state
`);

/** The text that Codex puts before the user's words in the user's place. */
export const CONTEXT_HEAD: RegExp =
  /^\s*(?:<(?:environment_context|user_instructions|INSTRUCTIONS|permissions|skill|turn_aborted|user_shell_command|collaboration_mode)\b|# AGENTS\.md instructions)/;
