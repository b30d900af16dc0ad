import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import type { FileEntry, FileStore, Storage } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { randomRuns, storageAt, temporaryFolder, testProject } from '../support/open-project.ts';

/** Places of node files: numbered, nested, right in the folder, and such as sort before and after others. */
const PLACES = ['nodes/00/00.xml', 'nodes/00/01.xml', 'nodes/00/a/b.xml', 'nodes/a.xml'];
const MORE = [
  'nodes/0/00.xml',
  'nodes/000/00.xml',
  'nodes/00.xml',
  'nodes/認/証.xml',
  'nodes/_/%.xml',
];
const place = fc.constantFrom(...PLACES, ...MORE);

describe('a refresh', () => {
  it('knows which files are new, changed and gone, wherever they are', async () => {
    const test = await testProject();
    const ids = new Map<string, string>();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(place, fc.boolean()), { maxLength: 9 }), async (edits) => {
        const touched = new Map(edits);
        const expected = { read: 0, removed: 0 };
        for (const [file, isThere] of touched) {
          if (isThere) {
            const id = `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`;
            await test.write(file, nodeText(id));
            ids.set(file, id);
            expected.read++;
          } else if (ids.delete(file)) {
            rmSync(join(test.folder, file));
            expected.removed++;
          }
        }
        expect(await test.vizprompt.refresh()).toEqual(expected);
        const found = await test.vizprompt.searchNodes({ limit: 100 });
        expect(found.map(({ id }) => id).toSorted()).toEqual([...ids.values()].toSorted());
        expect(await test.vizprompt.refresh()).toEqual({ read: 0, removed: 0 });
      }),
      { numRuns: randomRuns(10) },
    );
  });

  it('misses whole folders that are gone or have another name', async () => {
    const test = await testProject();
    for (let at = 0; at < 3; at++) await test.write(`nodes/0${at}/00.xml`, nodeText(idAt(at)));
    await test.write('nodes/00/01.xml', nodeText(idAt(3)));
    expect(await test.vizprompt.refresh()).toEqual({ read: 4, removed: 0 });
    rmSync(join(test.folder, 'nodes/00'), { recursive: true });
    renameSync(join(test.folder, 'nodes/01'), join(test.folder, 'nodes/0f'));
    mkdirSync(join(test.folder, 'nodes/00'));
    expect(await test.vizprompt.refresh()).toEqual({ read: 1, removed: 3 });
    const found = await test.vizprompt.searchNodes({});
    expect(found.map(({ id }) => id).toSorted()).toEqual([idAt(1), idAt(2)]);
  });

  it('does not need files in the order of their folders', async () => {
    await using storage = await inMemoryStorage();
    await using vizprompt = await VizPrompt.open({ storage: shuffled(storage) });
    for (let at = 0; at < 12; at++) {
      await storage.files.write(`nodes/0${at % 3}/0${at}.xml`, nodeText(idAt(at)));
    }
    expect(await vizprompt.refresh()).toEqual({ read: 12, removed: 0 });
    await storage.files.delete('nodes/01/04.xml');
    expect(await vizprompt.refresh()).toEqual({ read: 0, removed: 1 });
    expect(await vizprompt.refresh()).toEqual({ read: 0, removed: 0 });
  });

  it('keeps nodes that another process adds while files are listed, in a known folder and in a new one', async () => {
    const folder = await temporaryFolder();
    await using theirs = await storageAt(folder);
    await using other = await VizPrompt.open({ storage: theirs });
    const first = await other.createNode({ prompt: 'first' }, { flow: null });
    const config = { ifExists: 'keep', flow: null } as const;
    let isListing = false;
    await using storage = await storageAt(folder);
    const files = whileListing(storage.files, async () => {
      if (isListing) return;
      isListing = true;
      await other.createNode({ prompt: 'second', source: 'x' }, config);
      await theirs.files.write('nodes/ab/00.xml', nodeText(idAt(1)));
      await other.refresh();
    });
    await using vizprompt = await VizPrompt.open({ storage: { ...storage, files } });
    expect(isListing).toBe(true);
    const prompts = await vizprompt.searchNodes({});
    expect(prompts).toHaveLength(3);
    expect(prompts.map(({ id }) => id)).toContain(first.id);
  });
});

function idAt(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
}

function nodeText(id: string): string {
  return `<node id="${id}" timestamp="2026-01-01T00:00:00.000+00:00"><prompt>猫</prompt><response>犬</response></node>`;
}

/** Lists files in the reverse order of their last characters. */
function shuffled(storage: Storage): Storage {
  const { files } = storage;
  const reversed = ({ key }: { readonly key: string }): string =>
    Array.from(key).toReversed().join('');
  return {
    ...storage,
    files: {
      ...files,
      async *list(prefix) {
        const entries = await listed(files, prefix);
        yield* entries.toSorted((a, b) => (reversed(a) < reversed(b) ? -1 : 1));
      },
    },
  };
}

async function listed(files: FileStore, prefix: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for await (const entry of files.list(prefix)) entries.push(entry);
  return entries;
}

/** Does something after the first file of a folder was listed. */
function whileListing(files: FileStore, work: () => Promise<void>): FileStore {
  return {
    ...files,
    async *list(prefix) {
      for (const entry of await listed(files, prefix)) {
        if (prefix === 'nodes/') await work();
        yield entry;
      }
    },
  };
}
