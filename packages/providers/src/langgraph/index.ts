/**
 * Checkpoints of LangGraph.js in a database, and retrievers for LangChain.js.
 *
 * @module @vizprompt/providers/langgraph
 */
export { langChainRetriever, type LangChainRetrieverOptions } from './langchain-retriever.ts';
export { langGraphSaver, type LangGraphSaverOptions } from './langgraph-saver.ts';
export type { Retriever } from '../index.ts';
