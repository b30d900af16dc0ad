import type { RecordOptions } from '../capture/live/record-options.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookAgent } from './agent-hooks.ts';

/** The arguments of `recall` for the context of a new session. */
export interface HookRecallRequest {
  readonly workspace: string;
  /** How long the text may be. */
  readonly budgetTokens: number;
  /** How the session began: `startup`, `resume`, `clear`, `compact` or `fork`. */
  readonly source: string;
  /** The id of the session that begins. */
  readonly session: string;
}

/** Options of `handleHook`. */
export interface HookOptions extends RecordOptions {
  /** The agent that calls. Default: `'claude-code'`. */
  readonly agent?: HookAgent | undefined;
  /** The input of the hook, for `runHook`. Default: standard input. */
  readonly input?: string | undefined;
  /** Makes the context that a session begins with. Default: the store's own `recall`. */
  readonly recall?:
    | ((store: MemoryStore, request: HookRecallRequest) => Promise<string>)
    | undefined;
  /** How long the context of a new session may be, in tokens. Default: 2000. */
  readonly budgetTokens?: number | undefined;
  /** Milliseconds after which a hook gives up. Default: 2000. */
  readonly timeoutMs?: number | undefined;
  /** A line goes here for everything that fails. Default: `~/.ptta/hooks.log`. */
  readonly logFile?: string | undefined;
}

/** The answer of a hook to Claude Code. */
export interface HookAnswer {
  /** Always 0: whatever happens here must not stop the agent. */
  readonly exitCode: 0;
  /** For standard output; it becomes context of the session. */
  readonly stdout: string;
}
