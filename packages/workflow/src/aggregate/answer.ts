import type { JsonValue } from '@vizprompt/providers';

/** What a part of a parallel step answered. */
export interface Answer {
  /** The name of the part, such as the id of its agent. */
  readonly name: string;
  readonly value: JsonValue;
  /** More than none; 1 where it has no weight of its own. */
  readonly weight: number;
}
