import { describe, expect, it } from 'vitest';
import { ERASED, Eraser } from '../../src/erase/eraser.ts';

function pathOf(path: string, said: string): string {
  const eraser = new Eraser('Alice');
  eraser.learn(said);
  return eraser.path(path);
}

describe('a path, without what was said', () => {
  it.each([
    '/w/src/parser.ts',
    'app/[slug]/page.tsx',
    'app/(shop)/page.tsx',
    'src/routes/+page.svelte',
    'docs/設計書/要件.md',
    '要件定義書の最終版です.md',
    'vendor/a~b/c++.cpp',
    String.raw`C:\repo\src\parser.ts`,
    String.raw`C:\My Documents\the parser.ts`,
    'docs/the plan of the vault.md',
    '/home/ann/My Documents/notes',
    'node_modules/lodash@4.17.21/index.js',
    'private-plan-of-alice.md',
  ])('stays where a file was listed: %s', (path) => {
    expect(pathOf(path, `Please fix:\n${path}\nSoon.`)).toBe(path);
    expect(pathOf(`/w/${path}`, `Please fix:\n${path}\nSoon.`)).toBe(`/w/${path}`);
  });

  it.each([
    ['the code of the vault', '/w/the code of the vault.md', `/w/${ERASED}.md`],
    [
      'the code of the vault',
      String.raw`C:\w\the code of the vault.md`,
      String.raw`C:\w\[erased].md`,
    ],
    [
      'the code of the vault',
      String.raw`C:\\w\\the code of the vault.md`,
      String.raw`C:\\w\\[erased].md`,
    ],
    [
      'ann@hospital-of-berlin.example',
      String.raw`C:\ann@hospital-of-berlin.example\a`,
      String.raw`C:\[erased]\a`,
    ],
    ['on 12/5 with Dr. Smith', '/w/on 12/5 with Dr. Smith.md', `/w/${ERASED}.md`],
    ['金庫の番号は四七一一です', '/w/金庫の番号は四七一一です.md', `/w/${ERASED}.md`],
    ['ann@hospital-of-berlin.example', '/w/ann@hospital-of-berlin.example/a', `/w/${ERASED}/a`],
  ])('has no words: %s', (said, path, expected) => {
    expect(pathOf(path, said)).toBe(expected);
  });

  it.each([
    ['private-plan-of-alice', '/w/Ann/private-plan-of-alice.md', `/w/Ann/${ERASED}.md`],
    ['/w/customers/smith-john-diagnosis.pdf', '/w/customers/smith-john-diagnosis.pdf', ERASED],
    [String.raw`C:\repo\smith.pdf`, String.raw`C:\repo\smith.pdf`, ERASED],
    ['anyone', '/w/anyone.md', '/w/anyone.md'],
  ])('has nothing of a text that the caller gave: %s', (text, path, expected) => {
    expect(new Eraser('Alice', { texts: [text] }).path(path)).toBe(expected);
  });

  it('keeps files that a longer text of the caller lists', () => {
    const texts = ['Please fix:\nsrc/parser.ts'];
    expect(new Eraser('Alice', { texts }).path('/w/src/parser.ts')).toBe('/w/src/parser.ts');
  });
});

describe('a speaker', () => {
  const signs = Array.from('-&~#\'=%!,<>:@{}[]()^$|/\\+*?."', (sign) => `a${sign}b`);

  it.each(['Jean-Luc', 'gpt-4', ...signs])('may be called %j', (speaker) => {
    const eraser = new Eraser(speaker, { mentions: true });
    expect(eraser.clean(`${speaker}: hi`)).toBe(`${ERASED}: hi`);
    expect(eraser.isMentioned(`x ${speaker} y`)).toBe(true);
    expect(eraser.isMentioned('x ab y')).toBe(false);
  });

  it.each([
    ['\u200EAlice', 'Alice: hello. Bob likes Alice.', `${ERASED}: hello. Bob likes ${ERASED}.`],
    ['Alice', '\u200EAl\u200Bice\u200E: hi Ali\u00ADce', `${ERASED}: hi ${ERASED}`],
    ['Strauß', 'STRAUSS: hi\nStrauss', `${ERASED}: hi\n${ERASED}`],
    ['Strauss', 'Strauß: hi', `${ERASED}: hi`],
    ['Ann Lee', 'Ann\u00A0Lee: hi Ann  Lee', `${ERASED}: hi ${ERASED}`],
    ['Ann  Lee', 'Ann Lee: hi', `${ERASED}: hi`],
    ['Jose\u0301', 'Jos\u00E9: hi', `${ERASED}: hi`],
    ['Ａｎｎ', 'Ann: hi Ａｎｎ', `${ERASED}: hi ${ERASED}`],
    ['a.b(c', 'a.b(c: hi', `${ERASED}: hi`],
    ['Alice', 'Ａｌｉｃｅ: hi ＡＬＩＣＥ', `${ERASED}: hi ${ERASED}`],
    ['ガパー', 'ｶﾞﾊﾟｰ: hi ガパー', `${ERASED}: hi ${ERASED}`],
    ['ｶﾞﾊﾟｰ', 'ガパー: hi ｶﾞﾊﾟｰ', `${ERASED}: hi ${ERASED}`],
  ])('finds the label and the mention of %j in %j', (speaker, text, expected) => {
    const eraser = new Eraser(speaker, { mentions: true });
    expect(eraser.isMentioned(text)).toBe(true);
    expect(eraser.clean(text)).toBe(expected);
  });

  it.each([
    ['Ann Lee', 'AnnLee: hi'],
    ['Ann', 'Anna: hi'],
    ['Ros', 'Roß: hi'],
    ['a.b', 'acb: hi'],
  ])('finds no label or mention of %j in %j', (speaker, text) => {
    expect(new Eraser(speaker, { mentions: true }).clean(text)).toBe(text);
  });

  it('compares a name that has no character that is seen as it is', () => {
    const eraser = new Eraser('\u3164');
    expect(eraser.isSpeaker('\u3164')).toBe(true);
    for (const name of ['', '\u200E', ' ']) expect(eraser.isSpeaker(name)).toBe(false);
    expect(new Eraser('\u3164', { mentions: true }).clean('a: b')).toBe('a: b');
  });
});
