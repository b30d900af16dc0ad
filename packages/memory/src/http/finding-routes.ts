import { z } from 'zod';
import type { FileChange } from '../files/file-options.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { filesAnswer, historyAnswer, searchAnswer, statsAnswer } from './answers.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { assertPlaced, contents, folder, id, limit, types } from './fields.ts';

const search = defineRoute({
  method: 'get',
  path: '/api/search',
  name: 'search',
  summary: 'Finds events by words, the best first',
  query: z.strictObject({
    q: z.string().min(1).max(10_000).describe('Words; between double quotes as they stand'),
    workspace: folder.exactOptional(),
    session: id.exactOptional(),
    type: types.exactOptional(),
    path: z.string().min(1).exactOptional().describe('Absolute, or relative to workspace'),
    after: z.string().exactOptional().describe('Later than this: ISO 8601'),
    before: z.string().exactOptional().describe('Earlier than this: ISO 8601'),
    k: limit(10, 100),
  }),
  answer: searchAnswer,
  problems: [404],
  async run({ store, query: { q, ...options }, signal }) {
    assertPlaced(options.path, options.workspace);
    return { answer: { hits: await store.search(q, { ...options, signal }) } };
  },
});

const listFiles = defineRoute({
  method: 'get',
  path: '/api/files',
  name: 'listFiles',
  summary: 'Files that have edits or intentions, in the order of their paths',
  query: z.strictObject({
    workspace: folder.exactOptional(),
    after: z.string().min(1).exactOptional().describe('Those behind this path'),
    limit: limit(500, 2000),
  }),
  answer: filesAnswer,
  async run({ store, query: { limit: size, ...options } }) {
    const found = await store.files({ ...options, limit: size + 1 });
    const files = found.slice(0, size);
    const next = found.length > size ? files.at(-1)?.file_path : undefined;
    return { answer: { files, ...(next === undefined ? {} : { next }) } };
  },
});

const fileHistory = defineRoute({
  method: 'get',
  path: '/api/files/:path{.+}/history',
  name: 'fileHistory',
  summary: 'How a file was changed and why, the newest change first',
  query: z.strictObject({
    workspace: folder.exactOptional().describe('For a relative path'),
    before: id.exactOptional().describe('Changes older than this event'),
    limit: limit(50, 200),
    contents,
  }),
  answer: historyAnswer,
  problems: [404],
  async run({ store, name, query: { contents: wanted, limit: size, ...options } }) {
    assertPlaced(name, options.workspace);
    const found = await store.fileHistory(name, { ...options, limit: size + 1 });
    const changes = found.slice(0, size);
    const next = found.length > size ? oldestOf(changes) : undefined;
    const shown = wanted === 'read' ? changes : changes.map(withoutContents);
    return { answer: { changes: shown, ...(next === undefined ? {} : { next }) } };
  },
});

const stats = defineRoute({
  method: 'get',
  path: '/api/stats',
  name: 'stats',
  summary: 'What the memory holds, by type and workspace',
  query: z.strictObject({ workspace: folder.exactOptional(), session: id.exactOptional() }),
  answer: statsAnswer,
  problems: [404],
  async run({ store, query }) {
    return { answer: await store.stats(query) };
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

export const FINDING_ROUTES: readonly ApiRoute[] = [search, listFiles, fileHistory, stats];
