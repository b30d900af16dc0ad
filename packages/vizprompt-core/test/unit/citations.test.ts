import { describe, expect, it } from 'vitest';
import { citationsOf, linkCitations } from '../../src/import/citations.ts';

describe('a citation', () => {
  const block = { citations: [{ url: 'https://a.example', title: 'A' }] };
  const linked = (text: string, cited: typeof block = block): unknown =>
    linkCitations({ type: 'text', text }, cited);

  it.each([
    'See [x](https://a.example/other).',
    'See [x](https://a.example.org).',
    'See (https://a.example,b).',
    'See [x](https://a.example?page=2) and [y](https://a.example/#/part).',
    'See [x](https://a.example?utm_source=b&page=2).',
    'See https://a.example',
  ])('is linked where the text has at most a longer address: %s', (text) => {
    expect(linked(text)).toMatchObject({ text: `${text} ([A](https://a.example))` });
  });

  it.each([
    'See [x](https://a.example).',
    'See [x](https://a.example/).',
    'See [x](https://a.example "A page").',
    'See (https://a.example, https://b.example).',
    'See [y](https://a.example/other) and [x](https://a.example).',
    'See (https://a.example',
    'See ([x](https://a.example/?utm_source=chatgpt.com)).',
    'See [x](https://a.example?utm_source=b&utm_medium=c#part "A page").',
    'See [x](https://a.example#:~:text=foo).',
    'See (https://a.example/#part, https://b.example).',
  ])('is not linked again where the text has its address: %s', (text) => {
    expect(linked(text)).toMatchObject({ text });
  });

  it('may have brackets in its address', () => {
    const text = 'See [x](https://a.example/b_(c)).';
    const cited = { citations: [{ url: 'https://a.example/b_(c)', title: 'A' }] };
    expect(linked(text, cited)).toMatchObject({ text });
  });

  it.each(['', ' '])('with the address %j links nothing', (url) => {
    expect(linked('See f(x).', { citations: [{ url, title: 'A' }] })).toMatchObject({
      text: 'See f(x).',
    });
    const { link } = citationsOf({
      content_references: [{ matched_text: '[1]', items: [{ url, title: 'A' }] }],
      citations: [{ metadata: { url, title: 'B' } }],
    });
    const text = 'a[1]b\u30101\u2020source\u3011';
    expect(link({ type: 'text', text })).toMatchObject({ text: 'ab (B)' });
  });

  it('is found in linear time', () => {
    const text = '(https://a.example#'.repeat(200_000);
    // Quadratic time would run into the time limit of a test.
    expect(linked(text)).toMatchObject({ text });
  });
});
