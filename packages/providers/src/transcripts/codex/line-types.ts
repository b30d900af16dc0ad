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
  exec_command_end exited_review_mode image_generation_end item_started mcp_tool_call_end plan_update
  session_configured stream_error sub_agent_activity task_complete task_started
  thread_goal_updated thread_name_updated
  thread_settings_applied
  thread_rolled_back token_count turn_aborted turn_diff warning web_search_end
`);

/** Lines that are not events. */
export const KNOWN_LINES: ReadonlySet<string> = words(`
  id_allocation inter_agent_communication_metadata security_risk_score token_usage_record
  world_state
`);

/** The text that Codex puts before the user's words in the user's place, and what it says itself there. */
export const CONTEXT_HEAD: RegExp =
  /^\s*(?:<(?:INSTRUCTIONS|apps_instructions|codex_internal_context|collaboration_mode|context_window_(?:guidance|reminder)|current_time_reminder|environment_context|extension_context|goal_context|hook_prompt|image_resize_notice|model_instructions|model_switch|multi_agent_(?:mode|role)|permissions|persistent_mode|personality_spec|plugins_instructions|realtime_(?:conversation|delegation)|recommended_plugins|skills_instructions|subagent_notification|turn_aborted|user_instructions|user_shell_command)\b|<(heartbeat|skill|user_action)>[^]*<\/\1>|# AGENTS\.md instructions|Warning: (?:apply_patch was requested via |The maximum number of unified exec processes |Your account was flagged ))/;
