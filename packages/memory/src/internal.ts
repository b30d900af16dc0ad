/**
 * Kinds of the options of a store's methods and the quick half of a hook, for the command line. Nothing here is promised: any release may change or remove it.
 *
 * @internal
 * @module @vizprompt/memory/internal
 */

export { spoolFolder } from './capture/live/spool.ts';
export { type HookCall, spoolHook } from './capture/live/spool-hook.ts';
export { STATS_FILTER } from './check/stats.ts';
export { EXPORT_OPTIONS } from './exchange/export-json.ts';
export { FILE_HISTORY_OPTIONS } from './files/file-options.ts';
export { QUERY } from './model/input-kinds.ts';
export { SEARCH_OPTIONS } from './search/search-events.ts';
export { SESSION_FILTER } from './session/list-sessions.ts';
