import { snakeInput } from '@vizprompt/providers/config/internal';
import { limitKind } from '../model/input-kinds.ts';
import {
  FILE_HISTORY_OPTIONS,
  FILE_LIST_OPTIONS,
  FILE_MOMENT,
  type FileChange,
} from '../files/file-options.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { fileAnswer, filesAnswer, historyAnswer } from './answers.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { firstBytes, jsonBytes, PAGE_BYTES } from './answer-bytes.ts';
import { assertPlaced, CONTENTS, MAYBE_FOLDER, PLACED } from './fields.ts';

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
    contents: CONTENTS,
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
  summary: 'A file as it was at a time, or behind an event; without both as it is recorded last',
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

export const FILE_ROUTES: readonly ApiRoute[] = [listFiles, fileHistory, fileAt];
