import type { Benchmark } from './figures.ts';
import type { Table } from './page/table.ts';
import { cliTables } from './tables/cli.ts';
import { contextTables, coreContextTables, coreTables } from './tables/core.ts';
import { importsTables } from './tables/imports.ts';
import { installTables } from './tables/install.ts';
import { langgraphTables } from './tables/langgraph.ts';
import { memoryTables } from './tables/memory.ts';
import { providersTables, staticTables } from './tables/providers.ts';
import { ragHybridTables } from './tables/rag-hybrid.ts';
import { ragTables } from './tables/rag.ts';
import { ragSharedTables } from './tables/rag-shared.ts';
import { ragWatchTables } from './tables/rag-watch.ts';
import { redactTables } from './tables/redact.ts';
import { sqliteTables } from './tables/sqlite.ts';
import { talktableTables } from './tables/talktable.ts';
import { websocketTables } from './tables/websocket.ts';
import { workflowDbosTables } from './tables/workflow-dbos.ts';
import { workflowTables } from './tables/workflow.ts';

/** A benchmark, and the tables of `docs/performance.md` that its figures fill. */
export interface Listed {
  readonly tables: readonly Table[];
  /** Loads it: none weighs on another one. */
  load(): Promise<Benchmark>;
}

/** All benchmarks by name, in the order in which they are run. */
export const BENCHMARKS: Readonly<Record<string, Listed>> = {
  imports: {
    tables: importsTables,
    load: async () => (await import('./imports/bench-imports.ts')).benchImports,
  },
  install: {
    tables: installTables,
    load: async () => (await import('./install/bench-install.ts')).benchInstall,
  },
  core: { tables: coreTables, load: async () => (await import('./core/bench-core.ts')).benchCore },
  context: {
    tables: contextTables,
    load: async () => (await import('./context/bench-context.ts')).benchContext,
  },
  'core-context': {
    tables: coreContextTables,
    load: async () => (await import('./core-context/bench-core-context.ts')).benchCoreContext,
  },
  websocket: {
    tables: websocketTables,
    load: async () => (await import('./websocket/bench-websocket.ts')).benchWebSocket,
  },
  providers: {
    tables: providersTables,
    load: async () => (await import('./providers/bench-providers.ts')).benchProviders,
  },
  'providers-static': {
    tables: staticTables,
    load: async () => (await import('./providers/bench-static.ts')).benchStatic,
  },
  langgraph: {
    tables: langgraphTables,
    load: async () => (await import('./langgraph/bench-langgraph.ts')).benchLanggraph,
  },
  redact: {
    tables: redactTables,
    load: async () => (await import('./providers/bench-redact.ts')).benchRedact,
  },
  rag: { tables: ragTables, load: async () => (await import('./rag/bench-rag.ts')).benchRag },
  'rag-watch': {
    tables: ragWatchTables,
    load: async () => (await import('./rag/bench-watch.ts')).benchRagWatch,
  },
  'rag-hybrid': {
    tables: ragHybridTables,
    load: async () => (await import('./rag/bench-hybrid.ts')).benchRagHybrid,
  },
  'rag-shared': {
    tables: ragSharedTables,
    load: async () => (await import('./rag-shared/bench-rag-shared.ts')).benchRagShared,
  },
  memory: {
    tables: memoryTables,
    load: async () => (await import('./memory/bench-memory.ts')).benchMemory,
  },
  sqlite: {
    tables: sqliteTables,
    load: async () => (await import('./sqlite/bench-sqlite.ts')).benchSqlite,
  },
  talktable: {
    tables: talktableTables,
    load: async () => (await import('./talktable/bench-talktable.ts')).benchTalktable,
  },
  workflow: {
    tables: workflowTables,
    load: async () => (await import('./workflow/bench-workflow.ts')).benchWorkflow,
  },
  'workflow-dbos': {
    tables: workflowDbosTables,
    load: async () => (await import('./workflow-dbos/bench-workflow-dbos.ts')).benchWorkflowDbos,
  },
  cli: { tables: cliTables, load: async () => (await import('./cli/bench-cli.ts')).benchCli },
};
