/**
 * Sessions of the OpenAI Agents SDK as flows. No package is needed besides that SDK.
 *
 * @module @vizprompt/core/openai-agents
 */
export type {
  HistoryMutationArgs,
  HistoryTransaction,
  HistoryTransactionArgs,
} from './agents-session.ts';
export { agentsSession, type AgentsSession, type AgentsSessionOptions } from './agents-session.ts';
