/**
 * The suites of the contracts, to run on implementations of one's own; models for tests, and cassettes
 * that record a model and replay it. It needs no test runner: the suites are given `describe` and `it`.
 *
 * @module @vizprompt/providers/testing
 */
export { record, type CassetteOptions } from '../cassettes/record.ts';
export { replay } from '../cassettes/replay.ts';
export { capCorpus, measureCapRecall, type CapCorpus } from './cap-recall.ts';
export { chatModelCases, testChatModel, type ChatModelSubject } from './chat-model-suite.ts';
export {
  declareSuite,
  runContract,
  type ContractCase,
  type ContractReport,
  type OpenedSubject,
  type SuiteOptions,
  type TestRunner,
} from './contract-suite.ts';
export { databaseCases, testDatabase } from './database-suite.ts';
export { embeddingModelCases, testEmbeddingModel } from './embedding-model-suite.ts';
export type { FakeAnswer } from './fake-llm/fake-answer.ts';
export type { FakeLLM, FakeLLMOptions } from './fake-llm/fake-llm.ts';
export type { FakeRequest, FakeRequestKind, FakeWireName } from './fake-llm/fake-request.ts';
export type {
  ConnectionFault,
  ContentFault,
  Fault,
  RefusalFault,
  TransportFault,
} from './fake-llm/faults.ts';
export { startFakeLLM } from './fake-llm/fake-llm.ts';
export {
  startFakeQdrant,
  type FakeQdrant,
  type FakeQdrantOptions,
  type QdrantCall,
} from './fake-qdrant/fake-qdrant.ts';
export { fileStoreCases, testFileStore, type FileStoreSubject } from './file-store-suite.ts';
export { hashEmbeddings, type HashEmbeddingsOptions } from './hash-embeddings.ts';
export { retrieverCases, testRetriever, type RetrieverSubject } from './retriever-suite.ts';
export {
  scriptedModel,
  type Script,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts';
export { storageCases, testStorage } from './storage-suite.ts';
export { testTextAnalyzer, textAnalyzerCases } from './text-analyzer-suite.ts';
export { testTextIndex, textIndexCases } from './text-index-suite.ts';
export {
  testVectorStore,
  vectorStoreCases,
  type VectorStoreSubject,
} from './vector-store-suite.ts';
export type { ChatModel } from '../index.ts';
export type { TextRow } from '../text/text-index.ts';
