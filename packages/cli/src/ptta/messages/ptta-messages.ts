import type { ToolMessages } from '../../frame/tool.ts';

/** What ptta says. */
export interface PttaMessages extends ToolMessages {
  readonly session: string;
  readonly workspace: string;
  readonly branch: string;
  readonly message: string;
  readonly sessionStarted: (id: string, workspace: string) => string;
  readonly logged: (sequence: number, type: string, id: string) => string;
  readonly noMemory: (folder: string) => string;
  readonly noCurrentSession: (workspace: string) => string;
}
