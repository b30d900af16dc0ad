/**
 * Creates a hot rollback journal of an empty batch that names a super-journal: after its rollback SQLite
 * deletes the named file.
 */
export function superJournal(
  named: string,
  { pages = 1, pageBytes = 4096 }: { readonly pages?: number; readonly pageBytes?: number } = {},
): Buffer {
  const magic = Buffer.from('d9d505f920a163d7', 'hex');
  const head = Buffer.alloc(512);
  magic.copy(head);
  head.writeUInt32BE(1, 12);
  head.writeUInt32BE(pages, 16);
  head.writeUInt32BE(512, 20);
  head.writeUInt32BE(pageBytes, 24);
  const name = Buffer.from(named);
  const lockPage = Buffer.alloc(4);
  lockPage.writeUInt32BE(0x4000_0000 / pageBytes + 1);
  const tail = Buffer.alloc(8);
  tail.writeUInt32BE(name.length, 0);
  tail.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  return Buffer.concat([head, lockPage, name, tail, magic]);
}
