import type { ToolMessages } from '../../frame/tool.ts';
import type { WorkflowMessages } from '../workflow/messages/workflow-messages.ts';

/** What vizprompt says. */
export interface VizpromptMessages extends ToolMessages {
  readonly workflow: WorkflowMessages;
}
