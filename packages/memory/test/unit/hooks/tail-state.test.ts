import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadTailState, saveTailState } from '../../../src/capture/live/tail-transcript.ts';
import { newFolder } from '../../support/capture/open-memory.ts';

/** As version 0.1.0 wrote it. */
const SAVED = {
  form: 1,
  offset: 4711,
  reader: {
    session: { agent: 'claude-code', sourceId: 's1', metadata: { branch: 'main' } },
    calls: [['t1', { id: 't1', tool: 'Bash', input: { command: 'ls' }, meta: { tool: 'Bash' } }]],
    reasons: [['', '値引きを直して']],
    nodes: [['u1', 'u1#0']],
    usage: [['m1:', { output_tokens: 3 }]],
    prompts: { abc: 2 },
    unmatched: [['def', -1]],
    kept: [{ type: 'system' }],
    keptCharacters: 17,
    keptEvents: 1,
    notes: { isPart: false },
  },
};

it('opens a state that an older version saved, and saves the same', async () => {
  const path = join(await newFolder(), 'state.json');
  await writeFile(path, JSON.stringify(SAVED));
  const { offset, reader } = await loadTailState(path);
  expect(offset).toBe(4711);
  expect(reader.session).toEqual(SAVED.reader.session);
  expect(reader.calls.get('t1')?.input).toEqual({ command: 'ls' });
  expect(reader.reasons.get('')).toBe('値引きを直して');
  expect(reader.nodes.get('u1')).toBe('u1#0');
  expect(reader.usage.get('m1:')).toEqual({ output_tokens: 3 });
  expect(reader.unmatched.get('def')).toBe(-1);
  expect(reader.prompts).toEqual({ abc: 2 });
  await saveTailState(path, { offset, reader });
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    ...SAVED,
    reader: { ...SAVED.reader, said: [], seen: [] },
  });
});
