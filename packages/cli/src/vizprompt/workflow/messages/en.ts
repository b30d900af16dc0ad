import { count } from '../../../frame/messages/count.ts';
import type { WorkflowMessages } from './workflow-messages.ts';

/** The summaries of the commands of workflows, in English. */
export const workflowSummariesEn: Readonly<Record<string, string>> = {
  workflow: 'Workflows: agents that work together, as files describe',
  'workflow run': 'Run a workflow',
  'workflow resume': 'Continue a run that was interrupted, failed or waits',
  'workflow answer': 'Answer a question of a run, in any process',
  'workflow list': 'List the runs',
  'workflow show': 'Show a run: its steps, and what persons are asked',
  'workflow lint': 'Find what is wrong with files before they run',
  'workflow dry-run': 'Show what a run would send and cost; no model is called',
  'workflow evaluate': 'Score a workflow over the cases of a file, or compare two definitions',
  'workflow serve': 'Serve runs over HTTP, webhooks and AG-UI included, and start what is due',
  'workflow worker': 'Lead runs that others start with --url, with any number of workers',
  'workflow draw': 'Draw a workflow, or a run of it, as a Mermaid flowchart',
};

/** The texts of the commands for workflows, in English. */
export const workflowEn: WorkflowMessages = {
  workflow: 'the name of the workflow',
  anyWorkflow: 'the name of the workflow (default: the only one)',
  text: 'the input as a text; - reads it from standard input',
  input: 'the input as JSON; - reads it from standard input',
  inputFile: 'a file with the input as JSON',
  file: 'workflows, roles, prompts: YAML or JSON; may be given again (default: config/workflow_config and prompts/default_prompts, the nearest upwards)',
  files:
    'YAML or JSON (default: config/workflow_config and prompts/default_prompts, the nearest upwards)',
  prompts: 'NAME=FILE: a prompt set in addition to the others; may be given again',
  promptSet: 'the prompt set to use',
  module:
    'a JavaScript module that exports functions, tools, retrievers, activities, models or middleware for the steps',
  model: 'for roles that name none: provider:model, such as ollama:qwen3:8b',
  prices: 'a JSON file: {"MODEL": {"inputPerMillion", "outputPerMillion"}} in US dollars',
  id: 'the id of the run (default: a new one)',
  run: 'the id of a run',
  newestRun: 'the id of a run (default: the newest that has not come to its end)',
  answer: 'STEP=VALUE: the answer to a human step, as JSON or text; may be given again',
  step: 'the id or the path of a human step',
  value: 'the answer, as JSON or text; - reads it from standard input',
  notAsked: (step: string): string => `no question is open at '${step}'`,
  tokens: 'tokens that the run may take at most',
  costUsd: 'US dollars that the run may take at most; needs --prices',
  record: 'keep the run in the project, as a flow',
  quiet: 'nothing but the output',
  status: 'only runs with this status',
  limit: 'runs at most (default: 100)',
  after: 'the id of the last run of the list before',
  strict: 'warnings count as problems',
  mcp: 'start the MCP servers of the files: check the names of their tools, and list them',
  dataset: 'the cases: JSON Lines, or a list in YAML or JSON, with input, expected and id',
  judge:
    'exact, contains, or flow:NAME, a workflow that gives the score; may be given again (default: exact)',
  repeat: 'runs of each case (default: 1)',
  parallel: 'runs at a time (default: 4)',
  against: 'the file of another definition, which is compared with',
  html: 'the run as an HTML page: its timeline, with what steps were given, gave and cost',
  scheduled: (schedule: string, run: string): string => `${schedule}: ${run}`,
  nextTime: (schedule: string, at: string): string => `${schedule} is due at ${at}`,
  outputTokens: 'tokens of an answer at most, where the files do not say (default: 1000)',
  drawRun: 'the id of a run: what became of each step',
  url: 'the PostgreSQL database of workers, who do the steps (default: they are done here)',
  namespace: 'which runs of the database (default: vizprompt_workflow)',
  runs: 'runs at a time (default: 200)',
  concurrency: 'PROVIDER=N: calls at a time, of all workers together; may be given again',
  leaseMs: 'milliseconds of silence after which others continue its runs (default: 15000)',
  pollMs: 'how often it looks for runs, in milliseconds (default: 100)',
  working: 'working; Ctrl+C ends it',
  noFiles: 'which workflows? give --file, or make config/workflow_config.json',
  noRuns: (folder: string): string => `there are no runs in ${folder}`,
  noUnfinished: (folder: string): string => `no run in ${folder} can be continued`,
  notAmount: 'It must be a number above 0.',
  notPair: (value: string, what: string): string => `'${value}' is not ${what}`,
  notJson: (where: string, why: string): string =>
    `${where}: expected JSON, got something else: ${why}`,
  noModule: (file: string, why: string): string => `${file} cannot be loaded: ${why}`,
  oneWorkflow: (names: readonly string[]): string =>
    `which workflow? there are ${names.join(', ') || 'none'}`,
  replayed: 'done before',
  skipped: 'skipped',
  retried: (attempt: number, seconds: number, why: string): string =>
    `attempt ${attempt} in ${seconds} s: ${why}`,
  fellBack: (from: string, to: string, why: string): string => `${to} for ${from}: ${why}`,
  asks: (path: string): string => `${path} asks:`,
  answered: 'answered',
  unusable: (why: string): string => `this is no answer: ${why}`,
  waitsThere: (id: string, path: string): string =>
    `the run waits for a person: vizprompt workflow answer ${id} '${path}' VALUE`,
  waits: (id: string, path: string): string =>
    `the run waits for a person: vizprompt workflow resume ${id} --answer '${path}=...'`,
  goesOnWith: (id: string): string => `continue with: vizprompt workflow resume ${id}`,
  problems: (errors: number, warnings: number): string =>
    `${count(errors, 'error')}, ${count(warnings, 'warning')}`,
  needsPrices: '--cost-usd needs to know what models cost: give --prices FILE',
  clean: 'nothing is wrong',
  totals: (calls: string, inputTokens: string, outputTokens: string, costUsd: string): string =>
    `${count(calls, 'call')}, ${count(inputTokens, 'token')} in, ${count(outputTokens, 'token')} out, ${costUsd} US dollars`,
  unpriced: (models: string): string => `without a price: ${models}`,
  withoutModel: (roles: string): string =>
    `roles without a model, which cost nothing here (name one with --model): ${roles}`,
  unbounded: (steps: string): string =>
    `counted once, though nothing but limits ends them: ${steps}`,
  unrendered: (prompts: number): string => `${count(prompts, 'prompt')} cannot be rendered`,
};
