import { z } from 'zod';
import type { EventFacts, NewEvent } from '../model/memory-event.ts';
import { EVENT_TYPES } from '../model/event-data.ts';
import { eventAnswer, eventsAnswer } from './answers.ts';
import { PAGE_BYTES } from './answer-bytes.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { contents, id, limit, types } from './fields.ts';

/** Where the events of a session are listed, and followed. */
export const EVENTS_PATH = '/api/sessions/:id/events';

/** Each may bring two texts of files of up to 32 MiB. */
const MOST_WITH_CONTENTS = 50;

const listEvents = defineRoute({
  method: 'get',
  path: EVENTS_PATH,
  name: 'listEvents',
  summary: 'Events of a session in their order; as text/event-stream its live timeline',
  query: z.strictObject({
    type: types.exactOptional(),
    path: z
      .string()
      .min(1)
      .exactOptional()
      .describe('Intentions and edits of this file: absolute, or relative to the workspace'),
    after: z.coerce.number().int().min(0).default(0).describe('Those behind this sequence'),
    limit: limit(100, 500),
    contents,
  }),
  answer: eventsAnswer,
  problems: [404],
  live: {
    description:
      'Server-sent events. A message is an event, its id the sequence; "session" is the session when it changed; "deleted" is the last.',
    resumes: true,
  },
  async run({ store, name, query, signal }) {
    const { limit: size, contents: wanted, ...filter } = query;
    const most = wanted === 'read' ? Math.min(size, MOST_WITH_CONTENTS) : size;
    const reading = { contents: wanted, limit: most, maxBytes: PAGE_BYTES, signal } as const;
    const list = store.events(name, { ...filter, ...reading });
    return { answer: await list.page() };
  },
});

const getEvent = defineRoute({
  method: 'get',
  path: '/api/events/:id',
  name: 'getEvent',
  summary: 'One event with all its texts',
  answer: eventAnswer,
  problems: [404],
  async run({ store, name }) {
    return { answer: await store.getEvent(name) };
  },
});

const createEvent = defineRoute({
  method: 'post',
  path: '/api/events',
  name: 'createEvent',
  summary: 'Logs an event; answers with it as it is stored: redacted, numbered, with its diff',
  body: z.strictObject({
    session_id: id,
    type: z.enum(EVENT_TYPES),
    data: z.record(z.string(), z.json()).describe('The fields of the type'),
    id: id.exactOptional().describe('Default: a new UUID of version 7'),
    timestamp: z.iso.datetime({ offset: true }).exactOptional().describe('Default: now'),
    parent_event_id: id.exactOptional().describe('The event that caused it'),
    meta: z.record(z.string(), z.json()).exactOptional(),
  }),
  answer: eventAnswer,
  problems: [404, 409, 413, 415],
  async run({ store, body }) {
    const { session_id: session, type, data, parent_event_id: parent, ...rest } = body;
    const facts: EventFacts = { ...rest, ...(parent === undefined ? {} : { parent }) };
    // The store checks the data by hand, and says which field is wrong.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is checked next
    const event = await store.log(session, type, data as unknown as NewEvent['data'], facts);
    return { answer: event, location: `/api/events/${encodeURIComponent(event.id)}` };
  },
});

export const EVENT_ROUTES: readonly ApiRoute[] = [listEvents, getEvent, createEvent];
