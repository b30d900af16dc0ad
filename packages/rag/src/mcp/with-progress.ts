import type { ServerContext } from '@modelcontextprotocol/server';
import type { NovelService } from '../project/novel-service.ts';

/** Between two notifications, in milliseconds. */
const PAUSE_MS = 100;

/** Tells the client how far the index of a project has come while a task runs, if it asked for that. */
export async function withProgress<T>(
  service: NovelService,
  projectId: string,
  { mcpReq }: ServerContext,
  task: () => Promise<T>,
): Promise<T> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return task();
  const novelId = projectId.normalize('NFC');
  let told = -1;
  let next = 0;
  const stop = service.events.on('project:progress', ({ done, total, ...progress }) => {
    // It must grow with each notification, also where a second update follows the first.
    if (progress.novelId !== novelId || done <= told) return undefined;
    if (performance.now() < next && done !== total) return undefined;
    [told, next] = [done, performance.now() + PAUSE_MS];
    const message = `indexing ${novelId}: ${done}${total === undefined ? '' : ` of ${total}`} files`;
    const params = {
      progressToken,
      progress: done,
      message,
      ...(total === undefined ? {} : { total }),
    };
    return mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    return await task();
  } finally {
    stop();
  }
}
