import type { ToolMessages } from '../../frame/tool.ts';
import type { WorkflowMessages } from '../workflow/messages/workflow-messages.ts';

/** The texts of vizprompt. */
export interface VizpromptMessages extends ToolMessages {
  readonly args: Readonly<Record<ArgumentName, string>>;
  readonly options: Readonly<Record<OptionName, string>>;
  readonly labels: Readonly<Record<LabelName, string>>;
  readonly chat: ChatMessages;
  readonly workflow: WorkflowMessages;
  readonly trust: TrustMessages;

  readonly noProject: (folder: string) => string;
  readonly cannotWrite: (folder: string) => string;
  readonly noProjectUpwards: (folder: string) => string;
  readonly noNumber: (number: string, flow: string) => string;
  readonly needsModel: string;
  readonly noModel: string;
  readonly nothingGiven: (options: string) => string;
  readonly problem: (place: string, message: string) => string;

  readonly made: (folder: string) => string;
  readonly unchanged: (folder: string) => string;
  readonly wrote: (file: string) => string;
  readonly mergeDriver: Readonly<Record<'registered' | 'no-repository' | 'no-git', string>>;
  readonly created: (id: string) => string;
  readonly updated: (id: string) => string;
  readonly deleted: (id: string) => string;
  readonly flowHead: (name: string, id: string, nodes: number, connections: number) => string;
  readonly flowLine: (id: string, nodes: number, name: string) => string;
  readonly flowCreated: (name: string, id: string) => string;
  readonly connected: (from: string, to: string, flow: string) => string;
  readonly rebuilt: (flow: string, nodes: number) => string;
  readonly imported: (conversations: number, updated: number, unchanged: number) => string;
  readonly importedNodes: (created: number, updated: number, unchanged: number) => string;
  readonly skipped: (entry: string, reason: string) => string;
  readonly warned: (entry: string, reason: string) => string;
  readonly importing: string;
  readonly building: string;
  readonly built: (nodes: number, postponed: number) => string;
  readonly buildFailed: (nodes: number) => string;
  readonly contextTokens: (tokens: number, budget: number, everything: number) => string;
  readonly checking: string;
  readonly opening: string;
  readonly healthy: (nodes: number, flows: number) => string;
  readonly found: (findings: number) => string;
  readonly repaired: (findings: number) => string;
  readonly setAside: (from: string, to: string) => string;
  readonly notRepaired: (findings: number) => string;
  readonly nothingToRepair: string;
  readonly conflictLeft: (file: string) => string;
  readonly undone: (label: string) => string;
  readonly redone: (label: string) => string;
  readonly nothingToUndo: string;
  readonly nothingToRedo: string;
}

type ArgumentName =
  | 'folder'
  | 'node'
  | 'text'
  | 'flow'
  | 'flowName'
  | 'from'
  | 'to'
  | 'branchFrom'
  | 'nodes'
  | 'outdated'
  | 'source'
  | 'kind'
  | 'base'
  | 'ours'
  | 'theirs'
  | 'path';

type OptionName =
  | 'git'
  | 'prompt'
  | 'promptFile'
  | 'response'
  | 'responseFile'
  | 'flow'
  | 'noFlow'
  | 'after'
  | 'root'
  | 'branchName'
  | 'nodeTags'
  | 'nodeModel'
  | 'versions'
  | 'summary'
  | 'ifVersion'
  | 'noJoin'
  | 'tags'
  | 'keywords'
  | 'text'
  | 'answeredBy'
  | 'since'
  | 'before'
  | 'limit'
  | 'alias'
  | 'description'
  | 'importFormat'
  | 'buildModel'
  | 'model'
  | 'serveModel'
  | 'baseUrl'
  | 'concurrency'
  | 'node'
  | 'instructions'
  | 'instructionsFile'
  | 'budget'
  | 'references'
  | 'pin'
  | 'exclude'
  | 'report'
  | 'chatPrompt'
  | 'from'
  | 'reasoning'
  | 'exportFormat'
  | 'output'
  | 'leaf'
  | 'noAttachments'
  | 'dryRun'
  | 'keepMissing'
  | 'keepHistory'
  | 'keepLostAndFound'
  | 'batch'
  | 'path';

type LabelName =
  | 'id'
  | 'time'
  | 'model'
  | 'speaker'
  | 'status'
  | 'tags'
  | 'summary'
  | 'outdated'
  | 'file'
  | 'prompt'
  | 'response';

/** The texts of `trust`. */
interface TrustMessages {
  readonly path: string;
  readonly list: string;
  readonly revoke: string;
  readonly nothing: string;
  readonly asksNothing: (place: string) => string;
  readonly trusted: (place: string) => string;
  readonly revoked: (place: string) => string;
  readonly notTrusted: (place: string) => string;
}

/** The texts of the chat. */
interface ChatMessages {
  readonly welcome: (model: string, flow: string) => string;
  readonly help: string;
  readonly stopped: string;
  readonly asksDetail: (ids: string) => string;
  readonly usage: (node: string, input: number, output: number) => string;
  readonly ended: (reason: string) => string;
  readonly onceMore: string;
  readonly noCommand: (word: string) => string;
  readonly nothingYet: string;
  readonly needsText: string;
  readonly needsNode: string;
  readonly goesOn: (node: string, title: string) => string;
}
