import type { Section } from '../../binary/section-file.ts';
import { RECORD_COLUMN_COUNT, SECTIONS, type DocumentRecord } from './segment-layout.ts';

/** A record as it stands in a file: its chunks are numbers beside it. */
type PlainRecord = readonly [
  novelId: string,
  filePath: string,
  commit: number,
  chunks: number,
  stamp?: string,
];

/** The sections that hold records of documents. */
export function recordSections(records: readonly DocumentRecord[]): readonly Section[] {
  const plain = records.map(({ novelId, filePath, commit, chunks, stamp }): PlainRecord => {
    const count = chunks.length / RECORD_COLUMN_COUNT;
    return stamp === undefined
      ? [novelId, filePath, commit, count]
      : [novelId, filePath, commit, count, stamp];
  });
  const numbers = new Uint32Array(records.reduce((sum, { chunks }) => sum + chunks.length, 0));
  let at = 0;
  for (const { chunks } of records) {
    numbers.set(chunks, at);
    at += chunks.length;
  }
  return [
    { name: SECTIONS.records, bytes: Buffer.from(JSON.stringify(plain)), isResident: true },
    { name: SECTIONS.recordChunks, bytes: new Uint8Array(numbers.buffer), isResident: true },
  ];
}

/** The records that {@link recordSections} wrote; their chunks are views of `numbers`. */
export function readRecords(records: Uint8Array, numbers: Uint32Array): readonly DocumentRecord[] {
  const plain: readonly PlainRecord[] = JSON.parse(Buffer.from(records).toString());
  let at = 0;
  return plain.map(([novelId, filePath, commit, count, stamp]) => {
    const chunks = numbers.subarray(at, at + count * RECORD_COLUMN_COUNT);
    at += chunks.length;
    return { novelId, filePath, commit, chunks, ...(stamp === undefined ? {} : { stamp }) };
  });
}
