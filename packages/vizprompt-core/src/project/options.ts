import {
  type ChatModel,
  type Logger,
  type ModelRegistry,
  type Storage,
} from '@vizprompt/providers';
import {
  type Kinds,
  AMOUNT,
  ANYTHING,
  COUNT,
  either,
  FLAG,
  FUNCTION,
  LOGGER,
  optional,
  CHAT_MODEL,
  STORAGE,
} from '@vizprompt/providers/config/internal';
import type { Listener } from '@vizprompt/providers/internal';
import type { TrustOption } from '@vizprompt/providers/trust';
import type { VizPromptEvents } from '../events.ts';
import { LIMITS, LISTENERS, REGISTRY } from '../input-kinds.ts';
import type { ProjectLimits } from '../limits.ts';
import type { LockMode } from './project.ts';

/** Options of `VizPrompt.open`. */
export interface OpenOptions {
  /** The storage of the project. The caller that opened it closes it. */
  readonly storage: Storage;
  /** Answers chats and makes summaries. Default: the one that `config.yaml` names, if there is a `registry`. */
  readonly model?: ChatModel | undefined;
  /** Makes the model that `config.yaml` names, as `provider:model`. */
  readonly registry?: ModelRegistry | undefined;
  /**
   * Consent to what `config.yaml` asks for beyond the provider's own server and key: an address that is
   * neither the provider's nor on this machine, or an environment variable that is not the provider's.
   * `true` for a project of yours, or a function that is asked. Without consent the model fails with
   * `untrusted`. Default: what `vizprompt trust` recorded on this machine.
   */
  readonly trust?: TrustOption | undefined;
  /** True if a project is made where there is none. Default: `true`. */
  readonly create?: boolean | undefined;
  /** Listeners that receive the events of opening, too. */
  readonly on?:
    | { readonly [Name in keyof VizPromptEvents]?: Listener<VizPromptEvents[Name]> | undefined }
    | undefined;
  /**
   * The processes that may write. `'write'`: all, one after the other, and each write takes the lock of the
   * project for itself. `'exclusive'`: only this one until it closes; a process that opens the project to
   * write meanwhile gets the error `locked` at once. `'read-only'`: nothing is ever written, so that
   * a folder may be one that cannot be written; every write fails with `read-only`, and the index is
   * made in memory, which reads all files. Default: `'write'`.
   */
  readonly lock?: LockMode | undefined;
  /**
   * How many edits of the structure can be undone; `0`: none, and no history is kept. Default: 100.
   */
  readonly undoSteps?: number | undefined;
  /** How long a write waits for other processes that write, in milliseconds. Default: 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * The largest files and entries that are read, against what comes from elsewhere; see `docs/limits.md`. Default:
   * for each what {@link ProjectLimits} says.
   */
  readonly limits?: Partial<ProjectLimits> | undefined;
  /** Receives failures of listeners. Default: none. */
  readonly logger?: Logger | undefined;
  /** Default: `() => new Date()`. */
  readonly clock?: (() => Date) | undefined;
  /** Makes the ids of nodes and flows. Default: UUIDs of version 7. */
  readonly createId?: (() => string) | undefined;
}

/** Modes are checked where they are read, with what there is. */
export const OPEN_FOLDER: Kinds<Omit<OpenOptions, 'storage'>> = {
  model: optional(CHAT_MODEL),
  registry: optional(REGISTRY),
  trust: optional(either(FLAG, FUNCTION)),
  create: optional(FLAG),
  on: optional(LISTENERS),
  lock: ANYTHING,
  undoSteps: optional(COUNT),
  lockTimeoutMs: optional(AMOUNT),
  limits: optional(LIMITS),
  logger: optional(LOGGER),
  clock: optional(FUNCTION),
  createId: optional(FUNCTION),
};
export const OPEN_OPTIONS: Kinds<OpenOptions> = { storage: STORAGE, ...OPEN_FOLDER };
