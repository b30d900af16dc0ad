import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { MemoryEvent } from '../../../src/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { allEvents, newFolder, openMemory, put } from '../../support/capture/open-memory.ts';
import { otherLogs } from '../../support/capture/other-logs.ts';
import { Random } from '../../support/capture/random.ts';
import { randomRuns } from '../../support/open-store.ts';
import type { TranscriptAgent } from '../../../src/capture/draft.ts';

/** Returns a log with something of everything. */
function longLog(): string {
  const log = new ClaudeLog('long').raw({ type: 'summary', summary: 's', leafUuid: 'elsewhere' });
  for (let turn = 0; turn < 6; turn++) {
    log
      .user('続けて')
      .thinking(turn % 2 === 0 ? `thought ${turn}` : '')
      .text(`answer ${turn}`);
    log.call(`toolu_a${turn}`, 'Bash', { command: 'ls' }).call(`toolu_b${turn}`, 'Write', {
      file_path: '/home/ann/shop/a.ts',
      content: `version ${turn}\n`,
    });
    log.result(`toolu_a${turn}`, { stdout: 'a.ts' });
    log.raw({
      type: 'queue-operation',
      operation: 'enqueue',
      content: 'x',
      sessionId: log.session,
    });
    log.result(`toolu_b${turn}`, {
      type: 'update',
      filePath: '/home/ann/shop/a.ts',
      content: `version ${turn}\n`,
    });
  }
  return log.raw({ type: 'custom-title', customTitle: 'End', sessionId: log.session }).toString();
}

const comparable = (all: Map<string, MemoryEvent[]>) =>
  [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));

const logs: readonly (readonly [TranscriptAgent, string])[] = [
  ['claude-code', longLog()],
  ...otherLogs,
];

describe('a log that grows', () => {
  for (const [agent, text] of logs) {
    it(`gives in the end what it gives at once: ${agent}`, async () => {
      const whole = await openMemory();
      const path = await put(await newFolder(), 'log.jsonl', text);
      await whole.importTranscript(path);
      const random = new Random(3);
      const bytes = Buffer.from(text);
      for (let round = 0; round < randomRuns(2); round++) {
        const store = await openMemory();
        const cuts = Array.from({ length: 7 }, () => random.below(bytes.length));
        for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          // Cut anywhere, also within a character.
          await writeFile(path, bytes.subarray(0, cut));
          await store.importTranscript(path, { agent });
        }
        expect(comparable(await allEvents(store))).toEqual(comparable(await allEvents(whole)));
        expect((await store.listSessions()).map(({ metadata }) => metadata)).toEqual(
          (await whole.listSessions()).map(({ metadata }) => metadata),
        );
      }
    });
  }

  it('is read whatever its lines have become', async () => {
    const random = new Random(4);
    for (const [agent, text] of logs) {
      for (let round = 0; round < randomRuns(3); round++) {
        const bytes = Buffer.from(text);
        for (let change = 0; change < 6; change++) {
          const at = random.below(bytes.length);
          const kind = random.below(3);
          if (kind === 0) bytes[at] = random.below(256);
          else if (kind === 1) bytes.copyWithin(at, random.below(bytes.length), at + 40);
          else bytes.fill(0, at, at + random.below(30));
        }
        const store = await openMemory({ redact: false });
        const path = await put(await newFolder(), 'log.jsonl', '');
        await writeFile(path, bytes);
        const report = await store.importTranscript(path, { agent });
        const again = await store.importTranscript(path, { agent });
        expect(again.added, `${agent} ${round}`).toBe(0);
        expect(again.refused).toEqual(report.refused);
        expect((await readFile(path)).equals(bytes)).toBe(true);
      }
    }
  });
});
