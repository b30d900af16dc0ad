import type { ChatModel, ModelRegistry } from '@vizprompt/providers';
import {
  AMOUNT,
  having,
  type Kinds,
  listOf,
  OBJECT,
  oneOf,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { MODELS } from '../calls/model-chooser.ts';
import type { WorkflowSource } from '../definition/workflow-file.ts';
import type { ProblemLanguage } from '../problems/to-problems.ts';
import type { McpServerTools } from './mcp-tools.ts';

/** Options of `lint`. */
export interface LintOptions {
  /** As for `WorkflowEngine.open`. */
  readonly promptSets?: Readonly<Record<string, WorkflowSource>> | undefined;
  /** As for `WorkflowEngine.open`. */
  readonly maxFileBytes?: number | undefined;
  /** The language of messages and suggestions. Default: `'en'`. */
  readonly language?: ProblemLanguage | undefined;
  /** As for `WorkflowEngine.open`. Default: models are not checked. */
  readonly models?: ModelRegistry | Readonly<Record<string, ChatModel>> | undefined;
  /** The names of functions. Default: they are not checked, as those below. */
  readonly functions?: readonly string[] | undefined;
  /** The names of tools. */
  readonly tools?: readonly string[] | undefined;
  /** The names of retrievers. */
  readonly retrievers?: readonly string[] | undefined;
  /** The names of activities. */
  readonly activities?: readonly string[] | undefined;
  /** The tools of MCP servers, as `listMcpTools` returns them. */
  readonly mcpTools?: readonly McpServerTools[] | undefined;
}

const NAMES = optional(listOf('names', TEXT));

export const LINT_KINDS: Kinds<LintOptions> = {
  promptSets: optional(OBJECT),
  maxFileBytes: optional(AMOUNT),
  language: optional(oneOf('en', 'ja')),
  models: MODELS,
  functions: NAMES,
  tools: NAMES,
  retrievers: NAMES,
  activities: NAMES,
  mcpTools: optional(listOf('what listMcpTools returns', having('', 'server', 'tools'))),
};
