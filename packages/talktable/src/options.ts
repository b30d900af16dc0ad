import type {
  Budget,
  Logger,
  ModelRegistry,
  Retriever,
  Storage,
  TurnRecorder,
} from '@vizprompt/providers';
import type { TrustOption } from '@vizprompt/providers/trust';
import type { TalkConfig } from './config/talk-config.ts';
import type { TurnPlace } from './events.ts';
import type { NextSpeaker } from './plan/speaker.ts';
import type { TalkTurn } from './talk-turn.ts';

/** A recorder, and whether the talk depends on it. */
export interface TalkRecorder {
  readonly recorder: TurnRecorder;
  /** Whether a failure ends the talk instead of being an event. Default: `false`. */
  readonly required?: boolean;
}

/** Asks a person to speak. */
export type AskPerson = (
  turn: TurnPlace & {
    /** The newest turns that the person hears, the oldest first. */
    readonly recent: readonly TalkTurn[];
    /** Aborted when the answer is not wanted any more. */
    readonly signal: AbortSignal;
  },
) => Promise<string>;

/** Options of `ConversationManager.open`. */
export interface ConversationManagerOptions {
  /** What stands above the config, such as the flags of a command line. */
  readonly overrides?: Partial<TalkConfig>;
  /** Where the log is, instead of the file `logPath`. It stays open. */
  readonly storage?: Storage;
  /** Makes the models of the config. Default: `createModelRegistry` with the config's `providers`. */
  readonly registry?: ModelRegistry;
  /**
   * Consent to what a talk file asks for beyond the providers' own servers and keys: an address that is
   * neither the provider's nor on this machine, an environment variable that is not the provider's, or a
   * log elsewhere. `true` for a file of yours, or a function that is asked. A config that is an object is
   * yours. Without consent `open` fails with `untrusted`. Default: what `vizprompt trust` recorded.
   */
  readonly trust?: TrustOption | undefined;
  /** Looks up what may help with each turn of a participant. */
  readonly knowledge?: Retriever;
  /** Keep the talk elsewhere too, such as in a VizPrompt project or in a memory. */
  readonly recorders?: readonly (TurnRecorder | TalkRecorder)[];
  /** For people who take part. Default: `say(text, { as })` is waited for. */
  readonly ask?: AskPerson;
  /** For the order `custom`. */
  readonly nextSpeaker?: NextSpeaker;
  /**
   * Who hears a turn, beside its speaker and the moderator; `undefined`: as the config says. Where it throws,
   * or names somebody who is not at the table, the turn fails.
   */
  readonly visibleTo?: (turn: TalkTurn) => readonly string[] | undefined;
  /** A budget that the talk shares with others; the config's own stands beside it. */
  readonly budget?: Budget;
  /** Is told of listeners that fail. Default: a silent one. */
  readonly logger?: Logger;
  /** Default: `() => new Date()`. */
  readonly clock?: () => Date;
}

/** Options of `start` and `resume`. */
export interface RunOptions {
  /** Breaks off the call under way; the talk can be resumed. */
  readonly signal?: AbortSignal;
  /** Turns of participants at most. It replaces `maxTurns` and `rounds` of the config. */
  readonly maxTurns?: number;
  /** Rounds at most. It replaces `maxTurns` and `rounds` of the config. */
  readonly rounds?: number;
}

/** Options of `start`. */
export interface StartOptions extends RunOptions {
  /** The id of the talk. Default: a new UUID of version 7. */
  readonly conversationId?: string;
}

/** Options of `say`. */
export interface SayOptions {
  /** In which talk of the log. Default: the one that this manager leads, or led last. */
  readonly conversationId?: string;
  /** In whose name. Default: `'Audience'`, in Japanese talks `'会場'`. */
  readonly as?: string;
  /** Who hears it, beside the moderator. Default: everybody. */
  readonly visibleTo?: readonly string[];
}
