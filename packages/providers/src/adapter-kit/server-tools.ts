import type { Part } from '../models/message.ts';

/**
 * Checks whether a call or a result belongs to a tool that a provider ran itself. It goes back to that provider only: no
 * other has the tool, and no caller waits for its result.
 */
export function isProviderExecuted({ meta }: Part): boolean {
  return Object.values(meta ?? {}).some((own) => own['providerExecuted'] === true);
}
