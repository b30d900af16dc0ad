import { z } from 'zod';
import type { FileChange } from '../files/file-options.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { fileAnswer, filesAnswer, historyAnswer } from './answers.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { firstBytes, jsonBytes, PAGE_BYTES } from './answer-bytes.ts';
import { assertPlaced, contents, folder, id, limit } from './fields.ts';

const placed = folder.exactOptional().describe('For a relative path');

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
  query: z.strictObject({
    workspace: placed,
    before: id.exactOptional().describe('Changes older than this event'),
    limit: limit(50, 200),
    contents,
  }),
  answer: historyAnswer,
  problems: [404],
  async run({ store, name, query: { contents: wanted, limit: size, ...options } }) {
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
  summary: 'A file as it was at a time, or behind an event; without both as it is recorded last',
  query: z.strictObject({
    workspace: placed,
    time: z
      .string()
      .exactOptional()
      .describe('ISO 8601, such as 2026-01-31T12:00:00+09:00; a date alone is its start in UTC'),
    event: id
      .exactOptional()
      .describe('The id of an event: the text when it was logged, its own change included'),
  }),
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

export const FILE_ROUTES: readonly ApiRoute[] = [listFiles, fileHistory, fileAt];
