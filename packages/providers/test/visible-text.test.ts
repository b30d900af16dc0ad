import { visibleHtml, VISIBLE_HTML_STYLE, visibleText } from '@vizprompt/providers';
import { JSDOM } from 'jsdom';
import { expect, it } from 'vitest';

const TURNS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const NAMES = ['202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069'];

it('HTML names each character that turns the direction, and keeps the text', () => {
  const text = `if (isAdmin) /* \u202e } \u2066 <b> */ שלום 日本語😀 ${TURNS}`;
  const { document } = new JSDOM(`<style>${VISIBLE_HTML_STYLE}</style><pre>${visibleHtml(text)}`)
    .window;
  const pre = document.querySelector('pre');
  expect(pre?.textContent).toBe(text);
  const marks = [...(pre?.children ?? [])];
  expect(marks.map((mark) => mark.getAttribute('data-code'))).toEqual(
    ['202E', '2066', ...NAMES].map((name) => `U+${name}`),
  );
  // Each stands alone, so that it has nothing to turn.
  expect(marks.map(({ localName, textContent }) => [localName, textContent?.length])).toEqual(
    marks.map(() => ['bdi', 1]),
  );
  expect(VISIBLE_HTML_STYLE).toContain('.turn::before{content:attr(data-code)');
});

it('plain text has the names instead, and all else as it is', () => {
  expect(visibleText(`a${TURNS}b`)).toBe(`a${NAMES.map((name) => `{U+${name}}`).join('')}b`);
  const other = 'שלום مرحبا \u200e\u200f\u061c 日本語 😀 \0 \ud800';
  expect(visibleText(other)).toBe(other);
});
