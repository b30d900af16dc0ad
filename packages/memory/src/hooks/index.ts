/**
 * Claude Code's hooks, which note what happens while it happens.
 *
 * @module @vizprompt/memory/hooks
 */
export {
  HOOK_AGENTS,
  HOOK_FORMS,
  type HookAgent,
  type HookEvent,
  type HookForm,
} from './agent-hooks.ts';
export { handleHook } from './handle-hook.ts';
export type { HookAnswer, HookOptions, HookRecallRequest } from './hook-options.ts';
export {
  installHooks,
  uninstallHooks,
  type InstallHooksOptions,
  type InstallHooksReport,
} from './install-hooks.ts';
export { runHook } from './run-hook.ts';
export type { MemoryStore } from '../index.ts';
