import { relative, sep } from 'node:path';
import type { FileArea } from '@vizprompt/rag';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import type { DialogoiMessages } from './messages/en.ts';
import type { OpenedNovels } from './open-novels.ts';

/** An area, the instructions, or a file of one of them. */
export type PlaceInProject =
  | { readonly place: FileArea; readonly file?: string }
  | { readonly place: 'instructions'; readonly file?: undefined };

/**
 * Takes apart what a user calls a place: `settings`, `contents/01.md`, `DIALOGOI.md`.
 *
 * @throws CliError `usage` for anything else.
 */
export function placeOf(cli: Cli<DialogoiMessages>, path: string): PlaceInProject {
  const [first = ''] = path.split('/');
  if (path === 'DIALOGOI.md' || path === 'instructions') return { place: 'instructions' };
  if (first !== 'settings' && first !== 'contents') {
    throw new CliError('usage', cli.text.notAPlace(path), { context: { path } });
  }
  return path === first || path === `${first}/` ? { place: first } : { place: first, file: path };
}

/**
 * Returns the project that is meant: the one that is named, the one that the current folder is in, or the only one.
 *
 * @throws CliError `not-found` if there is none, `usage` if there are several.
 */
export async function whichProject(
  cli: Cli<DialogoiMessages>,
  { novels, projectRoot }: OpenedNovels,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  const ids = (await novels.listProjects()).map(({ id }) => id);
  const [folder = ''] = relative(projectRoot, cli.cwd).split(sep);
  const here = ids.find((id) => id === folder.normalize('NFC'));
  const [first] = ids;
  if (here !== undefined) return here;
  if (first === undefined) throw new CliError('not-found', cli.text.noProjects(projectRoot));
  if (ids.length === 1) return first;
  throw new CliError('usage', cli.text.severalProjects(ids), { context: { projects: ids } });
}
