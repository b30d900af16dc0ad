import type { FileTexts } from '../../log/event-record.ts';
import type { Content } from '../../store/content.ts';
import type { PreparedBatch } from './transcript-parts.ts';

/** A batch whose contents are views of one buffer, which can be handed to another thread without a copy. */
export interface PackedBatch {
  readonly batch: PreparedBatch;
  readonly bytes: ArrayBuffer;
}

/** Puts the contents of a batch, each of them once, into one buffer. */
export function packedBatch(batch: PreparedBatch): PackedBatch {
  const contents = new Map<string, Content>();
  for (const { wholes } of batch.records) {
    for (const one of [wholes.old, wholes.new, wholes.diff]) if (one) contents.set(one.hash, one);
  }
  let size = 0;
  for (const { bytes } of contents.values()) size += bytes.length;
  const room = new ArrayBuffer(size);
  let at = 0;
  for (const [hash, { bytes }] of contents) {
    const own = new Uint8Array(room, at, bytes.length);
    own.set(bytes);
    at += own.length;
    contents.set(hash, { hash, bytes: own });
  }
  const records = batch.records.map((record) => {
    return { ...record, wholes: replaced(record.wholes, contents) };
  });
  return { batch: { ...batch, records }, bytes: room };
}

function replaced(
  wholes: FileTexts<Content>,
  contents: ReadonlyMap<string, Content>,
): FileTexts<Content> {
  return Object.fromEntries(
    Object.entries(wholes).map(([side, one]: [string, Content]) => [
      side,
      contents.get(one.hash) ?? one,
    ]),
  );
}
