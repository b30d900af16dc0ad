import type { Named, PromptSet, WorkflowDefinition } from './workflow-file.ts';

/**
 * All that a run needs of the files, as plain JSON: it is stored with the run, so that edited files change
 * nothing of a run on its way. Only what the workflow can reach is in it.
 */
export interface PinnedDefinition {
  /** The workflow that was started. */
  readonly name: string;
  /** It, and those it runs as subflows. */
  readonly workflows: Readonly<Record<string, WorkflowDefinition>>;
  /** The name of the prompt set. */
  readonly promptSet: string;
  readonly agent_roles: PromptSet['agent_roles'];
  readonly prompts: PromptSet['prompts'];
  readonly use: Named;
}

/** A pinned definition and the SHA-256 (hex) of its canonical JSON. */
export interface Pinned {
  readonly definition: PinnedDefinition;
  readonly hash: string;
}
