import { z } from 'zod';
import { sessionMetadataSchema } from '../schemas/index.ts';
import { sessionAnswer, sessionsAnswer } from './answers.ts';
import { firstBytes } from './answer-bytes.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { folder, id, limit } from './fields.ts';

const time = z.iso.datetime({ offset: true });

/** The list, which is also a stream. */
export const listSessions: ApiRoute = defineRoute({
  method: 'get',
  path: '/api/sessions',
  name: 'listSessions',
  summary: 'Sessions, the newest first; as text/event-stream again whenever they changed',
  query: z.strictObject({
    workspace: folder.exactOptional(),
    tag: z.string().min(1).exactOptional().describe('Those with this tag in their metadata'),
    state: z.enum(['active', 'ended']).exactOptional(),
    before: id.exactOptional().describe('Those that started before this session'),
    limit: limit(100, 500),
  }),
  answer: sessionsAnswer,
  problems: [404],
  live: {
    description:
      'Server-sent events. A message is the whole answer: as it is, then when it changed.',
    resumes: false,
  },
  async run({ store, query }) {
    const { limit: size } = query;
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
  body: z.strictObject({
    id: id.exactOptional().describe('Default: a new UUID of version 7'),
    workspace_path: folder,
    started_at: time.exactOptional().describe('Default: now'),
    metadata: sessionMetadataSchema.exactOptional(),
  }),
  answer: sessionAnswer,
  problems: [409, 413, 415],
  async run({ store, body }) {
    const { id: given, workspace_path: workspace, started_at: startedAt, metadata } = body;
    const session = await store.startSession({
      workspace,
      ...(given === undefined ? {} : { id: given }),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(metadata === undefined ? {} : { metadata }),
    });
    return { answer: session, location: `/api/sessions/${encodeURIComponent(session.id)}` };
  },
});

const updateSession = defineRoute({
  method: 'patch',
  path: '/api/sessions/:id',
  name: 'updateSession',
  summary: 'Ends a session, opens it again, or changes what is known of it',
  body: z
    .strictObject({
      workspace_path: folder.exactOptional(),
      ended_at: z
        .union([time, z.literal('now'), z.null()])
        .exactOptional()
        .describe('"now" ends it, if it has not ended; null opens it again'),
      metadata: z
        .record(z.string(), z.json())
        .exactOptional()
        .describe('Keys that are set replace those of the same name; null takes one away'),
    })
    .refine((change) => Object.keys(change).length > 0, 'there is nothing to change'),
  answer: sessionAnswer,
  problems: [404, 413, 415],
  async run({ store, name, body }) {
    const { workspace_path: workspace, ended_at: endedAt, metadata } = body;
    const change = {
      ...(workspace === undefined ? {} : { workspace }),
      ...(endedAt === undefined || endedAt === 'now' ? {} : { endedAt }),
      ...(metadata === undefined ? {} : { metadata }),
    };
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
