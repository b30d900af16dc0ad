import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import type { MemoryEvent } from '../../../src/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { allEvents, newFolder, openMemory, put } from '../../support/capture/open-memory.ts';
import { Random } from '../../support/capture/random.ts';

/** Logs of sessions that were resumed: many begin as one of those before does, up to some line. */
async function writeResumed(random: Random, files: number): Promise<string> {
  const folder = await newFolder();
  const before: (readonly string[])[] = [];
  for (let number = 0; number < files; number++) {
    const log = new ClaudeLog(`resumed ${number}`);
    const turns = 10 + random.below(80);
    for (let turn = 0; turn < turns; turn++) addTurn(log, random, `${number} ${turn}`);
    const copied = number === 0 ? [] : random.pick(before).slice(0, random.below(60));
    const lines = random.below(3) === 0 ? log.lines : [...copied, ...log.lines];
    before.push(lines);
    await put(folder, `${100 + number}.jsonl`, `${lines.join('\n')}\n`);
  }
  return folder;
}

function addTurn(log: ClaudeLog, random: Random, name: string): void {
  const id = `toolu_${name}`;
  const change = { old_string: random.pick(['a', 'b', '値']), new_string: random.pick(['a', 'c']) };
  const facts = { filePath: 'a.ts', oldString: change.old_string, newString: change.new_string };
  const edit = (told: JsonObject): void => {
    log.call(id, 'Edit', { file_path: 'a.ts', ...change }).result(id, { ...facts, ...told });
  };
  const kind = random.below(6);
  if (kind === 0) edit({});
  else if (kind === 1) edit({ originalFile: `a b 値 ${'x'.repeat(random.below(20_000))}` });
  else if (kind === 2) log.user(`${name} ${'語'.repeat(random.below(20_000))}`);
  else if (kind === 3) log.thinking(name).text(`${name} answers`);
  else if (kind === 4) log.call(id, 'Bash', { command: name }).result(id, { stdout: name });
  else log.user(`${name} again`).text('same');
}

const comparable = (all: Map<string, MemoryEvent[]>) =>
  [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));

describe('a folder of logs', () => {
  it('gives at once what its files give one by one', async () => {
    const folder = await writeResumed(new Random(1), 14);
    const atOnce = await openMemory();
    const { added } = await atOnce.importTranscript(folder, { closed: true });
    const oneByOne = await openMemory();
    let sum = 0;
    for (const file of (await readdir(folder)).toSorted()) {
      sum += (await oneByOne.importTranscript(join(folder, file), { closed: true })).added;
    }
    expect(added).toBe(sum);
    expect(comparable(await allEvents(atOnce))).toEqual(comparable(await allEvents(oneByOne)));
    expect(await atOnce.check()).toMatchObject({ isOk: true });
    expect(await atOnce.importTranscript(folder, { closed: true })).toMatchObject({ added: 0 });
  });
});
