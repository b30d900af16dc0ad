import { closedElements } from '@vizprompt/providers/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const innersOf = (text: string): readonly string[] =>
  closedElements(text).map(({ inner }) => inner);

describe('closedElements', () => {
  it.each([
    ['<a>1</a> <b x="2">3</b>', ['1', '3']],
    ['<a><b>1</b></a>', ['<b>1</b>']],
    ['<a>1 <b>2</b>', ['2']],
    ['<a>1<a>2</a>3</a>', ['1<a>2']],
    ['</a><a>', []],
    ['1 < 2 > 3 <猫>4</猫>', []],
  ])('of %s are the outer ones with an end', (text, inners) => {
    expect(innersOf(text)).toEqual(inners);
  });

  it('are what a regular expression finds that looks for each end', () => {
    const piece = fc.constantFrom('<a>', '</a>', '<b-c>', '</b-c>', '<a d="e">', 'x', '<', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        const found = [...text.matchAll(/<([a-z-]+)(?: [^<>]*)?>([\s\S]*?)<\/\1>/g)];
        expect(innersOf(text)).toEqual(found.map(([, , inner]) => inner));
      }),
    );
  });

  it('are looked for once in a text of tags without an end', () => {
    const text = `${'<a>'.repeat(200_000)}</b>`;
    expect(closedElements(text)).toEqual([]);
  });
});
