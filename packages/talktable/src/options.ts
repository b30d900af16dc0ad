import {
  type Budget,
  type EraseOptions,
  type Logger,
  type ModelRegistry,
  type Retriever,
  type Storage,
  type TurnRecorder,
} from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { TrustOption } from '@vizprompt/providers/trust';
import { omitUndefined as defined, isStorable } from '@vizprompt/providers/internal';
import {
  ANYTHING,
  AMOUNT,
  ERASE_OPTIONS,
  ARRAY,
  either,
  FLAG,
  FUNCTION,
  having,
  type Kinds,
  listOf,
  LOGGER,
  OBJECT,
  optional,
  SIGNAL,
  TEXT,
  RETRIEVER,
  STORAGE,
} from '@vizprompt/providers/config/internal';
import type { TalkConfig } from './config/talk-config.ts';
import { checkOptions } from './check-input.ts';
import { TalkError } from './errors.ts';
import type { TurnPlace } from './events.ts';
import type { TalkLimits, TalkTurn } from './log/conversation.ts';
import type { NextSpeaker } from './plan/moderator.ts';

/** A recorder, and whether the talk depends on it. */
export interface TalkRecorder {
  readonly recorder: TurnRecorder;
  /** True if a failure ends the talk instead of being an event. Default: `false`. */
  readonly required?: boolean | undefined;
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
  /** Overrides the config, as the flags of a command line do. */
  readonly overrides?: Partial<TalkConfig> | undefined;
  /** Bytes of the largest file of a config that is read. Default: 4,194,304 (4 MiB). */
  readonly maxFileBytes?: number | undefined;
  /** Where the log is, instead of the file `logPath`. It stays open. */
  readonly storage?: Storage | undefined;
  /** Makes the models of the config. Default: `createModelRegistry` with the config's `providers`. */
  readonly registry?: ModelRegistry | undefined;
  /**
   * Consent to what a talk file asks for beyond the providers' own servers and keys: an address that is
   * neither the provider's nor on this machine, an environment variable that is not the provider's, or a
   * log elsewhere. `true` for a file of yours, or a function that is asked. A config that is an object is
   * yours. Without consent `open` fails with `untrusted`. Default: what `vizprompt trust` recorded.
   */
  readonly trust?: TrustOption | undefined;
  /** Tools that participants may call, by the names in their `tools`; `defineTool` and `mcpTools` create such tools. */
  readonly tools?: readonly RunnableTool[] | undefined;
  /** Looks up what may help with each turn of a participant. */
  readonly knowledge?: Retriever | undefined;
  /** Keep the talk elsewhere too, such as in a VizPrompt project or in a memory. */
  readonly recorders?: readonly (TurnRecorder | TalkRecorder)[] | undefined;
  /** For people who take part. Default: `say(text, { as })` is waited for. */
  readonly ask?: AskPerson | undefined;
  /** For the order `custom`. */
  readonly nextSpeaker?: NextSpeaker | undefined;
  /**
   * Chooses the audience of a turn, besides its speaker and the moderator; `undefined`: as the config says. Where it throws,
   * or names a speaker that is not at the table, the turn fails.
   */
  readonly visibleTo?: ((turn: TalkTurn) => readonly string[] | undefined) | undefined;
  /** A budget that the talk shares with others; the config's own is next to it. */
  readonly budget?: Budget | undefined;
  /** Receives the errors of listeners. Default: a silent one. */
  readonly logger?: Logger | undefined;
  /** Default: `() => new Date()`. */
  readonly clock?: (() => Date) | undefined;
}

/** Options of `start` and `resume`. */
export interface RunOptions {
  /** Breaks off the call in progress; the talk can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /** Turns of participants at most. It replaces `maxTurns` and `rounds` of the config. */
  readonly maxTurns?: number | undefined;
  /** Rounds at most. It replaces `maxTurns` and `rounds` of the config. */
  readonly rounds?: number | undefined;
}

/** Options of `start`. */
export interface StartOptions extends RunOptions {
  /** The id of the talk. Default: a new UUID of version 7. */
  readonly conversationId?: string | undefined;
}

/** Options of `say`. */
export interface SayOptions {
  /** In which talk of the log. Default: the one that this manager leads, or led last. */
  readonly conversationId?: string | undefined;
  /** In whose name. Default: `'Audience'`, in Japanese talks `'会場'`. */
  readonly as?: string | undefined;
  /** The speakers that hear it, besides the moderator. Default: everyone. */
  readonly visibleTo?: readonly string[] | undefined;
}

/** Options of `pause`. */
export interface PauseOptions {
  /** Breaks off the call in progress. Default: false. */
  readonly now?: boolean | undefined;
}

/** Options of `stop`. */
export interface StopOptions {
  /** Lets the turn in progress end, and the moderator close the talk. Default: false. */
  readonly closing?: boolean | undefined;
}

/** Limits and ids are checked where they are read. */
const RESUME: Kinds<RunOptions> = {
  signal: optional(SIGNAL),
  maxTurns: ANYTHING,
  rounds: ANYTHING,
};

/** The arguments of a manager's methods. */
interface Calls {
  readonly open: ConversationManagerOptions;
  readonly start: StartOptions;
  readonly resume: RunOptions;
  readonly say: SayOptions;
  readonly pause: PauseOptions;
  readonly stop: StopOptions;
  readonly eraseSpeaker: EraseOptions;
}

const CALLS: { readonly [Name in keyof Calls]: Kinds<Calls[Name]> } = {
  open: {
    overrides: optional(OBJECT),
    maxFileBytes: optional(AMOUNT),
    storage: optional(STORAGE),
    registry: optional(having('a ModelRegistry, such as createModelRegistry()', 'model')),
    trust: optional(either(FLAG, FUNCTION)),
    tools: optional(listOf('tools, such as defineTool() makes', having('', 'name', 'run'))),
    knowledge: optional(RETRIEVER),
    recorders: optional(ARRAY),
    ask: optional(FUNCTION),
    nextSpeaker: optional(FUNCTION),
    visibleTo: optional(FUNCTION),
    budget: optional(having('a Budget, such as createBudget({ tokens })', 'reserve')),
    logger: optional(LOGGER),
    clock: optional(FUNCTION),
  },
  start: { ...RESUME, conversationId: ANYTHING },
  resume: RESUME,
  say: {
    conversationId: ANYTHING,
    as: optional(TEXT),
    visibleTo: optional(listOf('names', TEXT)),
  },
  pause: { now: optional(FLAG) },
  stop: { closing: optional(FLAG) },
  eraseSpeaker: ERASE_OPTIONS,
};

/**
 * Refuses options that a method does not have, and those of another kind.
 *
 * @throws TalkError with the code `invalid-input`.
 */
export function checkCall<Name extends keyof Calls>(name: Name, options: Calls[Name]): void {
  checkOptions(name, options, CALLS[name]);
}

/** @throws TalkError with the code `invalid-input` for what is not a whole number from 1 on. */
export function limitsOf({ maxTurns, rounds }: RunOptions): TalkLimits {
  const limits = defined({ maxTurns, rounds });
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new TalkError(
      'invalid-input',
      `${name}: expected a whole number from 1 on, got ${value}`,
    );
  }
  return limits;
}

/** @throws TalkError with the code `invalid-input` for an invalid or empty name, or that no log can hold. */
export function assertName(name: unknown, what: string): void {
  if (typeof name !== 'string') {
    throw new TalkError('invalid-input', `${what}: expected a string, got ${typeof name}`);
  }
  if (name.trim() !== '' && isStorable(name)) return;
  throw new TalkError('invalid-input', `${what} is empty or holds broken characters`);
}
