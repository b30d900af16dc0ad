import type { FileArea } from '@vizprompt/rag';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import type { DialogoiMessages } from './messages/dialogoi-messages.ts';

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
