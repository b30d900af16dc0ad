import { z } from 'zod';
import { EVENT_TYPES } from '../model/event-data.ts';

/** A session as it is sent. */
export const sessionAnswer: z.ZodObject = named('Session', {
  id: z.string(),
  workspace_path: z.string(),
  started_at: z.string().describe('ISO 8601, in UTC'),
  ended_at: z.string().nullable().describe('null while it runs'),
  metadata: z.record(z.string(), z.unknown()),
  event_count: z.int().describe('Also the sequence of its newest event'),
  updated_at: z.string(),
  damaged: z.string().optional().describe('In a list: which column cannot be read, and why'),
});

export const sessionsAnswer: z.ZodObject = z.object({
  sessions: z.array(sessionAnswer).describe('The newest first'),
  next: z.string().optional().describe('The next page: as before. Absent on the last one'),
});

/** An event as it is sent. */
export const eventAnswer: z.ZodObject = named('Event', {
  id: z.string(),
  session_id: z.string(),
  sequence: z.int().describe('1, 2, 3 … without gaps'),
  timestamp: z.string().describe('ISO 8601, in UTC'),
  type: z.enum([...EVENT_TYPES, 'forgotten']),
  data: z
    .record(z.string(), z.unknown())
    .describe('The fields of the type; none of a forgotten one'),
  parent_event_id: z.string().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  redactions: z.int().optional().describe('Number of removed secrets'),
});

export const eventsAnswer: z.ZodObject = z.object({
  events: z.array(eventAnswer).describe('In the order of their sequence'),
  damaged: z
    .array(
      z.object({
        id: z.string(),
        session_id: z.string(),
        sequence: z.int().describe('0 if the sequence itself is damaged'),
        table: z.string(),
        field: z.string(),
        problem: z.string(),
      }),
    )
    .optional()
    .describe('Events that are stored and cannot be read'),
  next: z.int().optional().describe('The next page: as after. Absent on the last one'),
});

export const searchAnswer: z.ZodObject = z.object({
  hits: z
    .array(
      z.object({
        event: eventAnswer,
        score: z.number().describe('Higher is better; comparable within one answer'),
        snippet: z.object({
          text: z.string(),
          start: z.int(),
          highlights: z
            .array(z.array(z.int()))
            .describe('[start, end] of what was found, in UTF-16 units of the text'),
        }),
      }),
    )
    .describe('The best first'),
});

export const filesAnswer: z.ZodObject = z.object({
  files: z
    .array(
      z.object({
        file_path: z.string().describe('Absolute'),
        edits: z.int().describe('0: there are intentions only'),
        updated_at: z.string(),
      }),
    )
    .describe('In the order of their paths'),
  next: z.string().optional().describe('The next page: as after. Absent on the last one'),
});

export const historyAnswer: z.ZodObject = z.object({
  changes: z
    .array(
      z.object({
        timestamp: z.string(),
        session_id: z.string(),
        intention: eventAnswer.optional().describe('Why'),
        edit: eventAnswer.optional().describe('Absent where it was never carried out'),
      }),
    )
    .describe('The newest first'),
  next: z.string().optional().describe('The next page: as before. Absent on the last one'),
});

export const fileAnswer: z.ZodObject = z.object({
  file_path: z.string(),
  content: z.string().nullable().describe('null if the file did not exist'),
  event_id: z.string().describe('The edit that made it so'),
  timestamp: z.string(),
  is_redacted: z.boolean().describe('True if secrets were removed, so that the file had more'),
});

export const statsAnswer: z.ZodObject = z.object({
  sessions: z.int(),
  active_sessions: z.int(),
  events: z.int(),
  events_by_type: z.record(z.string(), z.int()),
  files: z.int(),
  redactions: z.int(),
  event_bytes: z.int(),
  first_event_at: z.string().nullable(),
  last_event_at: z.string().nullable(),
  workspaces: z.array(
    z.object({
      workspace_path: z.string(),
      sessions: z.int(),
      events: z.int(),
      updated_at: z.string(),
    }),
  ),
});

/** How errors are sent: RFC 9457. */
export const problemAnswer: z.ZodObject = named('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('The problem, and the fix'),
  code: z.string().describe('Stable, for programs'),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** Returns an object that other schemas refer to by its name. */
function named(id: string, shape: z.ZodRawShape): z.ZodObject {
  return z.object(shape).meta({ id });
}

/** A page ends before it has more bytes of JSON than this, but for its first entry. */
export const PAGE_BYTES: number = 1 << 20;

/** Returns the bytes of values as JSON. */
export function jsonBytes(values: object): number {
  return Buffer.byteLength(JSON.stringify(values));
}

/** Returns the first entries that fit into a page, and at least one. */
export function firstBytes<Entry extends object>(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, at) => {
    bytes += jsonBytes(entry);
    return at > 0 && bytes > PAGE_BYTES;
  });
  return end < 0 ? entries : entries.slice(0, end);
}
