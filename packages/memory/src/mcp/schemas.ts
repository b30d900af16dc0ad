import {
  described,
  FLAG,
  type Kind,
  NONEMPTY,
  optional,
  type OptionalKind,
} from '@vizprompt/providers/config/internal';
import { z } from 'zod';
import { ID } from '../model/input-kinds.ts';

export const SESSION_ID: OptionalKind<string> = optional(ID, { en: 'The id of a session' });

export const EVENT_ID: Kind<string> = described(ID, {
  en: 'The id of an event, as search and timeline give it',
});

/** The folder that a tool is about. */
export const FOLDER: OptionalKind<string> = optional(NONEMPTY, {
  en: 'Absolute path of the folder that is worked in. Default: that of this server',
});

/** True if a tool looks beyond the folder. */
export const EVERYWHERE: OptionalKind<boolean> = optional(FLAG, {
  en: 'Search all workspaces',
  default: false,
});

const place = {
  event_id: z.string(),
  session_id: z.string(),
  sequence: z.int().describe('Its place in the session: 1, 2, 3 …'),
  timestamp: z.string(),
  type: z.string(),
};

/** The note of results with stored text. */
const note = z.string().optional().describe('The kind of this text');

export const searchResults: z.ZodObject = z.object({
  note,
  hits: z.array(
    z.object({
      ...place,
      snippet: z.string(),
      score: z.number().describe('Higher is better; comparable within one search'),
    }),
  ),
  left_out: z.int().optional().describe('Hits that had no room: ask for more with max_characters'),
  hint: z.string().optional().describe('A suggestion if nothing was found'),
});

export const recalledEvents: z.ZodObject = z.object({
  note,
  events: z
    .array(
      z.object({
        ...place,
        reasons: z.array(z.string()).describe('Why: text, file, recent'),
        text: z.string().describe('Its part of the text'),
        is_cut: z.boolean().describe('True if get_events has more of it'),
      }),
    )
    .describe('The most useful first'),
  tokens: z.int().describe('Estimated tokens of the text'),
  omitted: z
    .array(z.object({ event_id: z.string(), reason: z.string() }))
    .describe('The most useful of those that were left out'),
  omitted_total: z.int(),
});

const session = {
  session_id: z.string(),
  workspace: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable().describe('null while it runs'),
  event_count: z.int(),
  metadata: z.record(z.string(), z.unknown()),
  damaged: z.string().optional().describe('In a list: which column cannot be read, and why'),
};

export const sessionResult: z.ZodObject = z.object(session);

export const sessionList: z.ZodObject = z.object({
  sessions: z.array(z.object(session)).describe('The newest first'),
  next_before: z.string().optional().describe('The next page: as before'),
});

export const timelineResult: z.ZodObject = z.object({
  note,
  session: z.object(session),
  events: z.array(z.object({ ...place, brief: z.string().describe('Its content in one line') })),
  damaged: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Events that are stored and cannot be read'),
  next_after: z.int().optional().describe('The next page: as after'),
});

export const eventDetails: z.ZodObject = z.object({
  note,
  events: z.array(
    z.object({
      ...place,
      data: z.record(z.string(), z.unknown()).describe('The fields of the type, verbatim'),
      parent_event_id: z.string().optional(),
      meta: z.record(z.string(), z.unknown()).optional(),
      redactions: z.int().optional().describe('Number of removed secrets'),
      cut: z
        .record(z.string(), z.int())
        .optional()
        .describe('Fields that were cut, each with the offset at which it continues'),
    }),
  ),
  not_found: z.array(z.string()).optional().describe('Those that are not there, or damaged'),
  left_out: z.array(z.string()).optional().describe('Those that had no room: ask for them next'),
});

export const historyResult: z.ZodObject = z.object({
  note,
  path: z.string(),
  changes: z
    .array(
      z.object({
        timestamp: z.string(),
        session_id: z.string(),
        action: z.string(),
        reason: z.string().optional(),
        success: z
          .boolean()
          .optional()
          .describe('Absent where it was intended, and not carried out'),
        error: z.string().optional(),
        added: z.int().describe('Lines'),
        removed: z.int().describe('Lines'),
        edit_event_id: z.string().optional(),
        intention_event_id: z.string().optional(),
      }),
    )
    .describe('The newest first'),
  next_before: z.string().optional().describe('The next page: as before'),
});

export const loggedEvent: z.ZodObject = z.object({
  event_id: z.string(),
  session_id: z.string(),
  sequence: z.int(),
  intention_event_id: z.string().optional().describe('The intention that an edit carried out'),
  redactions: z.int().optional().describe('Number of removed secrets'),
});

export const forgottenEvents: z.ZodObject = z.object({
  note,
  forgotten: z.boolean().describe('True if they are forgotten; if not, ask the user first'),
  total: z.int(),
  events: z
    .array(z.object({ ...place, brief: z.string().describe('Its content in one line') }))
    .describe('The first of them; afterwards none'),
  confirm: z.string().optional().describe('The code to pass once the user has agreed'),
});
