import { optional, orNull, TEXT, snakeInput } from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import { limitKind } from '../model/input-kinds.ts';
import { SESSION_CHANGE } from '../session/change-session.ts';
import { SESSION_FILTER } from '../session/list-sessions.ts';
import { NEW_SESSION } from '../session/start-session.ts';
import { sessionAnswer, sessionsAnswer } from './answers.ts';
import { firstBytes } from './answer-bytes.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { FOLDER, MAYBE_FOLDER } from './fields.ts';

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

export const SESSION_ROUTES: readonly ApiRoute[] = [
  listSessions,
  getSession,
  createSession,
  updateSession,
];
