import { documentKey } from '../contract/document-change.ts';
import { ELSEWHERE, idIn, RECORD_COLUMN_COUNT, type DocumentRecord } from './segment-layout.ts';
import { newestRecords, type Snapshot } from './snapshot.ts';

/**
 * Whether records that are to be committed count on chunks of other segments that are gone, as when the
 * index was discarded since they were looked up. Of documents that somebody has written since, the newer
 * record counts anyway.
 */
export function missesKept(
  snapshot: Snapshot,
  records: readonly DocumentRecord[],
  commit: number,
): boolean {
  const newest = newestRecords(snapshot.segments);
  const isThere = (id: number): boolean =>
    snapshot.segments.some(({ reader, entry }) => reader.placeOf(id - entry.base) >= 0);
  return records.some((record) => {
    if ((newest.get(documentKey(record))?.commit ?? -1) > commit) return false;
    return record.chunks.some(
      (number, at) =>
        at % RECORD_COLUMN_COUNT === 0 && number >= ELSEWHERE && !isThere(idIn(number, 0)),
    );
  });
}
