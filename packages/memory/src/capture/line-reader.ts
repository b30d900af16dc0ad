import { isJsonObject, type JsonObject } from '@vizprompt/providers';
import { closeOpenCalls } from './calls.ts';
import type { TranscriptReader } from './draft.ts';
import type { Recording } from './recording.ts';

/** A reader of a transcript of JSON lines: what is no JSON object is kept as it is. */
export function lineReader(
  recording: Recording,
  readLine: (line: JsonObject) => void,
): TranscriptReader {
  const { unknown } = recording.counts;
  return {
    line(value) {
      if (isJsonObject(value)) readLine(value);
      else recording.keep(unknown, 'no object', value);
    },
    broken: (text) => recording.keep(unknown, 'no JSON', text),
    end(closed) {
      if (closed) closeOpenCalls(recording);
      recording.end();
    },
  };
}
