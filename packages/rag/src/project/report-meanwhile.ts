import type { TypedEvents } from '@vizprompt/providers';
import type { NovelEvents } from '../events.ts';
import type { RefreshReport } from '../indexing/refresh-project.ts';

/**
 * Adds to the report of a refresh what else was done to the index of a project while it was waited for: whoever
 * opens a project that is watched finds its index made already.
 */
export async function reportMeanwhile(
  events: TypedEvents<NovelEvents>,
  project: string,
  refresh: () => Promise<RefreshReport>,
): Promise<RefreshReport> {
  const changes = new Map<string, 'indexed' | 'removed'>();
  const ends = (['indexed', 'removed'] as const).map((change) =>
    events.on(`file:${change}`, ({ novelId, path }) => {
      if (novelId === project) changes.set(path, change);
    }),
  );
  try {
    const report = await refresh();
    const removed = [...changes.values()].filter((change) => change === 'removed').length;
    const indexed = changes.size - removed;
    return { ...report, indexed, removed, unchanged: report.indexed + report.unchanged - indexed };
  } finally {
    for (const end of ends) end();
  }
}
