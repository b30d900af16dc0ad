import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStorage } from '@vizprompt/providers/node';
import { expect, it } from 'vitest';
import { kill, startChild } from '../../support/children.ts';
import { temporaryFolder } from '../../support/subjects.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 3);

interface Acknowledged {
  readonly files?: readonly string[];
  readonly line?: string;
  readonly row?: string;
}

it('loses nothing that was acknowledged, and tears nothing, when killed at any moment', async () => {
  const folder = await temporaryFolder();
  const files: string[] = [];
  const lines: string[] = [];
  const rows: string[] = [];

  for (let round = 0; round < ROUNDS; round++) {
    const child = startChild('write-files', [folder.path, String(round)]);
    const wanted = files.length + 2 + Math.random() * 60;
    await new Promise<void>((resolve) => {
      child.on('message', (message: Acknowledged) => {
        files.push(...(message.files ?? []));
        if (message.line) lines.push(message.line);
        if (message.row) rows.push(message.row);
        if (files.length >= wanted) resolve();
      });
    });
    await sleep(Math.random() * 20);
    await kill(child);

    await using storage = await openStorage(folder.path);
    const found = new Set<string>();
    const perBatch = new Map<string, number>();
    for await (const { key } of storage.files.list('')) {
      found.add(key);
      if (key === 'log.txt') continue;
      const label = key.replace(/\.txt$/, '').split('/')[1] ?? '';
      expect((await storage.files.read(key))?.text).toBe(`${label}\n`.repeat(200));
      if (key.startsWith('batch/')) perBatch.set(label, (perBatch.get(label) ?? 0) + 1);
    }
    expect(files.filter((key) => !found.has(key))).toEqual([]);
    expect([...perBatch].filter(([, count]) => count !== 40)).toEqual([]);
    const log = (await storage.files.read('log.txt'))?.text.split('\n') ?? [];
    expect(lines.filter((line) => !log.includes(line))).toEqual([]);
    const stored = await storage.database.query<{ label: string }>('SELECT label FROM done');
    const labels = new Set(stored.map(({ label }) => label));
    expect(rows.filter((row) => !labels.has(row))).toEqual([]);
    expect(leftTemps(folder.path)).toEqual([]);
  }
  await folder.remove();
});

function leftTemps(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.tmp')).map((name) => join(folder, name));
}
