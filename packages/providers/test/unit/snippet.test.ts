import { snippetOf, wordAnalyzer } from '@vizprompt/providers/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const analyzer = wordAnalyzer();

/** Returns the piece with its highlights in brackets. */
function marked(text: string, query: string, maxLength?: number): string {
  const snippet = snippetOf(text, query, analyzer, maxLength === undefined ? {} : { maxLength });
  let out = '';
  let at = 0;
  for (const [start, end] of snippet.highlights) {
    out += `${snippet.text.slice(at, start)}[${snippet.text.slice(start, end)}]`;
    at = end;
  }
  return out + snippet.text.slice(at);
}

describe('a snippet', () => {
  it('marks the words of the query in the original text, whatever their form', () => {
    expect(marked('ＪＷＴを使用し、検証する。', 'jwt 検証')).toBe('[ＪＷＴ]を使用し、[検証]する。');
    expect(marked('class authMiddleware {}', 'middleware')).toBe('class auth[Middleware] {}');
    expect(marked('ｻｰﾊﾞｰの設定', 'サーバー')).toBe('[ｻｰﾊﾞｰ]の設定');
    expect(marked('a café, a cafe\u0301!', 'café')).toBe('a [café], a [cafe\u0301]!');
    expect(marked('قال مرحبا بالعالم', 'مرحبا')).toBe('قال [مرحبا] بالعالم');
  });

  it('marks a whole word, and no endings elsewhere', () => {
    expect(marked('盗まれたときに、分かれたら。', '盗まれたトークン')).toBe(
      '[盗まれた]ときに、分かれたら。',
    );
  });

  it('marks endings where there is nothing else', () => {
    expect(marked('猫はどこにいるのですか', 'いるのです')).toContain('[いるのです]');
  });

  it('is cut out where most of the query is, at the beginning of a sentence', () => {
    const text = `認証の話。${'あ'.repeat(500)}。ここで認証とトークンが出る。${'い'.repeat(500)}`;
    const snippet = snippetOf(text, '認証 トークン', analyzer, { maxLength: 40 });
    expect(snippet.text.startsWith('ここで認証とトークン')).toBe(true);
    expect(snippet.text).toHaveLength(40);
    expect(text.slice(snippet.start, snippet.start + 40)).toBe(snippet.text);
  });

  it('is the beginning when nothing is found', () => {
    expect(snippetOf('猫'.repeat(300), '犬', analyzer)).toEqual({
      text: '猫'.repeat(240),
      start: 0,
      highlights: [],
    });
  });

  it('is always a verbatim piece of whole characters, its highlights apart and inside', () => {
    const text = fc.string({
      unit: fc.constantFrom('猫', '犬', 'a', 'B', '🐈', '。', ' ', 'ー', '\u0301', 'の', 'た'),
      maxLength: 200,
    });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 2, max: 60 }), (body, query, maxLength) => {
        const snippet = snippetOf(body, query, analyzer, { maxLength });
        expect(body.slice(snippet.start, snippet.start + snippet.text.length)).toBe(snippet.text);
        expect(snippet.text.length).toBeLessThanOrEqual(maxLength);
        expect(snippet.text.isWellFormed()).toBe(true);
        let last = -1;
        for (const [start, end] of snippet.highlights) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(snippet.text.length);
      }),
    );
  });
});
