// Copies of a project, a memory, the log of talks and a storage, while other processes use them.
import { cp, mkdir } from 'node:fs/promises';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage, sqliteDatabase } from '@vizprompt/providers/node';

const folder = process.argv[2] ?? './my-app';
{
  await using vizprompt = await VizPrompt.open(`${folder}/project`);
  await vizprompt.createNode({ prompt: 'Where is the key?', response: 'Under the lamp.' });
  await using memory = await MemoryStore.open({ path: `${folder}/memory.db` });
  const { id } = await memory.startSession({ workspace: folder });
  await memory.log(id, 'user_message', { content: 'Where is the key?' });
  await using storage = await openStorage(`${folder}/storage`);
  await storage.files.write('a.txt', 'a');
  await mkdir(`${folder}/backup`);
}

// #region project
// Writers wait until it is closed; readers do not.
const project = await VizPrompt.open(`${folder}/project`, { lock: 'exclusive' });
await cp(`${folder}/project`, `${folder}/backup/project`, {
  recursive: true,
  filter: (path) => !/\.vizprompt[/\\](?:cache\.db|locks|rag)/.test(path),
});
await project.close();
// #endregion project

// #region memory
{
  await using memory = await MemoryStore.open({ path: `${folder}/memory.db` });
  await memory.backup(`${folder}/backup/memory.db`);
}
// #endregion memory

// #region log
const log = sqliteDatabase({ path: `${folder}/storage/.vizprompt/database.db` });
await log.backup(`${folder}/backup/database.db`);
await log.close();
// #endregion log

// #region restore
{
  await using restored = await VizPrompt.open(`${folder}/backup/project`);
  const { findings } = await restored.check();
  console.log(findings.length); // 0
  const report = await MemoryStore.checkFile(`${folder}/backup/memory.db`);
  console.log(report.sessions, report.events); // 1 1
}
// #endregion restore
