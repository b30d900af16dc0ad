import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { MemoryError } from '../errors.ts';
import { EVENT_TYPES, type EventType } from '../model/event-data.ts';

/** A folder; the server cannot know what a relative one would be relative to. */
export const folder: z.ZodString = z
  .string()
  .refine((path) => isAbsolute(path), 'must be an absolute path')
  .describe('Absolute path of a workspace');

/** An id, as the store takes them. */
export const id: z.ZodString = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\0'), 'must not hold NUL');

export const types: z.ZodArray<z.ZodEnum<{ [Type in EventType]: Type }>> = z
  .array(z.enum(EVENT_TYPES))
  .describe('Types of events: several times, or with commas');

export const contents: z.ZodDefault<z.ZodEnum<{ omit: 'omit'; read: 'read' }>> = z
  .enum(['omit', 'read'])
  .default('omit')
  .describe('Whether old_content and new_content are sent; the diff always is');

/** How many things an answer has. */
export function limit(preset: number, most: number): z.ZodDefault<z.ZodCoercedNumber> {
  return z.coerce.number().int().min(1).max(most).default(preset).describe('How many at most');
}

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
