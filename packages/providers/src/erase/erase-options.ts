import { FLAG, type Kind, type Kinds, optional, SIGNAL, TEXTS } from '../input/kinds.ts';
import type { EraseOptions } from './erasure.ts';

const NAME: Kind<string> = {
  expected: 'a name',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};

/** The options of `eraseSpeaker`, whichever package has it. */
export const ERASE_OPTIONS: Kinds<EraseOptions> = {
  speaker: NAME,
  texts: optional(TEXTS),
  mentions: optional(FLAG),
  dryRun: optional(FLAG),
  signal: optional(SIGNAL),
};
