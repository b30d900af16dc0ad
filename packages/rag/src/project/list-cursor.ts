import { RagError } from '../errors.ts';
import type { Page } from './novel-repository.ts';

const LIMIT = 50;

/** A part of a list. */
export interface PartOfList<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly nextOffset?: number;
}

/** @throws RagError with the code `invalid-input`. */
export function pageOf<T>(all: readonly T[], { offset = 0, limit = LIMIT }: Page): PartOfList<T> {
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(limit) || limit < 1) {
    const message = `offset is a whole number from 0 and limit one from 1, not ${offset} and ${limit}`;
    throw new RagError('invalid-input', message, { context: { offset, limit } });
  }
  const items = all.slice(offset, offset + limit);
  const next = offset + items.length;
  const total = all.length;
  return next < total && items.length > 0 ? { items, total, nextOffset: next } : { items, total };
}
