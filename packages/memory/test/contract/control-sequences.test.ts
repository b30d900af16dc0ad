import { expect, it } from 'vitest';
import { newStore } from '../support/open-store.ts';

/** An output for a terminal, a word that it shows, and one that is only in a control sequence. */
const SHOWN: readonly (readonly [string, string, string | undefined])[] = [
  ['\u001b[32mpassed\u001b[39m', 'passed', '32m'],
  ['\u001b[1mpa\u001b[22mssed', 'passed', '22mssed'],
  ['\u001b[38;5;208mpassed\u001b[0m', 'passed', '208m'],
  ['loading\u001b[1G\u001b[2Kpassed', 'loading', '2kpassed'],
  ['loading\u001b[?25lpassed', 'passed', '25lpassed'],
  ['\u001b[2 qpassed', 'passed', 'qpassed'],
  ['\u001b[!p\u001b[?3;4lpassed', 'passed', '4lpassed'],
  // One that is cut off does not take the first letter of the next word.
  ['\u001b[31 zork', 'zork', undefined],
  ['\u001b[31 quick', 'quick', undefined],
  ['\u001b[1;38  "zork"', 'zork', undefined],
  ['\u001b[31"zork"', 'zork', undefined],
  ['\u001b[31 élan', 'élan', undefined],
  // No control sequences: text in brackets, and one that never ends.
  ['[32mpassed', '32mpassed', undefined],
  ['\u001b[32;認証', '32', undefined],
];

it.each(SHOWN)('in %j is found by %s, not by %s', async (stdout, word, hidden) => {
  const store = await newStore();
  const { id } = await store.startSession({ workspace: '/w' });
  const data = { tool: 'Bash', parameters: {}, result: { stdout } };
  await store.log(id, 'tool_use', data);
  const hits = await store.search(word);
  expect(hits.map(({ event }) => event.data)).toEqual([data]);
  if (hidden === undefined) return;
  expect(hits[0]?.snippet.text).not.toContain('\u001b[');
  expect(await store.search(`"${hidden}"`)).toEqual([]);
});

it('are read in linear time', async () => {
  const store = await newStore();
  const { id } = await store.startSession({ workspace: '/w' });
  const stdout = `${'\u001b[0;'.repeat(200_000)}\nend`;
  await store.log(id, 'tool_use', { tool: 'Bash', parameters: {}, result: { stdout } });
  expect(await store.search('end')).toHaveLength(1);
});
