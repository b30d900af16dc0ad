import { expect, it } from 'vitest';
import { conflictSides } from '../../src/format/merge-conflict.ts';

it('a row of signs and an empty line are lines of a side that Jujutsu marked', () => {
  const heading = [
    '<<<<<<< c',
    '+++++++ a',
    'Title',
    '-------',
    'A',
    '------- b',
    'B',
    '+++++++ c',
  ];
  expect(conflictSides([...heading, 'C', '>>>>>>> c', ''].join('\n'))).toMatchObject({
    ours: 'Title\n-------\nA\n',
    base: 'B\n',
    theirs: 'C\n',
  });
  const old = ['<<<<<<<', '%%%%%%%', '-B', '+A', '+++++++', 'C', '>>>>>>>', ''];
  expect(conflictSides(old.join('\n'))).toMatchObject({ ours: 'A\n', theirs: 'C\n' });
  const diff = ['<<<<<<< c', '%%%%%%% a', ' x', '', '-y', '+z', '+++++++ b', 'C', '>>>>>>> c', ''];
  expect(conflictSides(diff.join('\n'))).toMatchObject({
    ours: 'x\n\nz\n',
    base: 'x\n\ny\n',
    theirs: 'C\n',
  });
});

it.each<readonly [string, readonly string[]]>([
  [
    'a diff and a side of Jujutsu',
    [
      '<<<<<<< Conflict 1 of 1',
      '%%%%%%% Changes from base to side #1',
      ' kept',
      '-old',
      '+mine',
      '+++++++ Contents of side #2',
      'kept',
      'other',
      '>>>>>>> Conflict 1 of 1 ends',
    ],
  ],
  [
    'a diff of two lines of head after a side',
    [
      '<<<<<<< conflict 1 of 1',
      '+++++++ side #1',
      'kept',
      'mine',
      '%%%%%%% diff from: base',
      '\\\\\\\\\\\\\\        to: side #2',
      ' kept',
      '-old',
      '+other',
      '>>>>>>> conflict 1 of 1 ends',
    ],
  ],
  [
    'snapshots with long marks',
    [
      '<<<<<<<<<<< conflict 1 of 1',
      '+++++++++++ side #1',
      'kept',
      'mine',
      '----------- base',
      'kept',
      'old',
      '+++++++++++ side #2',
      'kept',
      'other',
      '>>>>>>>>>>> conflict 1 of 1 ends',
    ],
  ],
  [
    'long marks of git',
    [
      '<<<<<<<<<< HEAD',
      'kept',
      'mine',
      '||||||||||',
      'kept',
      'old',
      '==========',
      'kept',
      'other',
      '>>>>>>>>>> b',
    ],
  ],
])('sides of a conflict are read from %s', (_, lines) => {
  for (const end of ['\n', '\r\n']) {
    const sides = conflictSides(['a', ...lines, 'z', ''].join(end));
    const texts = [sides?.ours, sides?.base, sides?.theirs].map((text) => text?.split(end));
    expect(texts).toEqual(['mine', 'old', 'other'].map((word) => ['a', 'kept', word, 'z', '']));
    expect(sides).toMatchObject({ line: 2, isAmbiguous: false });
  }
});

it.each([
  ['', ['||||||||| 1', 'o', '========= ', 'p', '>>>>>>>>> Temporary merge branch 2']],
  [' with one that was said', ['said', '>>>>>>>>>', '<<<<<<<<<<<', 'x', '>>>>>>>>>>>']],
])('a conflict of git keeps the longer marks within it%s', (_, inner) => {
  const within = ['<<<<<<<<< Temporary merge branch 1', ...inner];
  const lines = [
    '<<<<<<< HEAD',
    'mine',
    '||||||| base',
    ...within,
    '=======',
    'other',
    '>>>>>>> b',
  ];
  const sides = conflictSides(['a', ...lines, 'z', ''].join('\n'));
  expect(sides).toMatchObject({ ours: 'a\nmine\nz\n', theirs: 'a\nother\nz\n', isLong: false });
  expect(sides?.base).toBe(['a', ...within, 'z', ''].join('\n'));
});

it.each([
  [
    'long marks of two lengths',
    '<<<<<<<< a\nx\n========\ny\n>>>>>>>> a\n<<<<<<<<< a\nx\n=========\ny\n>>>>>>>>> a\n',
  ],
  ['three sides', '<<<<<<< c\n+++++++ 1\na\n+++++++ 2\nb\n+++++++ 3\nc\n>>>>>>> c\n'],
  ['a row of signs in a text', '<<<<<<<< a\n>>>>>>>>>\n+++++++\n'],
])('%s are none', (_, text) => {
  expect(conflictSides(text)).toBeUndefined();
});

it('beginnings of conflicts without end take linear time', () => {
  expect(
    conflictSides(`${'<<<<<<<<< a\n+++++++++ b\n'.repeat(200_000)}>>>>>>>>> b\n`),
  ).toBeUndefined();
});
