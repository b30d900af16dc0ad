/**
 * Sessions of the OpenAI Agents SDK as flows. No package is needed besides that SDK.
 *
 * @module @vizprompt/core/openai-agents
 */
export type {
  HistoryMutationArgs,
  HistoryTransaction,
  HistoryTransactionArgs,
} from './session-history.ts';
export { agentsSession, type AgentsSession, type AgentsSessionOptions } from './agents-session.ts';
