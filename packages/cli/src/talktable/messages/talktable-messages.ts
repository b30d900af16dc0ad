import type { ToolMessages } from '../../frame/tool.ts';

/** What talktable says. */
export interface TalktableMessages extends ToolMessages {}
