import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the coding agents that are installed keep their transcripts. */
export function transcriptFolders(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const home = homedir();
  return [
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
    join(home, '.gemini', 'tmp'),
    join(home, '.copilot', 'session-state'),
  ].filter((folder) => existsSync(folder));
}
