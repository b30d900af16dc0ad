import { describe, expect, it } from 'vitest';
import { linkCitations } from '../../src/import/citations.ts';

describe('a citation', () => {
  const block = { citations: [{ url: 'https://a.example', title: 'A' }] };
  const linked = (text: string, cited: typeof block = block): unknown =>
    linkCitations({ type: 'text', text }, cited);

  it.each([
    'See [x](https://a.example/other).',
    'See [x](https://a.example.org).',
    'See (https://a.example,b).',
    'See [x](https://a.example?page=2) and [y](https://a.example/#part).',
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
  ])('is not linked again where the text has its address: %s', (text) => {
    expect(linked(text)).toMatchObject({ text });
  });

  it('may have brackets in its address', () => {
    const text = 'See [x](https://a.example/b_(c)).';
    const cited = { citations: [{ url: 'https://a.example/b_(c)', title: 'A' }] };
    expect(linked(text, cited)).toMatchObject({ text });
  });
});
