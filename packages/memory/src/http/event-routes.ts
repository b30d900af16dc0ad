import { described, OBJECT, oneOf, snakeInput } from '@vizprompt/providers/config/internal';
import { EVENT_FILTER } from '../log/list-events.ts';
import { ID, limitKind } from '../model/input-kinds.ts';
import { EVENT_FACTS, type NewEvent } from '../model/memory-event.ts';
import { EVENT_TYPES } from '../model/event-data.ts';
import { eventAnswer, eventsAnswer } from './answers.ts';
import { PAGE_BYTES } from './answer-bytes.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { CONTENTS } from './fields.ts';

/** Where the events of a session are listed, and followed. */
export const EVENTS_PATH = '/api/sessions/:id/events';

/** Each may bring two texts of files of up to 32 MiB. */
const MOST_WITH_CONTENTS = 50;

const listEvents = defineRoute({
  method: 'get',
  path: EVENTS_PATH,
  name: 'listEvents',
  summary: 'Events of a session in their order; as text/event-stream its live timeline',
  query: snakeInput({ ...EVENT_FILTER, limit: limitKind(100, 500), contents: CONTENTS }),
  answer: eventsAnswer,
  problems: [404],
  live: {
    description:
      'Server-sent events. A message is an event, its id the sequence; "session" is the session when it changed; "deleted" is the last.',
    resumes: true,
  },
  async run({ store, name, query, signal }) {
    const { limit = 100, contents } = query;
    const most = contents === 'read' ? Math.min(limit, MOST_WITH_CONTENTS) : limit;
    const list = store.events(name, { ...query, limit: most, maxBytes: PAGE_BYTES, signal });
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
  body: snakeInput(
    {
      session: ID,
      type: oneOf(...EVENT_TYPES),
      data: described(OBJECT, { en: 'The fields of the type' }),
      ...EVENT_FACTS,
    },
    { session: 'session_id', parent: 'parent_event_id' },
  ),
  answer: eventAnswer,
  problems: [404, 409, 413, 415],
  async run({ store, body }) {
    const { session, type, data, ...facts } = body;
    // The store checks the data by hand, and says which field is wrong.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is checked next
    const event = await store.log(session, type, data as NewEvent['data'], facts);
    return { answer: event, location: `/api/events/${encodeURIComponent(event.id)}` };
  },
});

export const EVENT_ROUTES: readonly ApiRoute[] = [listEvents, getEvent, createEvent];
