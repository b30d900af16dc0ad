import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolIo } from '../frame/tool-io.ts';

/** Where the coding agents that are installed keep their transcripts. */
export function transcriptFolders({ env, home }: Pick<ToolIo, 'env' | 'home'>): readonly string[] {
  return [
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'archived_sessions'),
    join(env['GEMINI_CLI_HOME'] ?? home, '.gemini', 'tmp'),
    join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'session-state'),
  ].filter((folder) => existsSync(folder));
}
