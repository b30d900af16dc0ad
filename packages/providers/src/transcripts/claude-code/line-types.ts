import { words } from '../model/read-fields.ts';

/** Lines that are no events. They are kept with the event that follows. */
export const KNOWN_LINES: ReadonlySet<string> = words(`
  agent-name agent-setting ai-title attachment bridge-session custom-title file-history-snapshot
  last-prompt permission-mode pr-link queue-operation summary system worktree-state
`);

/** Kinds of `progress` that say in between what the result says in the end. */
export const PASSING_PROGRESS: ReadonlySet<string> = words(`
  bash_progress hook_progress mcp_progress query_update search_results_received waiting_for_task
`);
