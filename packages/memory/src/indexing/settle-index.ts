import type { MemoryContext } from '../store/memory-context.ts';

/** Arranges what was written to the index. If that fails, all is written nevertheless, and searches find it. */
export async function settleIndex({
  index,
  logger,
}: Pick<MemoryContext, 'index' | 'logger'>): Promise<void> {
  try {
    await index.settle();
  } catch (error) {
    logger.warn('the text index could not be arranged: searches take longer', { error });
  }
}
