import type { Database } from '@vizprompt/providers';
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

/** Opens the index of a project in its cache, and empties it if it was made in another way. */
export async function openProjectIndex(cache: Database): Promise<ProjectIndex> {
  await cache.migrate('core', INDEX_MIGRATIONS);
  const text = await createTextIndex(cache, {
    name: 'core_text',
    table: 'core_node',
    key: 'row_id',
    fields: TEXT_FIELDS,
  });
  if (text.isStale) {
    const tables = ['core_node', 'core_label', 'core_flow', 'core_flow_node', 'core_state'];
    await cache.batch(tables.map((table) => ({ sql: `DELETE FROM ${table}` })));
    await text.rebuild([]);
  }
  return {
    database: cache,
    nodes: new NodeIndex(cache, text),
    flows: new FlowIndex(cache),
    state: new IndexState(cache),
    text,
  };
}
