import type { UnitList } from './unit-list.ts';

/** A part of a document under one heading. Chunks never reach over its ends. */
export interface Section {
  /** Outermost first. */
  readonly headingPath: readonly string[];
  readonly list: UnitList;
}
