import type { Named, PromptSet, WorkflowDefinition } from './workflow-file.ts';

/** What files hold together. */
export interface Definitions {
  readonly workflows: Readonly<Record<string, WorkflowDefinition>>;
  readonly promptSets: Readonly<Record<string, PromptSet>>;
  readonly use: Named;
}
