import type { ToolMessages } from '../../frame/tool.ts';

/** What dialogoi says. */
export interface DialogoiMessages extends ToolMessages {}
