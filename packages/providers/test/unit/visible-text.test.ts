import { JSDOM } from 'jsdom';
import { expect, it } from 'vitest';
import { visibleHtml, VISIBLE_HTML_STYLE, visibleText } from '../../src/strings/escape-markup.ts';

const TURNS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const CONTROLS = '\u0001\b\u001b\u007f\u009b';
const UNSEEN = TURNS + CONTROLS;
const NAMES = Array.from(UNSEEN, (one) =>
  one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'),
);

it('HTML names each invisible character that has an effect, and keeps the text', () => {
  const text = `if (isAdmin) /* \u202e } \u2066 <b> */\tשלום\n日本語😀 ${UNSEEN}`;
  const { document } = new JSDOM(`<style>${VISIBLE_HTML_STYLE}</style><pre>${visibleHtml(text)}`)
    .window;
  const pre = document.querySelector('pre');
  expect(pre?.textContent).toBe(text);
  const marks = [...(pre?.children ?? [])];
  expect(marks.map((mark) => mark.getAttribute('data-code'))).toEqual(
    ['202E', '2066', ...NAMES].map((name) => `U+${name}`),
  );
  // Each is alone, so that it has nothing to turn.
  expect(marks.map(({ localName, textContent }) => [localName, textContent?.length])).toEqual(
    marks.map(() => ['bdi', 1]),
  );
  expect(VISIBLE_HTML_STYLE).toContain('.turn::before{content:attr(data-code)');
});

it('plain text has the names instead, and all else as it is', () => {
  expect(visibleText(`a${UNSEEN}b`)).toBe(`a${NAMES.map((name) => `{U+${name}}`).join('')}b`);
  const other = 'שלום مرحبا \u200e\u200f\u061c 日本語 👩‍👩‍👧 \t\r\n\f\u0085\u2028';
  expect(visibleText(other)).toBe(other);
});

it('what no text can hold is U+FFFD', () => {
  expect(visibleText('a\0b\ud800')).toBe('a\ufffdb\ufffd');
  expect(visibleHtml('a\0b\ud800')).toBe('a\ufffdb\ufffd');
});
