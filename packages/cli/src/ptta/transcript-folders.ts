import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolIo } from '../frame/tool-io.ts';

/** Returns where the coding agents that are installed store their transcripts: folders, and databases. */
export function transcriptFolders({ env, home }: Pick<ToolIo, 'env' | 'home'>): readonly string[] {
  const data = join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'opencode');
  return [
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'archived_sessions'),
    join(env['GEMINI_CLI_HOME'] ?? home, '.gemini', 'tmp'),
    join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'session-state'),
    ...databasesIn(data),
  ].filter((path) => existsSync(path));
}

/** Returns the databases of opencode, one for each of its release channels, or the folder of older versions. */
function databasesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^opencode(?:-[\w.-]+)?\.db$/i.test(name));
  // Versions before 1.2 have files, which newer ones move into the database.
  if (names.length === 0) return [join(folder, 'storage', 'session')];
  return names.toSorted().map((name) => join(folder, name));
}
