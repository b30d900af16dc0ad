import {
  either,
  ERASE_OPTIONS,
  having,
  isRecord,
  type Kind,
  type Kinds,
  listOf,
  OBJECT,
  objectOf,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { ASK_OPTIONS, CHAT_OPTIONS } from './chat/chat-turn.ts';
import { CONTEXT_OPTIONS } from './context/context-options.ts';
import { CHECK_OPTIONS, REPAIR_OPTIONS } from './doctor/findings.ts';
import { EXPORT_OPTIONS, TEXT_MAP_OPTIONS } from './export/export-options.ts';
import {
  ADD_OPTIONS,
  CONNECT_OPTIONS,
  FLOW_ID,
  FLOW_PATCH,
  FLOW_QUERY,
  NEW_FLOW_OPTIONS,
  REMOVE_OPTIONS,
} from './graph/flow-service.ts';
import { BRANCH_OPTIONS, DELETE_NODE_OPTIONS, PLACEMENT } from './graph/node-service.ts';
import { FLOW_EDIT_OPTIONS, NODE_EDIT_OPTIONS } from './graph/preconditions.ts';
import { IMPORT_OPTIONS } from './import/import-options.ts';
import { checkArgument, checkOptions } from './input-kinds.ts';
import { NEW_NODE, NODE_PATCH } from './node/edit-node.ts';
import { OPEN_FOLDER, OPEN_OPTIONS } from './project/options.ts';
import { NODE_QUERY } from './search/search-nodes.ts';
import { BUILD_MODEL, BUILD_OPTIONS, INIT_OPTIONS, VACUUM_OPTIONS } from './method-options.ts';
import {
  COPY_OPTIONS,
  DELETE_NODES_OPTIONS,
  EDIT_OPTIONS,
  FORGET_OPTIONS,
  KEEP_PATH_OPTIONS,
  MERGE_BY_CONTENT_OPTIONS,
  PART_OPTIONS,
  PRUNE_OPTIONS,
  RELINK_OPTIONS,
  REPLAY_OPTIONS,
  TAIL_FORK_OPTIONS,
} from './structure/options.ts';
import { THREAD_CHANGES } from './thread/thread.ts';
import { WATCH_OPTIONS } from './write/watch.ts';

/** Refuses what a method is given for one of its arguments. */
type Argument = (method: string, given: unknown) => void;

function one(name: string, kind: Kind): Argument {
  return (method, given) => checkArgument(`the ${name} of ${method}`, given, kind);
}

function fields<Fields extends object>(name: string, known: Kinds<Fields>): Argument {
  return (method, given) => {
    const what = `the ${name} of ${method}`;
    checkArgument(what, given, isRecord(given) ? OBJECT : objectOf<object>(known));
    if (isRecord(given)) checkOptions<object>(name === 'options' ? method : what, given, known);
  };
}

function options<Options extends object>(known: Kinds<Options>): Argument {
  return fields('options', known);
}

const ID: Argument = one('id', TEXT);
const FLOW: Argument = one('flow', TEXT);
/** A flow by any of its names, or by its id alone. */
const FLOW_OR_ID: Argument = (method, given) => {
  if (isRecord(given)) fields('flow', FLOW_ID)(method, given);
  else FLOW(method, given);
};
const NODE: Argument = one('node', TEXT);
const MADE: Argument = fields('node', NEW_NODE);
const ANSWER: Argument = fields('answer', NEW_NODE);
const INSERTED = either<string, never>(
  { ...TEXT, expected: 'an id' },
  { ...OBJECT, expected: 'a new node' },
);
const ID_OR_MADE: Argument = (method, given) => {
  checkArgument(`the node of ${method}`, given, INSERTED);
  if (typeof given !== 'string') MADE(method, given);
};
/** The decision about a merge: a boolean or an answer. */
const DECISION: Argument = (method, given) => {
  if (given !== undefined && typeof given !== 'boolean') ANSWER(method, given);
};
const ENDS: readonly Argument[] = [one('from', TEXT), one('to', TEXT)];
const REPLAY: readonly Argument[] = [options(REPLAY_OPTIONS)];

const FINDINGS = listOf('findings', having('a Finding', 'file', 'code', 'repair'));
const REPORT: Kind<never> = {
  expected: 'what check() gave',
  accepts: (value) => isRecord(value) && FINDINGS.accepts(Reflect.get(value, 'findings')),
};
const SOURCE: Kind<never> = {
  expected: 'a path, a file URL, or an export that was parsed: an object or an array',
  accepts: (value) => (typeof value === 'object' && value !== null) || typeof value === 'string',
};

/** The arguments of the public methods, in their order. */
const CALLS: Readonly<Record<string, readonly Argument[]>> = {
  open: [options(OPEN_FOLDER)],
  'open({ storage })': [
    one('first argument', { ...OBJECT, expected: 'a folder, or OpenOptions with a storage' }),
    options(OPEN_OPTIONS),
  ],
  init: [one('folder', TEXT), options(INIT_OPTIONS)],
  watch: [options(WATCH_OPTIONS)],
  check: [options(CHECK_OPTIONS)],
  repair: [one('plan', either(REPORT, FINDINGS)), options(REPAIR_OPTIONS)],

  createNode: [MADE, options(PLACEMENT)],
  getNode: [ID],
  getNodeVersions: [ID],
  updateNode: [ID, fields('patch', NODE_PATCH), options(NODE_EDIT_OPTIONS)],
  deleteNode: [ID, options(DELETE_NODE_OPTIONS)],
  createFlow: [options(NEW_FLOW_OPTIONS)],
  ensureFlow: [options(NEW_FLOW_OPTIONS)],
  getFlow: [FLOW_OR_ID],
  listFlows: [options(FLOW_QUERY)],
  updateFlow: [FLOW, fields('patch', FLOW_PATCH), options(FLOW_EDIT_OPTIONS)],
  deleteFlow: [FLOW, options(FLOW_EDIT_OPTIONS)],
  addNodeToFlow: [FLOW, ID, options(ADD_OPTIONS)],
  removeNodeFromFlow: [FLOW, ID, options(REMOVE_OPTIONS)],
  connectNodes: [...ENDS, options(CONNECT_OPTIONS)],
  disconnectNodes: [...ENDS, options(EDIT_OPTIONS)],
  createBranch: [one('from', TEXT), MADE, options(BRANCH_OPTIONS)],
  rebuildFlow: [FLOW, one('ids', TEXTS), options(FLOW_EDIT_OPTIONS)],

  readThread: [FLOW_OR_ID],
  editThread: [FLOW_OR_ID, one('changes', THREAD_CHANGES)],

  searchNodes: [fields('query', NODE_QUERY)],
  build: [options(BUILD_OPTIONS)],
  buildSummary: [ID, options(BUILD_MODEL)],
  buildContext: [options(CONTEXT_OPTIONS)],
  exportFlow: [FLOW, options(EXPORT_OPTIONS)],
  toText: [FLOW, options(TEXT_MAP_OPTIONS)],
  eraseSpeaker: [options(ERASE_OPTIONS)],
  vacuum: [options(VACUUM_OPTIONS)],
  importConversations: [one('source', SOURCE), options(IMPORT_OPTIONS)],

  chat: [options(CHAT_OPTIONS)],
  restoreBatch: [ID],
  retry: [ID, options(ASK_OPTIONS)],
  edit: [ID, one('prompt', TEXT), options(ASK_OPTIONS)],
  continue: [ID, options(ASK_OPTIONS)],

  relink: [NODE, options(RELINK_OPTIONS)],
  insertBetween: [one('parent', TEXT), one('child', TEXT), ID_OR_MADE, options(EDIT_OPTIONS)],
  deleteNodes: [one('nodes', either(TEXT, TEXTS)), options(DELETE_NODES_OPTIONS)],
  prune: [NODE, options(PRUNE_OPTIONS)],
  keepPath: [one('leaf', TEXT), options(KEEP_PATH_OPTIONS)],
  splitFlow: [NODE, options(PART_OPTIONS)],
  extract: [NODE, options(PART_OPTIONS)],
  tailFork: [NODE, options(TAIL_FORK_OPTIONS)],
  copySubtree: [NODE, options(COPY_OPTIONS)],
  mergeByStructure: [one('parents', TEXTS), MADE, options(EDIT_OPTIONS)],
  mergeByContent: [one('a', TEXT), one('b', TEXT), options(MERGE_BY_CONTENT_OPTIONS)],
  accept: [DECISION],
  undo: REPLAY,
  redo: REPLAY,
  forget: [options(FORGET_OPTIONS)],
};

/**
 * Refuses what plain JavaScript can pass and TypeScript would not, before anything is done.
 *
 * @param given - The arguments of the call, with their defaults.
 * @throws VizPromptError with the code `invalid-input` that names the method, the argument and what it must be.
 */
export function checkCall(method: string, ...given: readonly unknown[]): void {
  const known = CALLS[method];
  if (!known) throw new Error(`nothing is said of the arguments of ${method}`);
  for (const [at, check] of known.entries()) check(method, given[at]);
}
