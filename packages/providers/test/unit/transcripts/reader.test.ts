import { describe, expect, it } from 'vitest';
import { readTranscript, TranscriptReader } from '../../../src/transcripts/index.ts';
import { detectAgent } from '../../../src/transcripts/lines/detect-agent.ts';

describe('a file that is no transcript', () => {
  it('gives no entries, and is given up', async () => {
    const reader = new TranscriptReader();
    let count = 0;
    const lines = function* (): Generator<string> {
      for (; count < 1000; count++) yield JSON.stringify({ count });
    };
    for await (const entry of readTranscript(lines(), reader)) expect(entry).toBeUndefined();
    expect(count).toBeLessThan(1000);
    expect(reader).toMatchObject({ isForeign: true, agent: undefined });
    expect(detectAgent('text')).toBeUndefined();
    expect(() => reader.session('any')).toThrow(TypeError);
  });
});

describe('the usage of Claude Code', () => {
  it('adds up to what the messages used, although lines repeat it', () => {
    const reader = new TranscriptReader({ agent: 'claude-code' });
    const usages = [3, 3, 8].map((output_tokens, at) => {
      const message = { id: 'm', content: [], usage: { input_tokens: 5, output_tokens } };
      const line = { type: 'assistant', uuid: `u${at}`, sessionId: 's', message };
      return reader.read({ value: line })[0]?.usage;
    });
    expect(usages).toEqual([
      { input_tokens: 5, output_tokens: 3 },
      undefined,
      { output_tokens: 5 },
    ]);
  });
});
