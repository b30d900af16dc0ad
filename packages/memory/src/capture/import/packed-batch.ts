import type { Blob } from '../../blob/blob.ts';
import type { FileTexts } from '../../log/event-record.ts';
import type { PreparedBatch } from './transcript-parts.ts';

/** A batch whose blobs are views of one buffer, which can be handed to another thread without a copy. */
export interface PackedBatch {
  readonly batch: PreparedBatch;
  readonly bytes: ArrayBuffer;
}

/** Packs the blobs of a batch: alone, each would take the whole buffer along that it was cut from. */
export function packedBatch(batch: PreparedBatch): PackedBatch {
  const blobs = new Set(
    batch.records.flatMap(({ blobs: own }) => [own.old, own.new, own.diff]).filter((one) => !!one),
  );
  const size = [...blobs].reduce((sum, { data }) => sum + data.length, 0);
  const bytes = new ArrayBuffer(size);
  const packed = new Map<Blob, Blob>();
  let at = 0;
  for (const blob of blobs) {
    const data = new Uint8Array(bytes, at, blob.data.length);
    data.set(blob.data);
    at += data.length;
    packed.set(blob, { ...blob, data });
  }
  const records = batch.records.map((record) => {
    return { ...record, blobs: replaced(record.blobs, packed) };
  });
  return { batch: { ...batch, records }, bytes };
}

function replaced(blobs: FileTexts<Blob>, packed: ReadonlyMap<Blob, Blob>): FileTexts<Blob> {
  return Object.fromEntries(
    Object.entries(blobs).map(([side, blob]: [string, Blob]) => [side, packed.get(blob) ?? blob]),
  );
}
