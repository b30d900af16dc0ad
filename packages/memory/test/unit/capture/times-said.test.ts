import { saveTranscriptState } from '@vizprompt/providers/transcripts';
import { expect, it } from 'vitest';
import { newCounts, newReaderState } from '../../../src/capture/reader-state.ts';
import { Recording } from '../../../src/capture/recording.ts';

const SESSION = '0198c1b4-6a8e-7cc1-9d53-1f2e3d4c5b6a';

function recordingOf(state = newReaderState()): Recording {
  const recording = new Recording('codex', newCounts(), SESSION, state);
  recording.session(SESSION);
  return recording;
}

it('texts that were said are counted, each in few bytes of the state', () => {
  const recording = recordingOf();
  const before = JSON.stringify(saveTranscriptState(recording.state)).length;
  for (let text = 0; text < 1000; text++) recording.timesSaid(`said ${text}`.padEnd(37, 'f'));
  expect(recording.timesSaid('said 7'.padEnd(37, 'f'))).toBe(1);
  const after = JSON.stringify(saveTranscriptState(recording.state)).length;
  expect((after - before) / 1000).toBeLessThan(30);
});

it('texts that were said are counted on from the state of an older version', () => {
  const state = newReaderState();
  state.said.set(`${SESSION} said a`, 2);
  const recording = recordingOf(state);
  expect([recording.timesSaid('said a'), recording.timesSaid('said a')]).toEqual([2, 3]);
});
