import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryStore, type MemoryStoreOptions } from '@vizprompt/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { all, ON_POSTGRES, temporaryFolder } from '../support/open-store.ts';

const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF5hXyZ2kLmN4';
/** Put together here, so that no scanner takes offence. */
const TOKEN = ['ghp', letters.slice(0, 36)].join('_');
const PASSWORD = ['Tr0ub4', 'dor9Xk'].join('');
const ADDRESS = `https://me:${PASSWORD}@git.example/repository`;

/** The secrets that are planted in every field: a token, and an address with a password. */
const PLANTED: Readonly<Record<string, string>> = {
  'a token': TOKEN,
  'an address': ADDRESS,
};

type Plant = (store: MemoryStore, text: string, workspace: string) => Promise<unknown>;

async function session(store: MemoryStore, workspace: string): Promise<string> {
  return (await store.startSession({ workspace })).id;
}

/** Each field of each kind of event, and of sessions and workspaces, with a secret in it. */
const FIELDS: Readonly<Record<string, Plant>> = {
  'user_message.content': async (store, text, folder) =>
    store.log(await session(store, folder), 'user_message', { content: text }),
  'assistant_message.content': async (store, text, folder) =>
    store.log(await session(store, folder), 'assistant_message', { content: text }),
  'assistant_message.tool_calls': async (store, text, folder) =>
    store.log(await session(store, folder), 'assistant_message', {
      content: '',
      tool_calls: [{ tool: text, args: { [text]: [text] } }],
    }),
  'thinking.content and context': async (store, text, folder) =>
    store.log(await session(store, folder), 'thinking', { content: text, context: text }),
  'code_intention.file_path, relative': async (store, text, folder) =>
    store.log(await session(store, folder), 'code_intention', {
      action: 'create',
      file_path: `notes/${text}/file.txt`,
      reason: 'write',
      new_content: 'a\n',
    }),
  'code_intention.file_path, absolute': async (store, text, folder) =>
    store.log(await session(store, folder), 'code_intention', {
      action: 'edit',
      file_path: `/home/a/${text}/file.txt`,
      reason: 'write',
      old_content: 'a\n',
      new_content: 'b\n',
    }),
  'code_intention.reason, contents and diff': async (store, text, folder) =>
    store.log(await session(store, folder), 'code_intention', {
      action: 'edit',
      file_path: 'a.txt',
      reason: text,
      old_content: `one ${text}\n`,
      new_content: `two ${text}\n`,
    }),
  'file_edit.file_path, the secret alone': async (store, text, folder) =>
    store.log(await session(store, folder), 'file_edit', {
      action: 'edit',
      file_path: text,
      diff: '',
      success: true,
    }),
  'file_edit.file_path, with the headers of its hunks': async (store, text, folder) =>
    store.log(await session(store, folder), 'file_edit', {
      action: 'edit',
      file_path: `${text}/a.txt`,
      old_content: 'a\n',
      new_content: 'b\n',
      diff: '',
      success: true,
    }),
  'file_edit.diff and error_message': async (store, text, folder) =>
    store.log(await session(store, folder), 'file_edit', {
      action: 'edit',
      file_path: 'a.txt',
      diff: `--- a/${text}\n+++ b/${text}\n@@ -1 +1 @@ ${text}\n-${text}\n+b\n`,
      success: false,
      error_message: `ENOENT: no such file, open '/x/${text}'`,
    }),
  'file_edit.intention_event_id': async (store, text, folder) =>
    store.log(await session(store, folder), 'file_edit', {
      action: 'edit',
      file_path: 'a.txt',
      diff: '',
      intention_event_id: text,
      success: true,
    }),
  'tool_use, all fields': async (store, text, folder) =>
    store.log(await session(store, folder), 'tool_use', {
      tool: text,
      parameters: { [text]: { path: `/x/${text}`, list: [text] } },
      result: `${text}\n`,
    }),
  'meta of an event': async (store, text, folder) =>
    store.log(
      await session(store, folder),
      'thinking',
      { content: 'a' },
      { meta: { [text]: text, deep: [{ text }] } },
    ),
  'metadata of a session': (store, text, folder) =>
    store.startSession({
      workspace: folder,
      metadata: { tags: [text], branch: text, initial_context: text, [text]: text },
    }),
  'metadata of a session that is updated': async (store, text, folder) =>
    store.updateSession(await session(store, folder), { metadata: { branch: text } }),
  'the path of a workspace': async (store, text) =>
    store.log(await session(store, `/home/a/${text}/project`), 'code_intention', {
      action: 'create',
      file_path: 'a.txt',
      reason: 'write',
    }),
  'the path of a workspace that is updated': async (store, text, folder) =>
    store.updateSession(await session(store, folder), { workspace: `/home/a/${text}` }),
  'workspaces that are joined': (store, text, folder) =>
    store.joinWorkspaces(folder, `/home/a/${text}`),
  'an edit of a file with such a name': async (store, text, folder) => {
    const path = `${text}/a.txt`;
    await mkdir(join(folder, text), { recursive: true });
    const id = await session(store, folder);
    await store.editFile({ session: id, path, reason: 'write', newContent: 'a\n' });
    await store.editFile({ session: id, path, reason: 'write', newContent: 'b\n' });
  },
  'a recorded edit in a folder with such a name': async (store, text, folder) => {
    await mkdir(join(folder, text), { recursive: true });
    await store.recordEdit({
      session: await session(store, folder),
      path: `${text}/a.txt`,
      reason: 'write',
      run: () => writeFile(join(folder, text, 'a.txt'), 'a\n'),
    });
  },
};

