import { snakeInput } from '@vizprompt/providers/config';
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
    const found = await store.fileHistory(name, { ...options, limit: size + 1 });
    const changes = found.slice(0, size);
    const next = found.length > size ? oldestOf(changes) : undefined;
    const shown = wanted === 'read' ? changes : changes.map(withoutContents);
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
