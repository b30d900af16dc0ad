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
export interface HookOptions {
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
  /** Where the places up to which transcripts were read are kept. Default: `~/.ptta/hooks`. */
  readonly stateFolder?: string | undefined;
  /** A line goes here for everything that fails. Default: `~/.ptta/hooks.log`. */
  readonly logFile?: string | undefined;
  /** How many bytes of a transcript one hook reads. Default: 2 MiB; eight times so at the session's end. */
  readonly maxBytes?: number | undefined;
}

/** The answer of a hook to Claude Code. */
export interface HookAnswer {
  /** Always 0: whatever happens here must not stop the agent. */
  readonly exitCode: 0;
  /** For standard output; it becomes context of the session. */
  readonly stdout: string;
}
