import type { Action } from './define-action.ts';
import { EVENT_ACTIONS } from './event-actions.ts';
import { FLOW_ACTIONS, HISTORY_ACTIONS } from './flow-actions.ts';
import { BUILD_ACTIONS, MODEL_ACTIONS } from './model-actions.ts';
import { FIND_ACTIONS, NODE_ACTIONS } from './node-actions.ts';

/** Every action of the protocol, by its name. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  [
    ...NODE_ACTIONS,
    ...FLOW_ACTIONS,
    ...HISTORY_ACTIONS,
    ...FIND_ACTIONS,
    ...EVENT_ACTIONS,
    ...MODEL_ACTIONS,
    ...BUILD_ACTIONS,
  ].map((action) => [action.name, action]),
);
