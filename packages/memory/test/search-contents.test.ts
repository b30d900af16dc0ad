import { expect, it } from 'vitest';
import type { MemoryStore, NewEvent } from '../src/index.ts';
import { openMemory } from './capture/open-memory.ts';

/** The edits of a file, each of what the one before made of it. */
function edits(count: number): NewEvent[] {
  const text = (version: number): string => `kerberos\n\n\n\n\n\n\n\nconst version = ${version};\n`;
  return Array.from({ length: count }, (_, at) => ({
    type: 'file_edit',
    id: `edit ${at}`,
    data: {
      action: 'edit',
      file_path: 'a.ts',
      old_content: text(at),
      new_content: text(at + 1),
      success: true,
    },
  }));
}

async function found(store: MemoryStore): Promise<readonly string[]> {
  return (await store.search('kerberos')).map(({ event }) => event.id);
}

it('what an edit leaves as it was finds the first event of the file, however many come at once', async () => {
  const apart = await openMemory();
  const { id } = await apart.startSession({ workspace: '/home/ann/shop' });
  for (const event of edits(4)) await apart.logMany(id, [event]);
  const together = await openMemory();
  const other = await together.startSession({ workspace: '/home/ann/shop' });
  await together.logMany(other.id, edits(4));
  expect(await found(apart)).toEqual(['edit 0']);
  expect(await found(together)).toEqual(['edit 0']);
});
