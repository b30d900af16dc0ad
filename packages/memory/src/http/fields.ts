import { isAbsolute } from 'node:path';
import {
  described,
  type Kind,
  optional,
  type OptionalKind,
} from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import { EVENT_FILTER } from '../log/list-events.ts';

/** A folder; the server cannot know what a relative one would be relative to. */
const ABSOLUTE: Kind<string> = {
  expected: 'an absolute path',
  accepts: (value) => typeof value === 'string' && isAbsolute(value),
  json: { type: 'string' },
};

export const FOLDER: Kind<string> = described(ABSOLUTE, { en: 'Absolute path of a workspace' });
export const MAYBE_FOLDER: OptionalKind<string> = optional(FOLDER);

/** Where a relative path of a file begins. */
export const PLACED: OptionalKind<string> = optional(FOLDER, { en: 'For a relative path' });

/** What texts of files are sent; a page of them is large. */
export const CONTENTS: OptionalKind<'read' | 'omit'> = {
  ...EVENT_FILTER.contents,
  default: 'omit',
};

/**
 * Refuses a relative path of a file where nothing says what it is relative to.
 *
 * @throws MemoryError `invalid-input`.
 */
export function assertPlaced(path: string | undefined, workspace: string | undefined): void {
  if (path === undefined || workspace !== undefined || isAbsolute(path)) return;
  throw new MemoryError(
    'invalid-input',
    `'${path}' is a relative path: give the workspace too, or an absolute path`,
  );
}
