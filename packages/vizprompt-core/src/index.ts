/**
 * VizPrompt: conversations as graphs of prompt/response nodes, on plain files.
 *
 * @module @vizprompt/core
 */
export { VizPrompt, type TagCount } from './vizprompt.ts';
export type { OpenOptions } from './project/options.ts';
export type { ProjectLimits } from './limits.ts';
export type { WatchOptions } from './write/watch.ts';
export type { LockMode } from './project/project.ts';

// Nodes
export type { NodePart, NodeStatus, StoredNode, VizNode } from './node/node.ts';
export type { NewNode } from './node/edit-node.ts';
export type { Placement } from './graph/node-service.ts';
export type { NodePatch } from './node/edit-node.ts';
export type { NewAttachment } from './node/attachments.ts';

// Flows
export type { Flow, StoredFlow } from './flow/flow.ts';
export { FlowGraph, type BranchDiff } from './flow/flow-graph.ts';
export type {
  AddOptions,
  FlowId,
  FlowPatch,
  FlowQuery,
  FlowSummary,
  NewFlowOptions,
} from './graph/flow-service.ts';
export type { NodeEditOptions } from './graph/preconditions.ts';

// Structure
export type { EditOptions } from './structure/options.ts';
export type {
  CopiedSubtree,
  MergedNode,
  PruneReport,
  ReplayedEdit,
  SplitFlow,
} from './structure/options.ts';
export type { ContentMerge, MergeProposal } from './structure/options.ts';
export type { EditHistory } from './write/undo-history.ts';

// Threads
export type {
  Thread,
  ThreadChange,
  ThreadItem,
  ThreadMessage,
  ThreadOutline,
  ThreadPart,
} from './thread/thread.ts';

// Chat
export type { AskOptions, ChatOptions, ChatTurnEvent } from './chat/chat-turn.ts';
export { ChatTurn } from './chat/chat-turn.ts';

// Search, import, build, export
export type { NodeHit, NodeQuery } from './search/search-nodes.ts';
export type { ImportOptions } from './import/import-options.ts';
export type { ImportFormat } from './import/conversation.ts';
export type { ImportReport } from './import/import-options.ts';
export type { BuildOptions } from './method-options.ts';
export type { BuildReport } from './build/build.ts';
export type { ExportFormat, ExportOptions } from './export/export-options.ts';

// Context
export type { ContextOptions } from './context/context-options.ts';
export type { BuiltContext, ContextEntry, ContextReport } from './context/context-options.ts';
// Health and sharing
export type { CheckReport, Finding, RepairReport } from './doctor/findings.ts';
export type { InitOptions } from './method-options.ts';
export type { InitReport } from './sharing/init-project.ts';
export { readProjectTrust, type ProjectTrust } from './project/configured-model.ts';

// Events and errors
export type { VizPromptEvents } from './events.ts';
export type { ProjectProblem } from './errors.ts';
export { formatPlace, VizPromptError, type VizPromptErrorCode } from './errors.ts';
export type { RefreshReport } from './index/refresh.ts';

// The types within the above, so that declarations can name them
export type { ContextForm, ContextReason } from './context/context-options.ts';
export type { FindingCode, RepairAction } from './doctor/findings.ts';
export type { Progress } from './events.ts';
export type { FlowConnection, FlowNode } from './flow/flow.ts';
export type { NodeFilePart, NodeStats } from './node/node.ts';
export type { ThreadChanges } from './thread/thread-service.ts';
export type { ThreadRole } from './thread/thread.ts';
export type { StructureEditor } from './structure-editor.ts';
export type { EditStep } from './write/undo-history.ts';
export type {
  ChatModel,
  ChatRequest,
  ErasureReport,
  JsonObject,
  Logger,
  Message,
  ModelRegistry,
  Retriever,
  Snippet,
  Storage,
  TokenCounter,
  TurnRecorder,
} from '@vizprompt/providers';
export type { ErrorJson, Listener, Role, Unsubscribe } from '@vizprompt/providers/internal';
export type { TrustOption, TrustUse } from '@vizprompt/providers/trust';
