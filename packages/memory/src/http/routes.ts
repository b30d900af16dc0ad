import { isAbsolute } from 'node:path';
import {
  described,
  type Kind,
  optional,
  type OptionalKind,
  orNull,
  TEXT,
  snakeInput,
  OBJECT,
  oneOf,
  wholeFrom,
} from '@vizprompt/providers/config/internal';
import { STATS_FILTER } from '../check/stats.ts';
import { MemoryError } from '../errors.ts';
import {
  FILE_HISTORY_OPTIONS,
  FILE_LIST_OPTIONS,
  FILE_MOMENT,
  type FileChange,
} from '../files/file-options.ts';
import { EVENT_FILTER } from '../log/list-events.ts';
import { EVENT_TYPES } from '../model/event-data.ts';
import { limitKind, ID, QUERY } from '../model/input-kinds.ts';
import { EVENT_FACTS, type NewEvent, type MemoryEvent } from '../model/memory-event.ts';
import { SEARCH_OPTIONS } from '../search/search-events.ts';
import { SESSION_CHANGE } from '../session/change-session.ts';
import { SESSION_FILTER } from '../session/list-sessions.ts';
import { NEW_SESSION } from '../session/start-session.ts';
import {
  sessionAnswer,
  sessionsAnswer,
  firstBytes,
  eventAnswer,
  eventsAnswer,
  PAGE_BYTES,
  searchAnswer,
  statsAnswer,
  fileAnswer,
  filesAnswer,
  historyAnswer,
  jsonBytes,
} from './answers.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';

/** A folder; the server cannot know what a relative one would be relative to. */
const ABSOLUTE: Kind<string> = {
  expected: 'an absolute path',
  accepts: (value) => typeof value === 'string' && isAbsolute(value),
  json: { type: 'string' },
};

const FOLDER: Kind<string> = described(ABSOLUTE, { en: 'Absolute path of a workspace' });
const MAYBE_FOLDER: OptionalKind<string> = optional(FOLDER);

/** Base folder of a relative file path. */
const PLACED: OptionalKind<string> = optional(FOLDER, { en: 'For a relative path' });

/** File texts in the answer, omitted by default because a page of them is large. */
const CONTENTS: typeof EVENT_FILTER.contents = { ...EVENT_FILTER.contents, default: 'omit' };
const TEXTS: OptionalKind<'omit' | 'read'> = optional(oneOf('read', 'omit'), {
  en: 'Send old_content and new_content; the diff is always sent',
  default: 'omit',
});

/**
 * Refuses a relative path of a file where nothing says what it is relative to.
 *
 * @throws MemoryError `invalid-input`.
 */
function assertPlaced(path: string | undefined, workspace: string | undefined): void {
  if (path === undefined || workspace !== undefined || isAbsolute(path)) return;
  throw new MemoryError(
    'invalid-input',
    `'${path}' is a relative path: give the workspace too, or an absolute path`,
  );
}

const { ifExists: _ifExists, ...WITHOUT_CHOICE } = NEW_SESSION;
const ENDED_AT = optional(orNull(TEXT), {
  en: '"now" ends it, if it has not ended; null opens it again',
});

/** The list, which is also a stream. */
export const listSessions: ApiRoute = defineRoute({
  method: 'get',
  path: '/api/sessions',
  name: 'listSessions',
  summary: 'Sessions, the newest first; as text/event-stream again whenever they changed',
  query: snakeInput({ ...SESSION_FILTER, workspace: MAYBE_FOLDER, limit: limitKind(100, 500) }),
  answer: sessionsAnswer,
  problems: [404],
  live: {
    description:
      'Server-sent events. A message is the whole answer: as it is, then when it changed.',
    resumes: false,
  },
  async run({ store, query }) {
    const { limit: size = 100 } = query;
    const found = await store.listSessions({ ...query, limit: size + 1 });
    const sessions = firstBytes(found.slice(0, size));
    const last = sessions.at(-1);
    return {
      answer: found.length > sessions.length && last ? { sessions, next: last.id } : { sessions },
    };
  },
});

const getSession = defineRoute({
  method: 'get',
  path: '/api/sessions/:id',
  name: 'getSession',
  summary: 'One session',
  answer: sessionAnswer,
  problems: [404],
  async run({ store, name }) {
    return { answer: await store.getSession(name) };
  },
});

const createSession = defineRoute({
  method: 'post',
  path: '/api/sessions',
  name: 'createSession',
  summary: 'Starts a session',
  body: snakeInput(
    { ...WITHOUT_CHOICE, workspace: FOLDER },
    { workspace: 'workspace_path', startedAt: 'started_at' },
  ),
  answer: sessionAnswer,
  problems: [409, 413, 415],
  async run({ store, body }) {
    const session = await store.startSession(body);
    return { answer: session, location: `/api/sessions/${encodeURIComponent(session.id)}` };
  },
});

const updateSession = defineRoute({
  method: 'patch',
  path: '/api/sessions/:id',
  name: 'updateSession',
  summary: 'Ends a session, opens it again, or changes what is known of it',
  body: snakeInput(
    { ...SESSION_CHANGE, workspace: MAYBE_FOLDER, endedAt: ENDED_AT },
    { workspace: 'workspace_path', endedAt: 'ended_at' },
  ),
  answer: sessionAnswer,
  problems: [404, 413, 415],
  async run({ store, name, body }) {
    if (Object.keys(body).length === 0) {
      throw new MemoryError('invalid-input', 'there is nothing to change');
    }
    const { endedAt, ...others } = body;
    const change = endedAt === 'now' || endedAt === undefined ? others : { ...others, endedAt };
    const changes = Object.keys(change).length > 0;
    const session = changes ? await store.updateSession(name, change) : undefined;
    if (session && endedAt !== 'now') return { answer: session };
    return { answer: await store.endSession(name) };
  },
});

