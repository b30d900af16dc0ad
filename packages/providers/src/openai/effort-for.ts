import { EFFORTS, nearestLevel, type Effort } from '../adapter-kit/effort.ts';
import type { ChatRequest } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';

/** Returns the level that this server is asked for; `undefined` for its default. */
export function effortFor(
  reasoning: ChatRequest['reasoning'],
  { efforts = EFFORTS }: OpenAIProfile,
): Effort | undefined {
  if (reasoning === undefined || reasoning === 'default') return undefined;
  return nearestLevel(reasoning, efforts);
}
