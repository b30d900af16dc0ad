import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import type { ErasureReport } from '@vizprompt/providers';
import { ConversationLog, ConversationManager } from '@vizprompt/talktable';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { findWords } from '../../../../providers/test/support/find-words.ts';
import { Place } from '../../support/place.ts';

const SAID = 'The vault is behind 蜜柑畑の絵.';
const WORDS = ['The vault', '蜜柑畑'];

describe('ptta erase', () => {
  it('erases what a user said, and says what it cannot reach', async () => {
    await using place = await Place.make();
    await place.json('ptta', ['session:start']);
    const path = join(place.home, '.ptta', 'ptta.db');
    {
      await using store = await MemoryStore.open({ path });
      const { id } = await store.startSession({ workspace: '/w', metadata: { user: 'Alice' } });
      await store.log(id, 'user_message', { content: SAID });
    }
    const args = ['erase', '--speaker', 'alice'];
    const planned = await place.json<ErasureReport>('ptta', [...args, '--dry-run']);
    expect(planned.erased).toContainEqual({ place: 'events', count: 1 });
    expect(findWords(place.home, WORDS)).not.toEqual([]);
    const { stdout, code } = await place.run('ptta', args);
    expect([code, stdout]).toEqual([0, expect.stringContaining('transcripts that agents keep')]);
    expect(findWords(place.home, WORDS)).toEqual([]);
  });
});

describe('talktable erase', () => {
  it('erases what a participant said in all talks of the log', async () => {
    await using place = await Place.make();
    const logPath = join(place.cwd, 'logs', 'conversation.db');
    {
      await using manager = await ConversationManager.open({
        topic: 't',
        rounds: 1,
        logPath,
        participants: [
          { name: 'Alice', model: scriptedModel(() => SAID) },
          { name: 'Bob', model: scriptedModel(() => `You said: ${SAID}`) },
        ],
      });
      for await (const _ of manager.start());
    }
    expect(findWords(place.cwd, WORDS)).not.toEqual([]);
    const { stdout } = await place.run('talktable', ['erase', '--speaker', 'Alice']);
    expect(stdout).toContain('  turns: 1\n');
    expect(findWords(place.cwd, WORDS)).toEqual([]);
    await using log = await ConversationLog.open(logPath);
    expect(await log.conversations()).toHaveLength(1);
    const missing = await place.run('talktable', [
      'erase',
      '--speaker',
      'A',
      '--log-path',
      'no.db',
    ]);
    expect(missing.code).toBe(3);
  });
});
