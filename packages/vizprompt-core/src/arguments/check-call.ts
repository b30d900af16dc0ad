import {
  AMOUNT,
  either,
  FLAG,
  FUNCTION,
  having,
  listOf,
  OBJECT,
  optional,
  optionChecks,
  TEXT,
  TEXTS,
  type Kind,
  type Kinds,
} from '@vizprompt/providers/config/internal';
import { VizPromptError } from '../errors.ts';
import { isObject, VERSION } from './kinds.ts';
import { NEW_NODE, NODE_PATCH } from './node-kinds.ts';
import * as kinds from './option-kinds.ts';

const { checkArgument, checkOptions } = optionChecks(
  (message, context) => new VizPromptError('invalid-input', message, { context }),
);

/** Refuses what a method is given for one of its arguments. */
type Argument = (method: string, given: unknown) => void;

function one(name: string, kind: Kind): Argument {
  return (method, given) => checkArgument(`the ${name} of ${method}`, given, kind);
}

function fields<Fields extends object>(name: string, known: Kinds<Fields>): Argument {
  return (method, given) => {
    const what = `the ${name} of ${method}`;
    checkArgument(what, given, OBJECT);
    if (isObject(given)) checkOptions<object>(name === 'options' ? method : what, given, known);
  };
}

function options<Options extends object>(known: Kinds<Options>): Argument {
  return fields('options', known);
}

const ID: Argument = one('id', TEXT);
const FLOW: Argument = one('flow', TEXT);
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
/** What decides a merge gives back. */
const DECISION: Argument = (method, given) => {
  if (given !== undefined && typeof given !== 'boolean') ANSWER(method, given);
};
const ENDS: readonly Argument[] = [one('from', TEXT), one('to', TEXT)];
const LISTENER: readonly Argument[] = [one('name', TEXT), one('listener', FUNCTION)];
const REPLAY: readonly Argument[] = [options({ ifStep: optional(TEXT) })];

const FINDINGS = listOf('findings', having('a Finding', 'file', 'code', 'repair'));
const REPORT: Kind<never> = {
  expected: 'what check() gave',
  accepts: (value) => isObject(value) && FINDINGS.accepts(Reflect.get(value, 'findings')),
};
const SOURCE: Kind<never> = {
  expected: 'a path, a file URL, or an export that was parsed: an object or an array',
  accepts: (value) => (typeof value === 'object' && value !== null) || typeof value === 'string',
};

/** What the public methods take, in the order of their arguments. */
const CALLS: Readonly<Record<string, readonly Argument[]>> = {
  open: [options(kinds.OPEN_FOLDER)],
  'open({ storage })': [
    one('first argument', { ...OBJECT, expected: 'a folder, or OpenOptions with a storage' }),
    options(kinds.OPEN_STORAGE),
  ],
  init: [one('folder', TEXT), options({ git: optional(FLAG) })],
  on: LISTENER,
  once: LISTENER,
  watch: [options(kinds.WATCH)],
  check: [options(kinds.SIGNAL_ONLY)],
  repair: [one('plan', either(REPORT, FINDINGS)), options(kinds.REPAIR)],

  createNode: [MADE, options(kinds.PLACEMENT)],
  getNode: [ID],
  getNodeVersions: [ID],
  updateNode: [ID, fields('patch', NODE_PATCH), options({ ifVersion: optional(VERSION) })],
  deleteNode: [ID, options({ join: optional(FLAG) })],
  createFlow: [options(kinds.NEW_FLOW)],
  getFlow: [FLOW],
  updateFlow: [FLOW, fields('patch', kinds.FLOW_PATCH), options(kinds.FLOW_EDIT)],
  deleteFlow: [FLOW, options(kinds.FLOW_EDIT)],
  addNodeToFlow: [FLOW, ID, options(kinds.ADD)],
  removeNodeFromFlow: [FLOW, ID, options(kinds.REMOVE)],
  connectNodes: [...ENDS, options(kinds.CONNECT)],
  disconnectNodes: [...ENDS, options(kinds.EDIT)],
  createBranch: [one('from', TEXT), MADE, options(kinds.BRANCH)],
  rebuildFlow: [FLOW, one('ids', TEXTS), options(kinds.FLOW_EDIT)],

  searchNodes: [fields('query', kinds.QUERY)],
  build: [options(kinds.BUILD)],
  buildSummary: [ID, options(kinds.BUILD_MODEL)],
  buildContext: [options(kinds.CONTEXT)],
  exportFlow: [FLOW, options(kinds.EXPORT)],
  toText: [FLOW, options({ width: optional(AMOUNT) })],
  eraseSpeaker: [options(kinds.ERASE)],
  vacuum: [options(kinds.VACUUM)],
  importConversations: [one('source', SOURCE), options(kinds.IMPORT)],

  chat: [options(kinds.CHAT)],
  restoreBatch: [ID],
  retry: [ID, options(kinds.ASK)],
  edit: [ID, one('prompt', TEXT), options(kinds.ASK)],
  continue: [ID, options(kinds.ASK)],

  relink: [NODE, options(kinds.RELINK)],
  insertBetween: [one('parent', TEXT), one('child', TEXT), ID_OR_MADE, options(kinds.EDIT)],
  deleteNodes: [one('nodes', either(TEXT, TEXTS)), options(kinds.DELETE_NODES)],
  prune: [NODE, options(kinds.PRUNE)],
  keepPath: [one('leaf', TEXT), options(kinds.KEEP_PATH)],
  splitFlow: [NODE, options(kinds.PART)],
  extract: [NODE, options(kinds.PART)],
  tailFork: [NODE, options(kinds.TAIL_FORK)],
  copySubtree: [NODE, options(kinds.COPY)],
  mergeByStructure: [one('parents', TEXTS), MADE, options(kinds.EDIT)],
  mergeByContent: [one('a', TEXT), one('b', TEXT), options(kinds.MERGE_BY_CONTENT)],
  accept: [DECISION],
  undo: REPLAY,
  redo: REPLAY,
  forget: [options({ step: optional(TEXT) })],
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
