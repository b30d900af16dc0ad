import type { Logger, TypedEvents } from '@vizprompt/providers';
import type { SearchBackend } from '../contract/search-backend.ts';
import type { NovelEvents } from '../events.ts';
import { hasEvents } from '../indexing/has-events.ts';
import type { ProjectIndexerOptions } from '../indexing/project-indexer-options.ts';

type IndexerListeners = NonNullable<ProjectIndexerOptions['on']>;

/** From the first file to the last; few files are one step, between its beginning and its end. */
export function progressOf(novelId: string, events: TypedEvents<NovelEvents>): IndexerListeners {
  let total: number | undefined;
  const tell = (done: number): void => {
    if (total !== undefined) events.emit('project:progress', { novelId, done, total });
  };
  return {
    'index:started': ({ files }) => {
      total = files;
      tell(0);
    },
    'index:progress': ({ done }) => tell(done),
    'index:finished': () => {
      tell(total ?? 0);
      total = undefined;
    },
  };
}

/** Which files came into the index, and which went. */
export function changesOf(novelId: string, events: TypedEvents<NovelEvents>): IndexerListeners {
  return {
    'file:indexed': ({ path }) => events.emit('file:indexed', { novelId, path }),
    'file:removed': ({ path }) => events.emit('file:removed', { novelId, path }),
  };
}

/** What of a project cannot be searched. */
export function failuresOf(
  novelId: string,
  events: TypedEvents<NovelEvents>,
  logger: Logger | undefined,
): IndexerListeners {
  return {
    'file:failed': ({ path, error }) => {
      logger?.warn(error.message, { project: novelId, path });
      events.emit('file:failed', { novelId, path, error });
    },
    'index:failed': ({ error }) => events.emit('index:failed', { novelId, error }),
  };
}

/** Passes on what a backend tells of its vectors, if it has any. */
export function tellOfBackend(
  novelId: string,
  backend: SearchBackend,
  events: TypedEvents<NovelEvents>,
): void {
  if (!hasEvents(backend)) return;
  for (const name of ['search:degraded', 'vectors:queued', 'vectors:caught-up'] as const) {
    backend.events.on(name, (event) => events.emit(name, { novelId, ...event }));
  }
}
