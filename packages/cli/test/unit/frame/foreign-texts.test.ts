import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationManager } from '@vizprompt/talktable';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { dialogoi } from '../../../src/dialogoi/tool.ts';
import { ptta } from '../../../src/ptta/tool.ts';
import { talktable } from '../../../src/talktable/tool.ts';
import { vizprompt } from '../../../src/vizprompt/tool.ts';
import { commandNames } from '../../support/command-names.ts';
import { Place } from '../../support/place.ts';
import { writeNovel } from '../../support/novel.ts';

/** C0 and C1, a title (OSC 0), a link (OSC 8), DCS, moves of the cursor, BEL, and marks of direction. */
const HOSTILE =
  'word \u001B]0;title\u0007 \u001B]8;;https://evil.example\u001B\\link\u001B]8;;\u001B\\ \u009B31m \u0090q\u009C \u001B[2J\u0008\u000C\u0007\u007F\u0085 a\u202Etxt\u202C \u2066b\u2069 \u200E\u200F\u061C end';
// oxlint-disable-next-line no-control-regex -- these are what must not be there
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
// oxlint-disable-next-line no-control-regex -- styles, and how a line is drawn again
const OWN = /\u001B\[(?:\d{1,2})(?:;\d{1,2})*m|\r\u001B\[2K|\r\n/g;

type Words = readonly [tool: 'vizprompt' | 'ptta' | 'talktable' | 'dialogoi', ...args: string[]];

/** Commands that show what is stored, or repeat what was given. */
const COMMANDS: readonly Words[] = [
  ['vizprompt', 'search', 'word'],
  ['vizprompt', 'show', 'NODE'],
  ['vizprompt', 'list'],
  ['vizprompt', 'log'],
  ['vizprompt', 'flows'],
  ['vizprompt', 'tags'],
  ['vizprompt', 'check'],
  ['vizprompt', 'stats'],
  ...['markdown', 'json', 'html', 'dot', 'mermaid', 'svg'].map((format): Words => [
    'vizprompt',
    'export',
    '--format',
    format,
  ]),
  ['vizprompt', 'import', HOSTILE],
  ['vizprompt', HOSTILE],
  ['vizprompt', 'workflow', 'lint', 'hostile.yaml'],
  ['vizprompt', 'workflow', 'diagram', 'hostile.yaml'],
  ['ptta', 'history'],
  ['ptta', 'search', 'word'],
  ['ptta', 'recall', 'word'],
  ['ptta', 'session:list'],
  ['ptta', 'session:show'],
  ['ptta', 'file:history', HOSTILE],
  ['ptta', 'edit', HOSTILE],
  ['ptta', 'stats'],
  ['ptta', 'check'],
  ['ptta', 'export'],
  ['ptta', 'export', '--format', 'html'],
  ['ptta', 'import', HOSTILE],
  ['ptta', HOSTILE],
  ['talktable', 'list'],
  ['talktable', 'show'],
  ['talktable', 'show', '--prompts'],
  ['talktable', 'show', '--analysis'],
  ['talktable', 'export'],
  ['talktable', 'export', '--format', 'json'],
  ['talktable', 'export', '--format', 'html'],
  ['talktable', 'run', 'hostile.yaml'],
  ['talktable', HOSTILE],
  ['dialogoi', 'projects'],
  ['dialogoi', 'search', 'word'],
  ['dialogoi', 'list'],
  ['dialogoi', 'read', 'contents/02.md'],
  ['dialogoi', 'index'],
  ['dialogoi', HOSTILE],
];

async function hostilePlace(): Promise<{ readonly place: Place; readonly node: string }> {
  const place = await Place.make();
  const chat = [
    {
      uuid: 'c',
      name: HOSTILE,
      chat_messages: [
        { uuid: 'm', sender: 'human', text: HOSTILE },
        { uuid: 'n', sender: 'assistant', text: HOSTILE },
      ],
    },
  ];
  await writeFile(join(place.cwd, 'chat.json'), JSON.stringify(chat));
  await place.json('vizprompt', ['init']).catch(() => undefined);
  await place.json('vizprompt', ['import', 'chat.json']);
  const [found] = await place.json<readonly { readonly id: string }[]>('vizprompt', [
    'search',
    'word',
  ]);
  await writeFile(
    join(place.cwd, 'hostile.yaml'),
    `workflows: { ${JSON.stringify(HOSTILE)}: 1 }\n${JSON.stringify(HOSTILE)}: 2\n`,
  );
  await place.json('ptta', ['session:start']);
  for (const kind of ['user', 'assistant', 'thinking', 'intention']) {
    // oxlint-disable-next-line no-await-in-loop -- commands lend the environment of this process
    await place.run('ptta', [`log:${kind}`, HOSTILE]);
  }
  const novel = await writeNovel(place.cwd);
  await writeFile(
    join(novel, 'novel.json'),
    JSON.stringify({ title: HOSTILE, author: HOSTILE, tags: [HOSTILE] }),
  );
  await writeFile(join(novel, 'contents', '02.md'), `# ${HOSTILE}\n\n${HOSTILE}\n`);
  await using manager = await ConversationManager.open({
    topic: HOSTILE,
    participants: [
      { name: 'A', model: scriptedModel(() => HOSTILE) },
      { name: 'B', model: scriptedModel(() => HOSTILE) },
    ],
    rounds: 1,
    logPath: join(place.cwd, 'logs', 'conversation.db'),
  });
  await manager.start().result();
  return { place, node: found?.id ?? '' };
}

it('no command writes a control character of what it shows to a terminal', async () => {
  const { place, node } = await hostilePlace();
  await using _ = place;
  const shown: Record<string, number> = {};
  for (const [tool, ...args] of COMMANDS) {
    const words = args.map((word) => (word === 'NODE' ? node : word));
    // oxlint-disable-next-line no-await-in-loop -- commands lend the environment of this process
    const { stdout, stderr } = await place.run(tool, words, { isTerminal: true });
    const text = `${stdout}${stderr}`;
    expect.soft(text.replaceAll(OWN, ''), `${tool} ${words.join(' ')}`).not.toMatch(CONTROL);
    if (text.includes('evil.example')) shown[tool] = (shown[tool] ?? 0) + 1;
  }
  // Else the table would show nothing that could be wrong.
  const [fewest = 0] = Object.values(shown).toSorted((a, b) => a - b);
  expect(Object.keys(shown)).toHaveLength(4);
  expect(fewest).toBeGreaterThan(2);
});

it.each([
  ['vizprompt', commandNames(vizprompt)],
  ['ptta', commandNames(ptta)],
  ['talktable', commandNames(talktable)],
  ['dialogoi', commandNames(dialogoi)],
] as const)('no command of %s repeats one of a wrong word or option', async (tool, names) => {
  await using place = await Place.make();
  let repeated = 0;
  // A hook takes every option, and reads the input of the process.
  const words = [`--${HOSTILE}`, `--project=${HOSTILE}`, `--format=${HOSTILE}`];
  for (const [index, name] of names.filter((one) => one !== 'hook').entries()) {
    // One of them for each command: all read their options in the same way.
    const word = words[index % words.length] ?? '';
    const args = [...name.split(' '), word, '--nothing-of-this-name'];
    // oxlint-disable-next-line no-await-in-loop -- commands lend the environment of this process
    const { stdout, stderr } = await place.run(tool, args, { isTerminal: true });
    const text = `${stdout}${stderr}`;
    expect.soft(text.replaceAll(OWN, ''), `${tool} ${args.join(' ')}`).not.toMatch(CONTROL);
    if (text.includes('evil.example')) repeated++;
  }
  expect(repeated).toBeGreaterThan(0);
});
