import type { EraseOptions } from '@vizprompt/providers';
import {
  AMOUNT,
  ANYTHING,
  AT_A_TIME,
  COUNT,
  either,
  FLAG,
  FUNCTION,
  type Kinds,
  LOGGER,
  OBJECT,
  oneOf,
  optional,
  orNull,
  SIGNAL,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import type { BuildOptions } from '../build/build.ts';
import type { AskOptions, ChatOptions } from '../chat/chat-turn.ts';
import type { ContextOptions } from '../context/context-options.ts';
import type { RepairOptions } from '../doctor/findings.ts';
import type { VacuumOptions } from '../erase/vacuum.ts';
import type { ExportOptions } from '../export/export-flow.ts';
import type {
  AddOptions,
  ConnectOptions,
  FlowChoice,
  FlowPatch,
  NewFlowOptions,
  RemoveOptions,
} from '../graph/flow-service.ts';
import type { Placement } from '../graph/node-service.ts';
import type { FlowEditOptions } from '../graph/preconditions.ts';
import type { ImportOptions } from '../import/import-conversations.ts';
import type { OpenOptions } from '../project/options.ts';
import type { NodeQuery } from '../search/search-nodes.ts';
import type { EditOptions } from '../structure/options.ts';
import type {
  CopyOptions,
  DeleteNodesOptions,
  KeepPathOptions,
  MergeByContentOptions,
  PartOptions,
  PruneOptions,
  RelinkOptions,
  TailForkOptions,
} from '../structure/options.ts';
import type { WatchOptions } from '../write/watch.ts';
import {
  COUNTER,
  IDS_OR_NONE,
  LIMITS,
  LISTENERS,
  MODEL,
  REGISTRY,
  RETRIEVER,
  STORAGE,
  VERSION,
} from './kinds.ts';
import { ATTACHMENTS } from './node-kinds.ts';

const MAYBE_TEXT = optional(TEXT);
const MAYBE_FLAG = optional(FLAG);
const MAYBE_SIGNAL = optional(SIGNAL);
const MODEL_OR_NONE = optional<null>(orNull<never>(MODEL));

/** Modes are checked where they are read, with what there is. */
export const OPEN_FOLDER: Kinds<Omit<OpenOptions, 'storage'>> = {
  model: optional(MODEL),
  registry: optional(REGISTRY),
  trust: optional(either(FLAG, FUNCTION)),
  create: MAYBE_FLAG,
  on: optional(LISTENERS),
  lock: ANYTHING,
  undoSteps: optional(COUNT),
  lockTimeoutMs: optional(AMOUNT),
  limits: optional(LIMITS),
  logger: optional(LOGGER),
  clock: optional(FUNCTION),
  createId: optional(FUNCTION),
};
export const OPEN_STORAGE: Kinds<OpenOptions> = { storage: STORAGE, ...OPEN_FOLDER };

export const WATCH: Kinds<WatchOptions> = { pollMs: ANYTHING, onError: optional(FUNCTION) };
export const REPAIR: Kinds<RepairOptions> = { missingNodes: optional(oneOf('keep', 'remove')) };
export const SIGNAL_ONLY: Kinds<{ readonly signal?: AbortSignal | undefined }> = {
  signal: MAYBE_SIGNAL,
};

export const FLOW_EDIT: Kinds<FlowEditOptions> = { ifVersion: optional(VERSION) };
const FLOW_CHOICE: Kinds<FlowChoice> = { flow: MAYBE_TEXT };
export const EDIT: Kinds<EditOptions> = { ...FLOW_CHOICE, ...FLOW_EDIT };

export const PLACEMENT: Kinds<Placement> = {
  flow: optional(orNull(TEXT)),
  after: optional(IDS_OR_NONE),
  branchName: MAYBE_TEXT,
};
export const BRANCH: Kinds<FlowChoice & { readonly branchName?: string | undefined }> = {
  ...FLOW_CHOICE,
  branchName: MAYBE_TEXT,
};

export const NEW_FLOW: Kinds<NewFlowOptions> = {
  name: TEXT,
  alias: MAYBE_TEXT,
  description: MAYBE_TEXT,
  id: MAYBE_TEXT,
};
export const FLOW_PATCH: Kinds<FlowPatch> = {
  name: MAYBE_TEXT,
  alias: MAYBE_TEXT,
  description: MAYBE_TEXT,
  head: MAYBE_TEXT,
};
export const ADD: Kinds<AddOptions> = { ...FLOW_EDIT, after: optional(IDS_OR_NONE) };
export const REMOVE: Kinds<RemoveOptions> = { ...FLOW_EDIT, join: MAYBE_FLAG };
export const CONNECT: Kinds<ConnectOptions> = { ...EDIT, branchName: MAYBE_TEXT };

export const RELINK: Kinds<RelinkOptions> = { ...EDIT, from: MAYBE_TEXT, to: orNull(TEXT) };
export const DELETE_NODES: Kinds<DeleteNodesOptions> = {
  ...EDIT,
  descendants: MAYBE_FLAG,
  files: MAYBE_FLAG,
};
export const PRUNE: Kinds<PruneOptions> = { ...EDIT, dryRun: MAYBE_FLAG, files: MAYBE_FLAG };
export const KEEP_PATH: Kinds<KeepPathOptions> = { ...EDIT, mainLine: MAYBE_FLAG };
export const PART: Kinds<PartOptions> = {
  ...EDIT,
  name: MAYBE_TEXT,
  alias: MAYBE_TEXT,
  description: MAYBE_TEXT,
};
export const TAIL_FORK: Kinds<TailForkOptions> = { ...PART, mainLine: MAYBE_FLAG };
export const COPY: Kinds<CopyOptions> = { ...EDIT, to: MAYBE_TEXT, after: optional(IDS_OR_NONE) };
export const MERGE_BY_CONTENT: Kinds<MergeByContentOptions> = {
  ...EDIT,
  accept: FUNCTION,
  model: MODEL_OR_NONE,
  signal: MAYBE_SIGNAL,
};

/** Budgets, limits, times and formats are checked where they are read. */
export const QUERY: Kinds<NodeQuery> = {
  text: MAYBE_TEXT,
  tags: optional(TEXTS),
  keywords: optional(TEXTS),
  model: MAYBE_TEXT,
  after: MAYBE_TEXT,
  before: MAYBE_TEXT,
  limit: ANYTHING,
};
export const BUILD_MODEL: Kinds<Pick<BuildOptions, 'model'>> = { model: MODEL_OR_NONE };
export const BUILD: Kinds<BuildOptions> = {
  ...BUILD_MODEL,
  concurrency: optional(AT_A_TIME),
  onProgress: optional(FUNCTION),
  signal: MAYBE_SIGNAL,
};
export const EXPORT: Kinds<ExportOptions> = {
  format: ANYTHING,
  leaf: MAYBE_TEXT,
  attachments: ANYTHING,
};
export const ERASE: Kinds<EraseOptions> = {
  speaker: TEXT,
  texts: optional(TEXTS),
  mentions: MAYBE_FLAG,
  dryRun: MAYBE_FLAG,
  signal: MAYBE_SIGNAL,
};
export const VACUUM: Kinds<VacuumOptions> = {
  keepHistory: MAYBE_FLAG,
  keepLostAndFound: MAYBE_FLAG,
  dryRun: MAYBE_FLAG,
};
export const IMPORT: Kinds<ImportOptions> = { format: ANYTHING, signal: MAYBE_SIGNAL };

/** What a context and an answer are both told. */
const CONTEXT_OF_ASKING: Kinds<
  Pick<ContextOptions & AskOptions, keyof ContextOptions & keyof AskOptions>
> = {
  instructions: MAYBE_TEXT,
  flow: MAYBE_TEXT,
  budget: ANYTHING,
  references: optional(TEXTS),
  pin: optional(TEXTS),
  exclude: optional(TEXTS),
  retriever: optional(RETRIEVER),
  signal: MAYBE_SIGNAL,
};
export const CONTEXT: Kinds<ContextOptions> = {
  ...CONTEXT_OF_ASKING,
  prompt: TEXT,
  node: optional(IDS_OR_NONE),
  counter: optional(COUNTER),
  detailHint: MAYBE_FLAG,
};
export const ASK: Kinds<AskOptions> = {
  ...CONTEXT_OF_ASKING,
  model: optional(MODEL),
  maxDetails: optional(COUNT),
  request: optional(OBJECT),
};
export const CHAT: Kinds<ChatOptions> = {
  ...ASK,
  prompt: TEXT,
  from: optional(IDS_OR_NONE),
  branchName: MAYBE_TEXT,
  attachments: optional(ATTACHMENTS),
};
