/** The texts of the commands for workflows. */
export interface WorkflowMessages {
  readonly workflow: string;
  readonly anyWorkflow: string;
  readonly text: string;
  readonly input: string;
  readonly inputFile: string;
  readonly file: string;
  readonly files: string;
  readonly prompts: string;
  readonly promptSet: string;
  readonly module: string;
  readonly model: string;
  readonly prices: string;
  readonly id: string;
  readonly run: string;
  readonly newestRun: string;
  readonly answer: string;
  readonly step: string;
  readonly value: string;
  readonly notAsked: (step: string) => string;
  readonly tokens: string;
  readonly costUsd: string;
  readonly record: string;
  readonly quiet: string;
  readonly status: string;
  readonly limit: string;
  readonly after: string;
  readonly strict: string;
  readonly mcp: string;
  readonly dataset: string;
  readonly judge: string;
  readonly repeat: string;
  readonly parallel: string;
  readonly against: string;
  readonly html: string;
  readonly scheduled: (schedule: string, run: string) => string;
  readonly nextTime: (schedule: string, at: string) => string;
  readonly outputTokens: string;
  readonly drawRun: string;
  readonly url: string;
  readonly namespace: string;
  readonly runs: string;
  readonly concurrency: string;
  readonly leaseMs: string;
  readonly pollMs: string;
  readonly working: string;
  readonly noFiles: string;
  readonly noRuns: (folder: string) => string;
  readonly noUnfinished: (folder: string) => string;
  readonly notAmount: string;
  readonly notPair: (value: string, what: string) => string;
  readonly notJson: (where: string, why: string) => string;
  readonly noModule: (file: string, why: string) => string;
  readonly oneWorkflow: (names: readonly string[]) => string;
  readonly replayed: string;
  readonly skipped: string;
  readonly retried: (attempt: number, seconds: number, why: string) => string;
  readonly fellBack: (from: string, to: string, why: string) => string;
  readonly asks: (path: string) => string;
  readonly answered: string;
  readonly unusable: (why: string) => string;
  readonly waitsThere: (id: string, path: string) => string;
  readonly waits: (id: string, path: string) => string;
  readonly goesOnWith: (id: string) => string;
  readonly problems: (errors: number, warnings: number) => string;
  readonly needsPrices: string;
  readonly clean: string;
  readonly totals: (
    calls: string,
    inputTokens: string,
    outputTokens: string,
    costUsd: string,
  ) => string;
  readonly unpriced: (models: string) => string;
  readonly withoutModel: (roles: string) => string;
  readonly unbounded: (steps: string) => string;
  readonly unrendered: (prompts: number) => string;
}
