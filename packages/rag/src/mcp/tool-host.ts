import type { Logger } from '@vizprompt/providers';
import type { NovelService } from '../project/novel-service.ts';

/** What tools work with. */
export interface ToolHost {
  readonly service: NovelService;
  readonly logger: Logger;
}

/** Tools that change nothing, in a world that is known. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Tools that write files, and replace them if they are told to. */
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const;
