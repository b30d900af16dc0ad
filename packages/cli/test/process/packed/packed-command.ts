import type { RunOptions } from '../../support/run.ts';

/** One call of a command from the packed packages. All of a tool run one after the other in one folder. */
export interface PackedCall {
  /** The words after the tool. The first one or two name the command. */
  readonly args: readonly string[];
  readonly input?: string;
  /** Default: 0. */
  readonly code?: number;
  /** A part of standard output. */
  readonly shows?: string;
  /** Stops it, if it would continue forever. */
  readonly signalAt?: RunOptions['signalAt'];
  /** Files to write before, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}