/** Values that are refused: ids are shown and asked for as they are. */
const REFUSED: Readonly<Record<string, Plant>> = {
  'the id of a session': (store, text, folder) =>
    store.startSession({ id: text.slice(0, 200), workspace: folder }),
  'the id of an event': async (store, text, folder) =>
    store.log(await session(store, folder), 'thinking', { content: 'a' }, { id: text }),
  'the parent of an event': async (store, text, folder) =>
    store.log(await session(store, folder), 'thinking', { content: 'a' }, { parent: text }),
};

/** Returns the bytes of all files of the database, the log of writes included. */
function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes('memory.db'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
    .toLowerCase();
}

/** Lists the planted words that remain in the files of the database. */
function leftIn(folder: string): readonly string[] {
  const bytes = bytesOf(folder);
  if (bytes.length < 1000) return ['no database'];
  return [TOKEN.slice(4, 20), PASSWORD].filter((word) => bytes.includes(word.toLowerCase()));
}

async function open(
  folder: string,
  options: Partial<MemoryStoreOptions> = {},
): Promise<MemoryStore> {
  const store = await MemoryStore.open({ path: join(folder, 'memory.db'), ...options });
  onTestFinished(() => store.close());
  return store;
}

const cases = Object.entries(PLANTED).flatMap(([kind, text]) =>
  Object.entries(FIELDS).map(([field, plant]) => ({ kind, text, field, plant })),
);

describe.skipIf(ON_POSTGRES)('no byte is stored', () => {
  it.each(cases)('of $kind in $field', async ({ text, plant }) => {
    const folder = await temporaryFolder();
    const workspace = join(folder, 'project');
    await mkdir(workspace);
    const store = await open(folder);
    await plant(store, text, workspace);
    expect(leftIn(folder)).toEqual([]);
    await store.close();
    expect(leftIn(folder)).toEqual([]);
  });

  it.each(Object.entries(REFUSED))('of a token as %s, which is refused', async (_, plant) => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await expect(plant(store, TOKEN, folder)).rejects.toMatchObject({ code: 'invalid-input' });
    expect(leftIn(folder)).toEqual([]);
  });
});

describe.skipIf(ON_POSTGRES)('what an earlier version stored', () => {
  // A path is the one field where it matters what kind of secret it is.
  const some = cases.filter(({ kind, field }) => kind === 'a token' || field.includes('path'));
  it.each(some)('is cleaned of $kind in $field', async ({ text, plant }) => {
    const folder = await temporaryFolder();
    const workspace = join(folder, 'project');
    await mkdir(workspace);
    const old = await open(folder, { redact: false });
    await plant(old, text, workspace);
    await old.close();
    const store = await open(folder);
    await store.redact();
    expect(leftIn(folder)).toEqual([]);
    // The rest can be read.
    for (const { id } of await store.listSessions()) await all(store.events(id));
    await store.search('a');
  });
});

describe('a path with a secret', () => {
  it('is found by the path that was given, and by the one that is stored', async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    const { id } = await store.startSession({ workspace: folder });
    const path = `notes/${TOKEN}/a.txt`;
    await store.log(id, 'file_edit', {
      action: 'create',
      file_path: path,
      new_content: 'a\n',
      diff: '',
      success: true,
    });
    const stored = 'notes/[redacted:github-token]/a.txt';
    for (const asked of [path, join(folder, path), stored]) {
      expect(await all(store.events(id, { path: asked }))).toHaveLength(1);
      expect(await store.fileAt(asked, { workspace: folder })).toMatchObject({ content: 'a\n' });
      expect(await store.search('a.txt', { workspace: folder, path: asked })).toHaveLength(1);
    }
  });

  it('is that of no folder in which files are edited', async () => {
    const folder = join(await temporaryFolder(), TOKEN);
    await mkdir(folder);
    const store = await open(await temporaryFolder());
    const { id } = await store.startSession({ workspace: folder });
    await expect(
      store.editFile({ session: id, path: 'a.txt', reason: 'write', newContent: 'a\n' }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
  });
});
