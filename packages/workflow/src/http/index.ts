/**
 * Runs over HTTP: starting, watching and answering them, webhooks, and the AG-UI protocol, as one function from request
 * to response that any server of the web platform takes.
 *
 * @module @vizprompt/workflow/http
 */
export {
  createWorkflowHandler,
  type FetchHandler,
  type WorkflowHandlerOptions,
} from './workflow-handler.ts';
export { toNodeListener } from './node-listener.ts';
export type { Logger } from '../index.ts';
