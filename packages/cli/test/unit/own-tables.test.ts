import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { segmenterAnalyzer, SqlBackend } from '@vizprompt/rag';
import { ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Makes a store of each package in a folder, and returns the paths of its databases. */
const STORES: Readonly<Record<string, (folder: string) => Promise<readonly string[]>>> = {
  async core(folder) {
    const project = await VizPrompt.open(folder);
    await project.createNode({ prompt: 'a', response: 'b' });
    await project.close();
    return [join(folder, '.vizprompt/cache.db')];
  },
  async memory(folder) {
    const path = join(folder, 'memory.db');
    await using store = await MemoryStore.open({ path });
    await store.startSession({ id: 's', workspace: '/w' });
    return [path];
  },
  async rag(folder) {
    const path = join(folder, 'rag.db');
    const database = sqliteDatabase({ path });
    const index = await SqlBackend.open({ database, analyzer: segmenterAnalyzer() });
    await index.updateFile({ novelId: 'n', filePath: 'a.md', text: 'a' });
    await index.close();
    await database.close();
    return [path];
  },
  async talktable(folder) {
    const logPath = join(folder, 'talk.db');
    const model = scriptedModel(() => 'yes');
    const participants = ['A', 'B'].map((name) => ({ name, model }));
    const options = { topic: 't', participants, rounds: 1, logPath };
    const manager = await ConversationManager.open(options);
    await manager.start().result();
    await manager.close();
    return [logPath];
  },
  async workflow(folder) {
    const storage = await openStorage(folder);
    const engine = await WorkflowEngine.open({ storage, files: { workflows: {} } });
    await engine.close();
    await storage.close();
    return [join(folder, '.vizprompt/database.db')];
  },
};

describe('a table of a package', () => {
  it.each(Object.entries(STORES))('of %s with code of a stranger is refused', async (_, make) => {
    const folder = await mkdtemp(join(tmpdir(), 'own-tables-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const open: string[] = [];
    let count = 0;
    for (const path of await make(folder)) {
      const file = new Sqlite(path, { fileMustExist: true });
      onTestFinished(() => void file.close());
      const names = file
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        .pluck()
        .all()
        .map(String)
        .filter((name) => !/^sqlite_|_(?:data|idx|content|docsize|config)$/.test(name));
      for (const name of names) {
        file.exec(`CREATE TRIGGER foreign_code AFTER INSERT ON "${name}" BEGIN SELECT 1; END`);
        const database = sqliteDatabase({ path });
        const isRefused = await database.query('SELECT 1').then(
          () => false,
          () => true,
        );
        await database.close();
        if (!isRefused) open.push(name);
        file.exec('DROP TRIGGER foreign_code');
        count++;
      }
    }
    expect(open).toEqual([]);
    expect(count).toBeGreaterThan(1);
  });
});
