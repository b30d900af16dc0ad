import type { ChatModel, ModelRegistry } from '@vizprompt/providers';
import type { WorkflowSource } from '../options.ts';
import type { ProblemLanguage } from '../problems/to-problems.ts';

/** Options of {@link lint}. */
export interface LintOptions {
  /** As for `WorkflowEngine.open`. */
  readonly promptSets?: Readonly<Record<string, WorkflowSource>>;
  /** Of messages and suggestions. Default: `'en'`. */
  readonly language?: ProblemLanguage;
  /** As for `WorkflowEngine.open`. Default: models are not checked. */
  readonly models?: ModelRegistry | Readonly<Record<string, ChatModel>>;
  /** The names of functions. Default: they are not checked, as those below. */
  readonly functions?: readonly string[];
  /** The names of tools. */
  readonly tools?: readonly string[];
  /** The names of retrievers. */
  readonly retrievers?: readonly string[];
  /** The names of activities. */
  readonly activities?: readonly string[];
}
