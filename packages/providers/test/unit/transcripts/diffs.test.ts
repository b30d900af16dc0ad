import { describe, expect, it } from 'vitest';
import { applyDiff, wholeTexts } from '../../../src/transcripts/changes/whole-texts.ts';

describe('a diff in a log', () => {
  it.each([
    [
      'all of a file',
      '@@ -1,2 +1,2 @@\n こんにちは\n-hello\n+HELLO\n',
      'こんにちは\nhello\n',
      'こんにちは\nHELLO\n',
    ],
    ['a new text in an empty file', '@@ -0,0 +1,1 @@\n+a\n', '', 'a\n'],
    ['an emptied file', '@@ -1,1 +0,0 @@\n-a\n', 'a\n', ''],
    ['no end of the last line', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n', 'a', 'b\n'],
  ])('gives both texts of %s', (_name, diff, oldText, newText) => {
    expect(wholeTexts(diff)).toEqual({ oldText, newText });
    expect(applyDiff(oldText, diff)).toBe(newText);
  });

  it.each([
    ['the file may go on', '@@ -1,2 +1,2 @@\n-a\n+b\n c\n'],
    ['it begins later', '@@ -2,1 +2,1 @@\n-a\n+b\n'],
    ['there is more than one place', '@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,1 @@\n-c\n+d\n'],
    ['it is none', 'no diff'],
  ])('gives no texts where %s', (_name, diff) => {
    expect(wholeTexts(diff)).toBeUndefined();
  });

  it('is applied to its own text only, and leaves the rest as it is', () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
    const diff =
      '@@ -2,2 +2,1 @@\n-line 2\n line 3\n@@ -19,2 +18,3 @@\n line 19\n line 20\n+more\n';
    const changed = applyDiff(text, diff);
    expect(changed).toBe(`${text.replace('line 2\n', '')}more\n`);
    expect(applyDiff(changed ?? '', diff)).toBeUndefined();
    expect(applyDiff('other\n', diff)).toBeUndefined();
  });
});
