import { describe, expect, it } from 'vitest';
import { hasColours, printable } from '../../../src/frame/output.ts';
import { cutLine } from '../../../src/ptta/event-text.ts';

describe('text on a terminal', () => {
  it('keeps its lines and colours, and shows every other control character', () => {
    expect(printable('a\tb\nc')).toBe('a\tb\nc');
    expect(printable('\u001B[31mred\u001B[39m')).toBe('\u001B[31mred\u001B[39m');
    expect(printable('\u001B[2J\u001B]0;x\u0007\r\u0000\u007F\u009B1m')).toBe('␛[2J␛]0;x␇␍␀␡�1m');
    expect(printable('\uD800 שלום 👩‍👩‍👧')).toBe('\uD800 שלום 👩‍👩‍👧');
  });

  it.each([
    ['short', 10, 'short'],
    ['longer than that', 6, 'longer…'],
    ['認証機能を追加', 6, '認証機…'],
    ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301…'],
    ['', 5, ''],
  ])('is cut between characters: %j in %i columns', (line, columns, cut) => {
    expect(cutLine(line, columns)).toBe(cut);
  });

  it.each([
    [true, { isTTY: true }, {}],
    [false, { isTTY: true }, { NO_COLOR: '1' }],
    [true, { isTTY: true }, { NO_COLOR: '' }],
    [false, { isTTY: true }, { TERM: 'dumb' }],
    [false, {}, {}],
    [true, {}, { FORCE_COLOR: '1' }],
    [true, {}, { FORCE_COLOR: '1', NO_COLOR: '1' }],
    [false, { isTTY: true }, { FORCE_COLOR: '0' }],
  ])('has colours: %s on %j with %j', (expected, stream, env) => {
    expect(hasColours(stream, env)).toBe(expected);
  });
});
