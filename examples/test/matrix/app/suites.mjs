// The published suites that need SQLite, in whatever runtime this is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, sqliteDatabase } from '@vizprompt/providers/node';
import {
  databaseCases,
  fileStoreCases,
  runContract,
  storageCases,
  textIndexCases,
} from '@vizprompt/providers/testing';
import { SqliteFtsBackend } from '@vizprompt/rag';
import { openSubject, persistentBackendCases, searchBackendCases } from '@vizprompt/rag/testing';

/** Opens what a suite tests in a storage of its own. */
const stored = (subjectOf) => async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vizprompt-suite-'));
  const opened = [await openStorage(folder)];
  const another = async () => {
    const storage = await openStorage(folder);
    opened.push(storage);
    return storage;
  };
  const close = async () => {
    for (const storage of opened) await storage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { subject: subjectOf(opened[0], another), close };
};

async function openBackend(parts) {
  const database = sqliteDatabase({ path: ':memory:', durability: 'normal' });
  const backend = await SqliteFtsBackend.open({ ...parts, database });
  const close = async () => {
    await backend.close();
    await database.close();
  };
  return { backend, reopen: (other) => SqliteFtsBackend.open({ ...other, database }), close };
}

const SUITES = [
  [storageCases, stored((storage) => storage)],
  [databaseCases, stored(({ database }) => database)],
  [textIndexCases, stored(({ cache }) => cache)],
  [
    fileStoreCases,
    stored(({ files }, another) => ({ files, another: async () => (await another()).files })),
  ],
  [[...searchBackendCases, ...persistentBackendCases], () => openSubject(openBackend)],
];

let passed = 0;
const failed = [];
for (const [cases, open] of SUITES) {
  const report = await runContract(cases, open);
  passed += report.passed.length;
  failed.push(...report.failed.map(({ name, error }) => `${name}: ${error?.message}`));
}
console.log(JSON.stringify({ passed, failed }));
