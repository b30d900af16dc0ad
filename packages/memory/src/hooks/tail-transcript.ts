import { stat } from 'node:fs/promises';
import { readLines } from '@vizprompt/providers/transcripts';
import { newCounts } from '../capture/counts.ts';
import { recordEntry } from '../capture/record-entry.ts';
import { Recording } from '../capture/recording.ts';
import { loadTailState } from './tail-state.ts';

/** The end of a transcript, as far as it was read. */
export interface Tail {
  /** With the drafts of the new lines, and what is known behind them. */
  readonly recording: Recording;
  /** Byte offset of the first line that was not read. */
  readonly offset: number;
  /** Whether the whole file is read. */
  readonly isWhole: boolean;
  /** Whether there is such a file. */
  readonly exists: boolean;
}

/**
 * Reads what a transcript has got since the last time, up to a number of bytes. A line that is not
 * whole yet is left for the next time.
 */
export async function tailTranscript(
  transcript: string | undefined,
  sessionId: string,
  statePath: string,
  maxBytes: number,
): Promise<Tail> {
  const size = transcript === undefined ? undefined : await sizeOf(transcript);
  const saved = await loadTailState(statePath);
  const isShorter = size !== undefined && size < saved.offset;
  // Another file took its place: what is known of the old one says nothing.
  const state = isShorter ? undefined : saved.reader;
  const recording = new Recording('claude-code', newCounts(), sessionId, state);
  let offset = isShorter ? 0 : saved.offset;
  if (transcript === undefined || size === undefined) {
    return { recording, offset, isWhole: true, exists: false };
  }
  const end = offset + maxBytes;
  for await (const lines of readLines(transcript, { start: offset })) {
    for (const line of lines) {
      if (!line.isWhole) break;
      offset += line.bytes + 1;
      for (const entry of recording.reader.read(line)) recordEntry(recording, entry);
    }
    if (offset >= end) break;
  }
  return { recording, offset, isWhole: offset >= size, exists: true };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}
