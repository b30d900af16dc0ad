import type { RemainingPlace } from '@vizprompt/providers/internal';

/** Messages of the commands that erase a person. */
export interface EraseMessages {
  readonly speaker: string;
  readonly text: string;
  readonly mentions: string;
  readonly dryRun: string;
  readonly nothing: string;
  readonly place: (place: string, count: number) => string;
  readonly done: string;
  readonly planned: string;
  readonly remains: string;
  readonly remainder: Readonly<Record<RemainingPlace, (count: number) => string>>;
}
