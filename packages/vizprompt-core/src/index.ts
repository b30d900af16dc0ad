/**
 * VizPrompt: conversations as graphs of prompt/response nodes, on plain files.
 *
 * @module @vizprompt/core
 */
export { VizPrompt, type TagCount } from './vizprompt.ts';
export type { OpenOptions } from './project/options.ts';
export type { ProjectLimits } from './limits.ts';
export type { WatchOptions } from './write/watch.ts';
export type { LockMode } from './project/project-lock.ts';

// Nodes
export type {
  NodeDataPart,
  NodeFilePart,
  NodePart,
  NodeReasoningPart,
  NodeStats,
  NodeStatus,
  NodeSummary,
  NodeToolCallPart,
  NodeToolResultPart,
  PartOrigin,
  StoredNode,
  TextRangePart,
  VizNode,
} from './node/node.ts';
export type { NewNode } from './node/edit-node.ts';
export type { Placement } from './graph/node-service.ts';
export type { NodePatch } from './node/edit-node.ts';
export type { NewAttachment } from './node/attachments.ts';
export type { XmlElement } from './node/node.ts';

// Flows
export type { Flow, FlowConnection, FlowNode, StoredFlow } from './flow/flow.ts';
export { FlowGraph, type BranchDiff } from './flow/flow-graph.ts';
export type { FlowChange } from './flow/flow-change.ts';
export type {
  AddOptions,
  ConnectOptions,
  FlowChoice,
  FlowPatch,
  FlowSummary,
  NewFlowOptions,
  RemoveOptions,
} from './graph/flow-service.ts';
export type { FlowEditOptions, NodeEditOptions } from './graph/preconditions.ts';

// Structure
export type { StructureEditor } from './structure-editor.ts';
export type { EditOptions } from './structure/edit-structure.ts';
export type {
  CopiedSubtree,
  CopyOptions,
  DeleteNodesOptions,
  ForgetOptions,
  KeepPathOptions,
  MergedNode,
  PartOptions,
  PathOptions,
  PruneOptions,
  PruneReport,
  RelinkOptions,
  ReplayedEdit,
  ReplayOptions,
  SplitFlow,
  TailForkOptions,
} from './structure/options.ts';
export type {
  ContentMerge,
  MergeByContentOptions,
  MergeConflict,
  MergeProposal,
  MergeSide,
  MergeTurn,
} from './structure/options.ts';
export type { EditHistory, EditStep } from './write/undo-history.ts';

// Chat
export type { AskOptions, ChatOptions, ChatTurnEvent } from './chat/chat-options.ts';
export { ChatTurn } from './chat/chat-turn.ts';

// Search, import, build, export
export type { NodeHit, NodeQuery } from './search/search-nodes.ts';
export type { ImportOptions } from './import/import-conversations.ts';
export type { ImportFormat } from './import/conversation.ts';
export type { ImportSource } from './import/read-source.ts';
export type { ImportedFlow, ImportReport, SkippedEntry } from './import/report.ts';
export type { BuildFailure, BuildOptions, BuildReport } from './build/build.ts';
export type { VacuumOptions } from './erase/vacuum.ts';
export type { ExportFormat, ExportOptions } from './export/export-flow.ts';
export type { TextMapOptions } from './export/text-map.ts';

// Context
export type { ContextOptions } from './context/context-options.ts';
export type {
  BuiltContext,
  ContextAttachment,
  ContextEntry,
  ContextForm,
  ContextReason,
  ContextReport,
} from './context/context-report.ts';
// Health and sharing
export type {
  CheckOptions,
  CheckReport,
  Finding,
  FindingCode,
  ProposedRepair,
  RepairAction,
  RepairOptions,
  RepairReport,
} from './doctor/findings.ts';
export type { InitOptions, InitReport } from './sharing/init-project.ts';
export type { MergeDriver } from './sharing/init-project.ts';
export { readProjectTrust, type ProjectTrust } from './project/configured-model.ts';

// Events and errors
export type { Progress, VizPromptEvents } from './events.ts';
export type { ProjectProblem } from './errors.ts';
export { formatPlace, VizPromptError, type FilePlace, type VizPromptErrorCode } from './errors.ts';
export type { RefreshReport } from './index/refresh.ts';
