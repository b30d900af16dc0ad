// #region imports
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { createId, LLMError, textMessage, type Storage } from '@vizprompt/providers';
import { inMemoryStorage, localFileStore, openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';
import {
  startFakeLLM,
  testChatModel,
  testFileStore,
  testStorage,
} from '@vizprompt/providers/testing';
import {
  paragraphs,
  scriptAnalyzer,
  testSearchBackend,
  type BackendParts,
  type OpenedBackend,
} from '@vizprompt/rag/testing';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { bucketFiles, type Bucket } from '../../extending/bucket-files.ts';
import { encryptedFiles } from '../../extending/encrypted-files.ts';
import { plainOllama } from '../../extending/plain-ollama.ts';
import { StoredBackend } from '../../extending/stored-backend.ts';
import { chunksIn } from '../../extending/stored-chunks.ts';

const runner = { describe, it };
// #endregion imports

// #region model-suite
testChatModel({
  name: 'plainOllama',
  runner,
  open: async () => {
    const llm = await startFakeLLM({ answer: 'はい、猫です。いいえ、犬ではありません。🐈' });
    return { subject: { model: plainOllama('qwen3', llm.url) }, close: () => llm.close() };
  },
});
// #endregion model-suite

describe('a model of one’s own', () => {
  const request = { messages: [textMessage('user', '猫ですか')] };

  it('says why it failed, by a code', async () => {
    const llm = await startFakeLLM({ answer: 'はい。' });
    onTestFinished(() => llm.close());
    const codeOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'none',
        (error: unknown) => (LLMError.isInstance(error) ? error.code : error),
      );
    const model = plainOllama('qwen3', llm.url);
    llm.fail({ type: 'rate-limit', form: 'seconds', waitMs: 1000 });
    expect(await codeOf(model.generate(request))).toBe('rate_limit');
    llm.fail({ type: 'reset', afterChunks: 1 });
    expect(await codeOf(model.generate(request))).toBe('network');
    llm.fail({ type: 'stall', afterChunks: 1 });
    const timeout = { totalMs: 100 };
    expect(await codeOf(model.generate({ ...request, timeout }))).toBe('timeout');
    expect((await model.generate(request)).text).toBe('はい。');
  });
});

// #region bucket-suite
testFileStore({
  name: 'bucketFiles',
  runner,
  open: async () => {
    const bucket: Bucket = { objects: new Map(), locks: new Set(), writes: 0 };
    return {
      subject: { files: bucketFiles(bucket), another: async () => bucketFiles(bucket) },
      close: async () => {},
    };
  },
});
// #endregion bucket-suite

// #region storage-suite
testFileStore({
  name: 'encryptedFiles',
  runner,
  open: async () => {
    const folder = await temporaryFolder();
    const secret = randomBytes(32);
    const first = await localFileStore(folder);
    const second = await localFileStore(folder);
    return {
      subject: {
        files: encryptedFiles(first, secret),
        another: () => Promise.resolve(encryptedFiles(second, secret)),
      },
      close: async () => {
        await Promise.all([first.close(), second.close()]);
        await rm(folder, { recursive: true });
      },
    };
  },
});
// #endregion storage-suite

testStorage({
  name: 'a storage with encryptedFiles',
  runner,
  open: async () => {
    const storage = await inMemoryStorage();
    const files = encryptedFiles(storage.files, randomBytes(32));
    return { subject: { ...storage, files }, close: () => storage.close() };
  },
});

describe('encrypted files', () => {
  it('hold a project, and reveal nothing without the key', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => rm(folder, { recursive: true }));
    const secret = randomBytes(32);
    // #region storage-use
    const open = async (key: Uint8Array): Promise<Storage> => {
      const storage = await openStorage({ files: folder, database: ':memory:', cache: ':memory:' });
      return { ...storage, files: encryptedFiles(storage.files, key) };
    };
    // #endregion storage-use
    {
      await using storage = await open(secret);
      await using vizprompt = await VizPrompt.open({ storage });
      await vizprompt.createNode({ prompt: '合言葉は？', response: '開けゴマ' });
    }
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(4);
    for (const { parentPath, name } of files) {
      expect((await readFile(join(parentPath, name))).includes('開けゴマ')).toBe(false);
    }
    await using storage = await open(secret);
    await using vizprompt = await VizPrompt.open({ storage });
    expect((await vizprompt.searchNodes({ text: '合言葉' }))[0]?.title).toContain('合言葉');

    await using other = await open(randomBytes(32));
    await expect(other.files.read('nodes/00/00.xml')).rejects.toMatchObject({ code: 'corrupt' });
  });
});

// #region backend-suite
testSearchBackend({
  name: 'StoredBackend',
  runner,
  isPersistent: true,
  open: async (parts) => openBackend(await inMemoryStorage(), parts),
});
// #endregion backend-suite

/** Storages that no test uses: creating a schema for each takes longer than the tests. */
const idle: Storage[] = [];
afterAll(async () => {
  await Promise.all(idle.map((storage) => storage.close()));
});

function newPostgres(): Promise<Storage> {
  const namespace = `own_${createId().replaceAll('-', '')}`;
  return postgresStorage({ connectionString: inject('databaseUrl'), namespace });
}

testSearchBackend({
  name: 'StoredBackend on PostgreSQL',
  runner,
  isPersistent: true,
  open: async (parts) => {
    const storage = idle.pop() ?? (await newPostgres());
    const opened = await openBackend(storage, parts);
    return {
      ...opened,
      close: async () => {
        await opened.backend.close();
        await storage.database.execute('DELETE FROM stored_chunk');
        idle.push(storage);
      },
    };
  },
});

describe('a search backend of one’s own', () => {
  it('is what its database holds, also after that has refused a change', async () => {
    await using storage = await inMemoryStorage();
    const backend = await StoredBackend.open(storage.database, {
      analyzer: scriptAnalyzer(),
      chunking: paragraphs,
    });
    const document = { novelId: '灯台', filePath: 'contents/01.md' };
    await backend.updateFile({ ...document, text: '嵐の夜。' });
    await storage.database.execute(
      `CREATE TRIGGER full BEFORE INSERT ON stored_chunk BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    await expect(backend.updateFile({ ...document, text: '凪の朝。' })).rejects.toThrow('full');
    expect((await backend.search('嵐')).total).toBe(1);
    expect((await backend.search('凪')).total).toBe(0);
    const chunks = await chunksIn(storage.database);
    expect(chunks.map(({ content }) => content)).toEqual(['嵐の夜。']);
    await backend.close();
  });
});

// #region backend-open
async function openBackend(storage: Storage, parts: BackendParts): Promise<OpenedBackend> {
  const backend = await StoredBackend.open(storage.database, parts);
  return {
    backend,
    reopen: (other) => StoredBackend.open(storage.database, other),
    close: async () => {
      await backend.close();
      await storage.close();
    },
  };
}
// #endregion backend-open

// #region temporary-folder
function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'vizprompt-extending-'));
}
// #endregion temporary-folder
