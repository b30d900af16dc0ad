import { expect, it } from 'vitest';
import { exportsOf } from '../../src/exports-of.ts';

it('returns the exports of a package by name', () => {
  const byName = { parse: () => 1, default: {} };
  expect(exportsOf(byName)).toBe(byName);
});

it('returns them from `default`, if there is nothing else', () => {
  const exports = { parse: () => 1 };
  const split: object = { default: exports };
  expect(exportsOf(split)).toBe(exports);
});

it('returns what has no names as it is', () => {
  const nothing = {};
  expect(exportsOf(nothing)).toBe(nothing);
});
