import { count } from '../../frame/messages/count.ts';
import { workflowEn, workflowSummariesEn } from '../workflow/messages/en.ts';
import type { VizpromptMessages } from './vizprompt-messages.ts';

/** The texts of vizprompt in English. */
export const vizpromptEn: VizpromptMessages = {
  about: 'Conversations with models as graphs, on plain files.',
  data: 'the project folder (default: the nearest one upwards)',
  summaries: {
    ...workflowSummariesEn,
    init: 'Make a project, or set one up to be shared by git',
    'create-node': 'Make a node of a prompt and a response',
    'get-node': 'Show a node',
    'update-node': 'Change a node',
    'delete-node': 'Delete a node',
    search: 'Search nodes by words, tags and keywords',
    flow: 'Flows: what follows what',
    'flow list': 'List the flows',
    'flow show': 'Show the branches of a flow',
    'flow create': 'Make a flow',
    'flow connect': 'Connect two nodes',
    'flow branch': 'Begin a branch with a new node',
    'flow rebuild': 'Make a flow one straight line of these nodes',
    import: 'Import conversations of ChatGPT, Claude, Open WebUI and others',
    build: 'Make summaries, tags and keywords, and the index of them',
    context: 'Build the context of a model for a prompt',
    chat: 'Talk with a model, and keep it',
    export: 'Write a flow in another form',
    check: 'Compare all files, and list what is wrong',
    repair: 'Repair what check finds; nothing that was said is deleted',
    erase: 'Erase what a person or agent said, everywhere in the folder',
    vacuum: 'Remove every byte of what was deleted; nothing can be undone afterwards',
    undo: 'Take back the last edit',
    redo: 'Make the edit that was taken back again',
    serve: 'Start the WebSocket server',
    trust: 'Consent to what a folder or a file from elsewhere asks for',
    'git-merge': 'Merge two versions of a file, as the merge driver that git calls',
  },
  args: {
    folder: 'the folder (default: --data, or the current one)',
    node: 'the id of a node, or its number in the flow',
    text: 'the same as --text',
    flow: 'the id, alias or name of a flow (default: main)',
    flowName: 'the name of the flow',
    from: 'the id or number of the node that comes first',
    to: 'the id or number of the node that follows',
    branchFrom: 'the id or number of the node that the branch begins after',
    nodes: 'the ids or numbers of the nodes, in their order',
    outdated: 'nodes to build, outdated or not (default: all that changed since)',
    source: 'a file, a zip archive or a folder; - reads standard input',
    kind: 'what the file is',
    base: 'the version that both sides began with',
    ours: 'our version, which gets the result',
    theirs: 'their version',
    path: 'the path of the file in the repository',
  },
  options: {
    git: 'set it up for several people who share it by git, with the merge driver; once in each clone',
    prompt: 'the prompt; - reads standard input',
    promptFile: 'a file with the prompt; - reads standard input',
    response: 'the response; - reads standard input',
    responseFile: 'a file with the response; - reads standard input',
    flow: 'the flow, by id, alias or name (default: the one flow that the node is in, or main)',
    noFlow: 'join no flow',
    after: 'the nodes that it continues from, by id or number (default: the head of the flow)',
    root: 'go on from no node',
    branchName: 'the name of the branch that begins with it',
    nodeTags: 'its tags, separated by commas',
    nodeModel: 'the model that answered',
    versions: 'the nodes of all files that carry the id, the newest first',
    summary: 'its summary',
    ifVersion: 'only if the file still has this version',
    noJoin: 'do not connect what came before it with what follows',
    tags: 'nodes with each of these tags, separated by commas',
    keywords: 'nodes with each of these keywords, separated by commas',
    text: 'words to look for, the best first; "…" literally; - reads standard input',
    answeredBy: 'nodes that this model answered',
    since: 'nodes from this time on',
    before: 'nodes before this time',
    limit: 'how many at most (default: 20)',
    alias: 'a short name',
    description: 'what it is about',
    importFormat: 'the form of the source (default: found out)',
    buildModel:
      'ask this model, provider:name; without a name that of config.yaml (default: none, summaries are taken from the text)',
    model: 'the model, provider:name, such as ollama:qwen3 (default: that of config.yaml)',
    serveModel:
      'the model that clients may ask, provider:name; without a name that of config.yaml (default: none)',
    baseUrl: 'the address of the server of --model',
    concurrency: 'how many calls of the model run side by side (default: 4)',
    node: 'the node that the prompt continues from (default: the head of the flow)',
    instructions:
      'the system message, such as a role; - reads standard input',
    instructionsFile: 'a file with the instructions; - reads standard input',
    budget: 'tokens at most (default: 8000)',
    references: 'nodes of other branches that are given in full, separated by commas',
    pin: 'nodes that are always given in full, and never cut',
    exclude: 'nodes that are never given',
    report: 'show on standard error how each node is in it, and what it costs',
    chatPrompt: 'ask this once, and end; - reads standard input',
    from: 'the node to go on from (default: the head of the flow)',
    reasoning: 'show what the model thinks',
    exportFormat: 'the form (default: markdown)',
    output: 'the file to write (default: standard output)',
    leaf: 'for openai: the node that the line ends with (default: the head)',
    noAttachments: 'for json: leave files out, and only name them',
    dryRun: 'only show what would be done',
    keepMissing: 'leave nodes in their flows whose files are missing, as they may come back',
    keepHistory: 'keep what undo needs, deleted nodes among it',
    keepLostAndFound: 'keep the files that a repair set aside',
    batch: 'apply this batch that was set aside, as it is yours',
    path: 'the path of the address (default: /)',
  },
  labels: {
    id: 'ID',
    time: 'Time',
    model: 'Model',
    speaker: 'Speaker',
    status: 'Status',
    tags: 'Tags',
    summary: 'Summary',
    outdated: 'outdated',
    file: 'File',
    prompt: 'Prompt',
    response: 'Response',
  },
  workflow: workflowEn,
  chat: {
    welcome: (model: string, flow: string): string =>
      `${model}, flow ${flow}. /help shows the commands, Ctrl+C breaks an answer off, Ctrl+D ends.`,
    help: `/retry                ask the same again: a branch beside the last answer
/edit TEXT            ask something else in its place
/continue             go on with an answer that was cut off
/branch NODE [NAME]   go on from another node: its number in the tree, or its id
/tree                 show the branches
/help                 show this
/exit                 end, as Ctrl+D does
A line that ends with \\ goes on in the next one. //… sends text that begins with /.`,
    stopped: '[stopped; what had come is kept]',
    asksDetail: (ids: string): string => `[the model reads ${ids} in full]`,
    usage: (node: string, input: number, output: number): string =>
      `[${node}: ${input} + ${output} tokens]`,
    ended: (reason: string): string => `[the answer ended early: ${reason}; /continue resumes it]`,
    onceMore: 'Ctrl+C again, or Ctrl+D, ends the chat.',
    noCommand: (word: string): string =>
      `there is no command ${word}: /help shows them, and //… sends text that begins with /`,
    nothingYet: 'nothing was said yet',
    needsText: '/edit needs a text: /edit TEXT',
    needsNode: '/branch needs a node: /branch NODE [NAME]; /tree shows the numbers',
    goesOn: (node: string, title: string): string =>
      `[the next message continues from ${node}: ${title}]`,
  },

  noProject: (folder: string): string => `there is no project in ${folder}: vizprompt init`,
  cannotWrite: (folder: string): string => `the project cannot be written: ${folder}`,
  noProjectUpwards: (folder: string): string =>
    `there is no project in ${folder} or above: make one with vizprompt init, or name one with --data`,
  noNumber: (number: string, flow: string): string =>
    `there is no node ${number} in the flow '${flow}': vizprompt flow show`,
  noModel:
    'config.yaml names no model (default_llm_provider, default_model): give --model provider:name',
  needsModel: '--base-url needs --model with a name',
  nothingGiven: (options: string): string => `nothing is to be changed: give one of ${options}`,
  problem: (place: string, message: string): string => `${place}: ${message}`,

  made: (folder: string): string => `The project is set up: ${folder}`,
  unchanged: (folder: string): string => `The project was set up already: ${folder}`,
  wrote: (file: string): string => `wrote ${file}`,
  mergeDriver: {
    registered: 'git merges it by what it means. Commit what was written.',
    'no-repository': 'It is in no git repository: call this again after git init.',
    'no-git': 'There is no git on this machine: call this again when there is.',
  },
  created: (id: string): string => `Created node: ${id}`,
  updated: (id: string): string => `Updated node: ${id}`,
  deleted: (id: string): string => `Deleted node: ${id} (vizprompt undo brings it back)`,
  flowHead: (name: string, id: string, nodes: number, connections: number): string =>
    `${name} (${id}): ${count(nodes, 'node')}, ${count(connections, 'connection')}`,
  flowLine: (id: string, nodes: number, name: string): string =>
    `${id}  ${count(nodes, 'node')}  ${name}`,
  flowCreated: (name: string, id: string): string => `Created flow: ${id} (${name})`,
  connected: (from: string, to: string, flow: string): string =>
    `Connected ${from} → ${to} in the flow ${flow}`,
  rebuilt: (flow: string, nodes: number): string =>
    `The flow ${flow} is a line of ${count(nodes, 'node')} (vizprompt undo takes it back)`,
  imported: (conversations: number, updated: number, unchanged: number): string =>
    `Conversations: ${conversations} imported, ${updated} updated, ${unchanged} unchanged`,
  importedNodes: (created: number, updated: number, unchanged: number): string =>
    `Nodes: ${created} created, ${updated} updated, ${unchanged} unchanged`,
  skipped: (entry: string, reason: string): string => `left out: ${entry}: ${reason}`,
  warned: (entry: string, reason: string): string => `odd: ${entry}: ${reason}`,
  importing: 'Importing',
  building: 'Building',
  built: (nodes: number, postponed: number): string =>
    postponed === 0
      ? `Built ${count(nodes, 'node')}`
      : `Built ${count(nodes, 'node')}; ${postponed} changed meanwhile, and wait for the next build`,
  buildFailed: (nodes: number): string => `${count(nodes, 'node')} got no summary`,
  contextTokens: (tokens: number, budget: number, everything: number): string =>
    `${tokens} of ${budget} tokens; everything in full would be ${everything}`,
  checking: 'Checking',
  opening: 'Reading files',
  healthy: (nodes: number, flows: number): string =>
    `${count(nodes, 'node')} and ${count(flows, 'flow')}: nothing is wrong`,
  found: (findings: number): string =>
    `something is wrong in ${count(findings, 'place')}: run vizprompt repair`,
  repaired: (findings: number): string => `Repaired: ${findings}`,
  setAside: (from: string, to: string): string => `${from} as it was is in ${to}`,
  notRepaired: (findings: number): string => `left as it is: ${count(findings, 'finding')}`,
  nothingToRepair: 'There is nothing to repair.',
  conflictLeft: (file: string): string => `${file} has a conflict that you must settle`,
  undone: (label: string): string => `Taken back: ${label}`,
  redone: (label: string): string => `Made again: ${label}`,
  nothingToUndo: 'There is nothing to take back.',
  nothingToRedo: 'There is nothing to make again.',
  trust: {
    path: 'a project, a talk file, or a folder with a memory (default: --data, or the current folder)',
    list: 'list everything that you consented to',
    revoke: 'take back your consent',
    nothing: 'You consented to nothing.',
    asksNothing: (place: string): string => `${place} asks for no consent.`,
    trusted: (place: string): string => `Trusted: ${place}`,
    revoked: (place: string): string => `No longer trusted: ${place}`,
    notTrusted: (place: string): string => `${place} is not trusted: see vizprompt trust --list`,
  },
};
