import { having, type Kinds, optional, TEXT } from '@vizprompt/providers/config';
import { checkArgument } from '../check-options.ts';
import { OPTIONAL_LOGGER } from '../contract/option-kinds.ts';
import type { NovelMcpOptions } from './create-novel-mcp-server.ts';

export const MCP_KINDS: Kinds<NovelMcpOptions> = { name: optional(TEXT), logger: OPTIONAL_LOGGER };

const SERVICE = having('a NovelService (await NovelService.open(…))', 'search', 'list', 'read');

/** @throws RagError with the code `invalid-input`. */
export function checkService(service: unknown): void {
  checkArgument('the service', service, SERVICE);
}
