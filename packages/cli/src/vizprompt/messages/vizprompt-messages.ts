import type { ToolMessages } from '../../frame/tool.ts';

/** What vizprompt says. */
export interface VizpromptMessages extends ToolMessages {}