const SESSION_ROUTES: readonly ApiRoute[] = [
  listSessions,
  getSession,
  createSession,
  updateSession,
];

/** Path of the list and the stream of the events of a session. */
export const EVENTS_PATH = '/api/sessions/:id/events';

/** Maximum page size with file texts: each event may have two of up to 32 MiB. */
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
    const most = contents !== 'omit' ? Math.min(limit, MOST_WITH_CONTENTS) : limit;
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

const EVENT_ROUTES: readonly ApiRoute[] = [listEvents, getEvent, createEvent];

const search = defineRoute({
  method: 'get',
  path: '/api/search',
  name: 'search',
  summary: 'Finds events by words, the best first',
  query: snakeInput(
    {
      query: QUERY,
      ...SEARCH_OPTIONS,
      workspace: MAYBE_FOLDER,
      limit: limitKind(10, 100),
      k: optional(wholeFrom(1, 100), { en: 'The former name of limit' }),
    },
    { query: 'q' },
  ),
  answer: searchAnswer,
  problems: [404],
  async run({ store, query: { query, ...options }, signal }) {
    assertPlaced(options.path, options.workspace);
    return { answer: { hits: await store.search(query, { ...options, signal }) } };
  },
});

const stats = defineRoute({
  method: 'get',
  path: '/api/stats',
  name: 'stats',
  summary: 'Counts of the memory, by type and workspace',
  query: snakeInput({ ...STATS_FILTER, workspace: MAYBE_FOLDER }),
  answer: statsAnswer,
  problems: [404],
  async run({ store, query }) {
    return { answer: await store.stats(query) };
  },
});

const FINDING_ROUTES: readonly ApiRoute[] = [search, stats];

const listFiles = defineRoute({
  method: 'get',
  path: '/api/files',
  name: 'listFiles',
  summary: 'Files that have edits or intentions, in the order of their paths',
  query: snakeInput({
    ...FILE_LIST_OPTIONS,
    workspace: MAYBE_FOLDER,
    limit: limitKind(500, 2000),
  }),
  answer: filesAnswer,
  async run({ store, query: { limit: size = 500, ...options } }) {
    const found = await store.files({ ...options, limit: size + 1 });
    const files = firstBytes(found.slice(0, size));
    const next = found.length > files.length ? files.at(-1)?.file_path : undefined;
    return { answer: { files, ...(next === undefined ? {} : { next }) } };
  },
});

const fileHistory = defineRoute({
  method: 'get',
  path: '/api/files/:path{.+}/history',
  name: 'fileHistory',
  summary: 'How a file was changed and why, the newest change first',
  query: snakeInput({
    ...FILE_HISTORY_OPTIONS,
    workspace: PLACED,
    limit: limitKind(50, 200),
    contents: TEXTS,
  }),
  answer: historyAnswer,
  problems: [404],
  async run({ store, name, query: { contents: wanted, limit: size = 50, ...options } }) {
    assertPlaced(name, options.workspace);
    const step = wanted === 'read' ? 1 : 10;
    const shown: object[] = [];
    let [bytes, next]: [number, string | undefined] = [0, options.before];
    // Each change may have two texts of a file, so that few are read at a time.
    while (shown.length < size && bytes < PAGE_BYTES) {
      const before = next === undefined ? {} : { before: next };
      const most = Math.min(step, size - shown.length);
      // oxlint-disable-next-line no-await-in-loop -- each begins where the one before ended
      const found = await store.fileHistory(name, { ...options, ...before, limit: most + 1 });
      const changes = found.slice(0, most);
      const parts = wanted === 'read' ? changes : changes.map(withoutContents);
      shown.push(...parts);
      bytes += jsonBytes(parts);
      next = found.length > most ? oldestOf(changes) : undefined;
      if (next === undefined) break;
    }
    return { answer: { changes: shown, ...(next === undefined ? {} : { next }) } };
  },
});

const fileAt = defineRoute({
  method: 'get',
  path: '/api/files/:path{.+}/at',
  name: 'fileAt',
  summary: 'A file as it was at a time, or after an event; without both as it is recorded last',
  query: snakeInput({ ...FILE_MOMENT, workspace: PLACED }),
  answer: fileAnswer,
  problems: [404, 409],
  async run({ store, name, query }) {
    assertPlaced(name, query.workspace);
    const { path, isRedacted, ...text } = await store.fileAt(name, query);
    return { answer: { file_path: path, ...text, is_redacted: isRedacted } };
  },
});

function oldestOf(changes: readonly FileChange[]): string | undefined {
  const last = changes.at(-1);
  return last?.edit?.id ?? last?.intention?.id;
}

function withoutContents({ intention, edit, ...change }: FileChange): object {
  return {
    ...change,
    ...(intention ? { intention: bare(intention) } : {}),
    ...(edit ? { edit: bare(edit) } : {}),
  };
}

function bare(event: MemoryEvent): object {
  const {
    old_content: _old,
    new_content: _new,
    ...data
  } = { old_content: 0, new_content: 0, ...event.data };
  return { ...event, data };
}

const FILE_ROUTES: readonly ApiRoute[] = [listFiles, fileHistory, fileAt];

/** All routes of the API. */
export const ROUTES: readonly ApiRoute[] = [
  ...SESSION_ROUTES,
  ...EVENT_ROUTES,
  ...FINDING_ROUTES,
  ...FILE_ROUTES,
];
