import { NODE_MAP } from '../project/maps.ts';
import type { IndexedFile } from './node-index.ts';
import type { ProjectIndex } from './project-index.ts';

/**
 * Puts node files into the index, new ones and those that are known. Whoever does it at the same
 * time, in another process, puts the same.
 *
 * @param touched - Takes the ids that were or are in the files.
 */
export async function putNodes(
  { database, nodes, state }: ProjectIndex,
  entries: readonly IndexedFile[],
  touched: Set<string>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const files = entries.map(({ file }) => file);
    const known = new Map((await nodes.filed(files, tx)).map((row) => [row.file, row]));
    let next = await nodes.nextRow(tx);
    if (known.size < entries.length) {
      const { sql, params } = state.mapLags(NODE_MAP);
      await tx.execute(sql, params);
    }
    for (const entry of entries) {
      const row = known.get(entry.file);
      if (row?.id) touched.add(row.id);
      if (entry.node) touched.add(entry.node.id);
      const keywords = entry.keywords ?? row?.keywords ?? [];
      const statements = [
        ...(row ? nodes.remove([row.row_id]) : []),
        ...nodes.insert(row?.row_id ?? next++, { ...entry, keywords }),
      ];
      for (const { sql, params } of statements) await tx.execute(sql, params);
    }
  });
}

/**
 * Makes the newest of the files that carry one id the node.
 *
 * @param ids - Those that may have changed. Default: all.
 * @returns The files of each id that several carry, the node itself first.
 */
export async function settleCollisions(
  { database, nodes, state }: ProjectIndex,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids?.length === 0) return new Map();
  const versions = await nodes.versionsById(ids);
  const statements = [...versions.values()].flatMap((rows) =>
    rows.flatMap(({ file, is_current: isCurrent }, place) => {
      const shouldBe = place === 0;
      return (isCurrent === 1) === shouldBe ? [] : [nodes.setCurrent(file, shouldBe)];
    }),
  );
  if (statements.length > 0) await database.batch([...statements, state.mapLags(NODE_MAP)]);
  const collisions = [...versions].filter(([, rows]) => rows.length > 1);
  return new Map(collisions.map(([id, rows]) => [id, rows.map(({ file }) => file)]));
}
