import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { objectAt, objectOf, parseJson } from '@vizprompt/providers/internal';
import type { SessionDraft } from '../draft.ts';

/** Facts about a session from the path of its transcript, for lines that do not contain them. */
export interface SessionPlace {
  readonly workspace?: string | undefined;
  /** The session whose subagent speaks. */
  readonly parent?: string | undefined;
}

/**
 * Reads the files next to a transcript. Gemini CLI stores chats in a folder for each project, with a file that contains
 * the path of the project. Older versions name the folder in a list. Chats of subagents are in a folder of the parent.
 */
export async function sessionPlace(path: string): Promise<SessionPlace> {
  let folder = dirname(path);
  const parent = basename(dirname(folder)) === 'chats' ? basename(folder) : undefined;
  for (let up = 0; up < 3 && basename(folder) !== 'chats'; up++) folder = dirname(folder);
  if (basename(folder) !== 'chats') return {};
  const project = dirname(folder);
  const root = (await textAt(join(project, '.project_root')))?.trim();
  if (root !== undefined && root !== '') return { workspace: root, parent };
  const home = dirname(dirname(project));
  const projects = objectAt(await objectIn(join(home, 'projects.json')), 'projects');
  // Older versions name the folder by the hash of the path; lists of paths are younger than that.
  const trusted = await objectIn(join(home, 'trustedFolders.json'));
  const name = basename(project);
  const workspace = [...Object.keys(projects), ...Object.keys(trusted)].find(
    (one) => projects[one] === name || createHash('sha256').update(one).digest('hex') === name,
  );
  return { workspace, parent };
}

async function objectIn(path: string): Promise<JsonObject> {
  return objectOf(parseJson((await textAt(path)) ?? ''));
}

async function textAt(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** Adds what the place says to a session that does not say it. */
export function placeSession(session: SessionDraft, { workspace, parent }: SessionPlace): void {
  if (workspace !== undefined) session.workspacePath ??= workspace;
  if (parent !== undefined && parent !== session.sourceId) {
    session.metadata['parent_session'] ??= parent;
  }
}
