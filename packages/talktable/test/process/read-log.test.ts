import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { ConversationLog } from '@vizprompt/talktable';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf, openManager, temporaryFolder, twoAndMC } from '../support/support.ts';

const child = fileURLToPath(new URL('../children/read-talks.mjs', import.meta.url));
const ID = 'talk';
const COURSE = ['0 A1', '1 B1'];

/** Returns a log with one talk. */
async function logIn(folder: string): Promise<string> {
  const logPath = join(folder, 'conversation.db');
  const manager = await openManager(twoAndMC({ logPath, rounds: 1, moderator: undefined }));
  await manager.start({ conversationId: ID }).result();
  await manager.close();
  return logPath;
}

async function protect(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o444);
  await chmod(folder, 0o555);
  onTestFinished(() => chmod(folder, 0o755));
}

/** Reads in a process that may write nothing but what it owns; root lets go of more than that. */
async function readIn(path: string): Promise<unknown> {
  const isRoot = process.getuid?.() === 0;
  const command = [process.execPath, child, path, ID];
  const [file = '', ...args] = isRoot
    ? ['setpriv', '--bounding-set=-dac_override', ...command]
    : command;
  const TMPDIR = await temporaryFolder();
  const { stdout } = await promisify(execFile)(file, args, { env: { ...process.env, TMPDIR } });
  expect(await readdir(TMPDIR)).toEqual([]);
  return JSON.parse(stdout);
}

describe('a log that may only be read', () => {
  const whole = { turns: COURSE, headings: ['## 0. A', '## 1. B'], speakers: 2 };

  it('is read and exported in a folder that may not be written', async () => {
    const folder = join(await temporaryFolder(), 'archive');
    await mkdir(folder);
    const path = await logIn(folder);
    const before = await readdir(folder);
    await protect(folder);
    expect(await readIn(path)).toEqual(whole);
    expect(await readdir(folder)).toEqual(before);
  });

  it('is read with what only its write-ahead log holds', async () => {
    const folder = await temporaryFolder();
    const [live, archive] = [join(folder, 'live'), join(folder, 'archive')];
    await mkdir(live);
    await mkdir(archive);
    const path = await logIn(live);
    const writer = new Sqlite(path);
    writer.pragma('wal_autocheckpoint = 0');
    writer.exec("UPDATE conversation_log SET response = response || '!'");
    for (const suffix of ['', '-wal']) {
      await copyFile(path + suffix, join(archive, `conversation.db${suffix}`));
    }
    writer.close();
    expect((await stat(join(archive, 'conversation.db-wal'))).size).toBeGreaterThan(0);
    await protect(archive);
    expect(await readIn(join(archive, 'conversation.db'))).toEqual({
      ...whole,
      turns: COURSE.map((line) => `${line}!`),
    });
  });

  it('is not made where there is none, and says so', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'logs/none.db');
    const error = await failureOf(ConversationLog.open(path));
    expect(error).toMatchObject({ code: 'log-unreadable' });
    expect(String(error)).toContain(`${path}: there is no such file`);
    expect(existsSync(join(folder, 'logs'))).toBe(false);
    const empty = join(folder, 'other.db');
    new Sqlite(empty).exec('CREATE TABLE t (x)').close();
    const other = await failureOf(ConversationLog.open(empty));
    expect(String(other)).toBe(`TalkError: ${empty} holds no log of talks`);
  });

  it('may be led by another process meanwhile', async () => {
    const path = await logIn(await temporaryFolder());
    await using log = await ConversationLog.open(path);
    const manager = await openManager(twoAndMC({ logPath: path }));
    await manager.start({ conversationId: 'second' }).result();
    expect((await log.conversations()).map(({ id }) => id).toSorted()).toEqual(['second', ID]);
    await log.close();
    await expect(log.conversations()).rejects.toMatchObject({ code: 'closed' });
  });

  it('may be one of the original tool, which is left as it is', async () => {
    const path = join(await temporaryFolder(), 'conversation.db');
    const old = new Sqlite(path);
    old.exec(`
      CREATE TABLE conversation_log (
        id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id TEXT, turn_number INTEGER,
        speaker_name TEXT, model_used TEXT, prompt TEXT, response TEXT, is_moderator BOOLEAN,
        timestamp DATETIME DEFAULT CURRENT_TIMESTAMP);
      CREATE TABLE conversation_meta (
        conversation_id TEXT PRIMARY KEY, topic TEXT, participant_a_name TEXT,
        participant_a_model TEXT, participant_b_name TEXT, participant_b_model TEXT,
        moderator_name TEXT, moderator_model TEXT, start_time DATETIME DEFAULT CURRENT_TIMESTAMP);
      INSERT INTO conversation_meta VALUES
        ('${ID}', '猫', 'A', 'gpt-4', 'B', 'gemini-pro', 'MC', 'gpt-4', '2025-07-01 12:00:00');
      INSERT INTO conversation_log (conversation_id, turn_number, speaker_name, model_used, prompt,
        response, is_moderator) VALUES ('${ID}', 0, 'MC', 'gpt-4', 'p', 'ようこそ', 1);
    `);
    const tables = old.prepare('SELECT sql FROM sqlite_master').all();
    old.close();
    const log = await ConversationLog.open(path);
    expect(await log.conversation(ID)).toMatchObject({
      status: 'done',
      participants: { length: 2 },
    });
    const turns = [];
    for await (const turn of log.turns(ID)) turns.push(turn);
    expect(turns).toMatchObject([{ kind: 'opening', text: 'ようこそ', prompt: 'p', attempt: 1 }]);
    expect(await log.analyze(ID)).toMatchObject({ turns: 1 });
    await log.close();
    const after = new Sqlite(path, { readonly: true });
    expect(after.prepare('SELECT sql FROM sqlite_master').all()).toEqual(tables);
    after.close();
  });

  it('may be in a storage, which stays open', async () => {
    await using storage = await inMemoryStorage();
    expect(await failureOf(ConversationLog.open(storage))).toMatchObject({
      code: 'log-unreadable',
    });
    const manager = await openManager(twoAndMC({ rounds: 1 }), { storage });
    await manager.start({ conversationId: ID }).result();
    const log = await ConversationLog.open(storage);
    expect((await log.conversation(ID)).status).toBe('done');
    await log.close();
    expect(await manager.conversations()).toHaveLength(1);
  });
});
