import { z } from 'zod';
import type { SessionMetadata } from '../model/session.ts';
import type { NewSession } from '../session/start-session.ts';

/** @see SessionMetadata */
export const sessionMetadataSchema: z.ZodType<SessionMetadata> = z
  .object({
    branch: z.string().exactOptional(),
    initial_context: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
  })
  .catchall(z.json());

/** @see NewSession */
export const newSessionSchema: z.ZodType<NewSession> = z.strictObject({
  id: z.string().min(1).max(200).exactOptional(),
  workspace: z.string().min(1).exactOptional(),
  startedAt: z.iso.datetime({ offset: true }).exactOptional(),
  metadata: sessionMetadataSchema.exactOptional(),
  ifExists: z.enum(['fail', 'keep']).exactOptional(),
});
