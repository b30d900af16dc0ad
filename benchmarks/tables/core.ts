import type { Table } from '../page/table.ts';

const core: Table = {
  name: 'core',
  rows: [
    { name: 'nodes', what: 'in flows of 256 turns and one of 4,000' },
    {
      name: 'create_p50_ms',
      what: '`createNode`, durable, one caller',
      unit: 'ms',
      wanted: { atMost: 5 },
    },
    { name: 'create_p95_ms', what: '', unit: 'ms' },
    {
      name: 'create_in_flow_of_4000_p50_ms',
      what: 'the same, at the end of a flow of 4,000 nodes, whose YAML is written anew',
      unit: 'ms',
    },
    {
      name: 'raw_durable_write_p50_ms',
      what: 'the machine: write, fsync, rename, fsync of the folder, without this library',
      unit: 'ms',
    },
    {
      name: 'create_ratio_to_raw_write',
      what: 'a node, its flow and two maps are four files',
    },
    {
      name: 'open_ms',
      what: '`VizPrompt.open` with a warm cache, in a fresh process, the median of five',
      unit: 'ms',
      wanted: { atMost: 1000 },
    },
    {
      name: 'rss_mb',
      what: 'that process after opening',
      unit: 'MB',
      wanted: { atMost: 194 },
    },
    { name: 'rss_idle_mb', what: 'of it, Node itself', unit: 'MB' },
    {
      name: 'reindex_s',
      what: 'opening without the cache: every file is read',
      unit: 's',
      wanted: { atMost: 60 },
    },
    { name: 'reindex_peak_rss_mb', what: '', unit: 'MB' },
    {
      name: 'flow_load_ms',
      what: 'a chain of 4,000 nodes from its YAML',
      unit: 'ms',
      wanted: { atMost: 50 },
    },
    { name: 'flow_load_ratio_to_yaml', what: 'against `yaml.parse` of the same file' },
    {
      name: 'search_p50_ms',
      what: 'text search over all nodes',
      unit: 'ms',
      wanted: { atMost: 10 },
    },
    { name: 'search_p95_ms', what: '', unit: 'ms' },
    { name: 'import_nodes_per_s', what: 'a Claude export, whole' },
    { name: 'check_s', what: '`check()` of all files', unit: 's' },
    { name: 'check_peak_rss_mb', what: '', unit: 'MB' },
    {
      name: 'context_ms',
      what: 'a context at the end of 10,000 nodes with 200 merges',
      unit: 'ms',
    },
    { name: 'context_first_ms', what: 'the first one after opening', unit: 'ms' },
    { name: 'import_mb_per_s', what: 'a ChatGPT export of 100 MB', unit: 'MB/s' },
    {
      name: 'import_raw_mb_per_s',
      what: 'the machine: its files written, renamed and brought to the disk at the end, without this library',
      unit: 'MB/s',
    },
    {
      name: 'import_ratio_to_raw',
      what: 'the import also parses, indexes, and writes a journal first',
    },
    {
      name: 'peak_rss_mb',
      what: 'memory of that import at most',
      unit: 'MB',
      wanted: { atMost: 300 },
    },
  ],
};

const context: Table = {
  name: 'context',
  rows: [
    {
      name: 'tokens_saved',
      what: '1 − sent ÷ everything, of the conversation that does not fit',
      wanted: { atLeast: 0.6 },
    },
    {
      name: 'facts_kept',
      what: 'facts that the context for their question still holds, as a share',
      wanted: { atLeast: 0.9 },
    },
    {
      name: 'tokens_saved_quickstart',
      what: 'over all its prompts: it fits, so all of it is given in full',
    },
    { name: 'tokens_everything_500_turns', what: 'tokens of all of it' },
    { name: 'facts_kept_en', what: 'facts in English' },
    { name: 'facts_kept_ja', what: 'facts in Japanese' },
    { name: 'facts_kept_by_3000_tokens', what: 'with a budget of 3,000 tokens' },
    { name: 'tokens_saved_500_turns_by_3000_tokens', what: 'with the same budget' },
  ],
};

const coreContext: Table = {
  name: 'core-context',
  rows: [
    {
      name: 'needed_kept_4000',
      what: 'prompts whose context holds the needed turn, or its fact in a line, by 4,000 tokens',
      wanted: { atLeast: 0.97 },
    },
    {
      name: 'needed_kept_fits',
      what: 'the same where everything fits',
      wanted: { atLeast: 1 },
    },
    {
      name: 'tokens_share_long',
      what: 'sent ÷ everything, of conversations of more than 8,000 tokens, by 4,000',
      wanted: { atMost: 0.4 },
    },
    { name: 'needed_kept_1000', what: 'by 1,000 tokens' },
    { name: 'needed_kept_16000', what: 'by 16,000 tokens' },
    { name: 'needed_kept_long', what: 'of those long conversations, by 4,000 tokens' },
    { name: 'tokens_share_4000', what: 'of all conversations, by 4,000 tokens' },
    { name: 'prompts_asked', what: 'prompts of the 40 conversations' },
    { name: 'prompts_long', what: 'those of long conversations' },
  ],
};

const peers: Table = {
  name: 'core-peers',
  columns: [
    { head: 'ours, ms', figures: '*_ms_ours' },
    { head: '÷ `assistant_ui`', figures: '*_ratio_assistant_ui' },
    { head: '÷ `langgraph_memory`', figures: '*_ratio_langgraph_memory' },
    { head: '÷ `langgraph_sqlite`', figures: '*_ratio_langgraph_sqlite' },
    { head: '÷ `langgraph_delta`', figures: '*_ratio_langgraph_delta' },
  ],
  rows: [
    {
      name: 'append',
      what: 'a turn at the end: `createNode`, `addOrUpdateMessage` twice, `updateState`',
    },
    {
      name: 'save',
      what: 'a turn at the end that is on the disk then: `createNode`, `export()` to a JSON file',
    },
    {
      name: 'branch',
      what: 'another turn after the 2,000th: `createNode` with `after`, `addOrUpdateMessage`, `updateState` of the checkpoint there',
    },
    { name: 'edit', what: 'other words in the 2,000th turn' },
    {
      name: 'branches',
      what: 'what goes on from the 2,000th turn: `getFlow`, `getBranches`, `getStateHistory`',
    },
    {
      name: 'load',
      what: 'all 8,000 messages from the disk: `VizPrompt.open` and `exportFlow`, `JSON.parse` and `import()`, a new `SqliteSaver`, `getState`',
    },
    {
      name: 'path',
      what: 'the messages of another branch, 2,001 turns: `exportFlow`, `getMessages`, `getState`',
    },
    {
      name: 'switch',
      what: 'another branch is the one that goes on: `updateFlow`, `switchToBranch`; in LangGraph each call names its checkpoint',
    },
  ],
};

export const coreContextTables: readonly Table[] = [coreContext];
export const contextTables: readonly Table[] = [context];
export const coreTables: readonly Table[] = [core, context, peers];
