import type { Database, Storage } from '@vizprompt/providers';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import { FlowIndex } from './flow-index.ts';
import { NodeIndex, TEXT_FIELDS } from './node-index.ts';
import { INDEX_MIGRATIONS } from './schema.ts';
import { IndexState } from './state.ts';

/** All that is known of a project without reading its files. */
export interface ProjectIndex {
  readonly database: Database;
  readonly nodes: NodeIndex;
  readonly flows: FlowIndex;
  readonly state: IndexState;
  readonly text: TextIndex;
}

/** The name of the lock under which an index is made anew. */
const LOCK = 'vizprompt-index';
/** To make an empty index takes no time; whoever waits for it waits for a machine at its limit. */
const LOCK_TIMEOUT_MS = 60_000;

/** Opens the index of a project in its cache, and empties it if it was made in another way. */
export async function openProjectIndex({ files, cache }: Storage): Promise<ProjectIndex> {
  await cache.migrate('core', INDEX_MIGRATIONS);
  let text = await openText(cache);
  if (text.isStale) {
    const lock = await files.lock(LOCK, { timeoutMs: LOCK_TIMEOUT_MS });
    try {
      text = await openText(cache);
      if (text.isStale) {
        const tables = ['core_node', 'core_label', 'core_flow', 'core_flow_node', 'core_state'];
        await cache.batch(tables.map((table) => ({ sql: `DELETE FROM ${table}` })));
        await text.rebuild([]);
      }
    } finally {
      await lock.release();
    }
  }
  return {
    database: cache,
    nodes: new NodeIndex(cache, text),
    flows: new FlowIndex(cache),
    state: new IndexState(cache),
    text,
  };
}

function openText(cache: Database): Promise<TextIndex> {
  return createTextIndex(cache, {
    name: 'core_text',
    table: 'core_node',
    key: 'row_id',
    fields: TEXT_FIELDS,
  });
}
