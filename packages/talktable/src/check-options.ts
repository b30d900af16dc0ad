import {
  ANYTHING,
  ARRAY,
  either,
  FLAG,
  FUNCTION,
  having,
  listOf,
  LOGGER,
  OBJECT,
  optional,
  optionChecks,
  SIGNAL,
  TEXT,
  type Kinds,
} from '@vizprompt/providers/config';
import type { EraseOptions } from '@vizprompt/providers';
import { TalkError } from './errors.ts';
import type {
  ConversationManagerOptions,
  RunOptions,
  SayOptions,
  StartOptions,
} from './options.ts';

/** Limits and ids are checked where they are read. */
const RESUME: Kinds<RunOptions> = {
  signal: optional(SIGNAL),
  maxTurns: ANYTHING,
  rounds: ANYTHING,
};

/** What the methods of a manager take. */
interface Calls {
  readonly open: ConversationManagerOptions;
  readonly start: StartOptions;
  readonly resume: RunOptions;
  readonly say: SayOptions;
  readonly eraseSpeaker: EraseOptions;
}

const CALLS: { readonly [Name in keyof Calls]: Kinds<Calls[Name]> } = {
  open: {
    overrides: optional(OBJECT),
    storage: optional(having('a Storage, such as memoryStorage()', 'database')),
    registry: optional(having('a ModelRegistry, such as createModelRegistry()', 'model')),
    trust: optional(either(FLAG, FUNCTION)),
    knowledge: optional(having('a Retriever', 'retrieve')),
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
  eraseSpeaker: {
    speaker: TEXT,
    texts: optional(listOf('texts', TEXT)),
    mentions: optional(FLAG),
    dryRun: optional(FLAG),
    signal: optional(SIGNAL),
  },
};

const { checkOptions } = optionChecks(
  (message, context) => new TalkError('invalid-input', message, { context }),
);

/**
 * Refuses options that a method does not have, and those of another kind.
 *
 * @throws TalkError with the code `invalid-input`.
 */
export function checkCall<Name extends keyof Calls>(name: Name, options: Calls[Name]): void {
  checkOptions(name, options, CALLS[name]);
}
