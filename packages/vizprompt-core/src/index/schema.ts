import type { Migration } from '@vizprompt/providers';

/**
 * The index of a project, in the cache: all that is known of its files without reading them. It can
 * be deleted at any time.
 */
export const INDEX_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'nodes, flows and state',
    async up(tx, dialect) {
      const rowKey = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'BIGINT PRIMARY KEY';
      await tx.execute(`CREATE TABLE core_node (
        row_id ${rowKey},
        file TEXT NOT NULL UNIQUE,
        version TEXT NOT NULL,
        folder BIGINT,
        number BIGINT,
        id TEXT,
        timestamp TEXT,
        time BIGINT,
        is_current BIGINT NOT NULL,
        is_outdated BIGINT NOT NULL,
        model TEXT,
        title TEXT,
        summary TEXT,
        tags TEXT,
        keywords TEXT,
        problem TEXT
      )`);
      await tx.execute('CREATE INDEX core_node_id ON core_node (id)');
      await tx.execute('CREATE INDEX core_node_slot ON core_node (folder, number)');
      await tx.execute('CREATE INDEX core_node_outdated ON core_node (is_outdated, is_current)');
      await tx.execute('CREATE TABLE core_label (kind TEXT, label TEXT, row_id BIGINT)');
      await tx.execute('CREATE INDEX core_label_row ON core_label (row_id)');
      await tx.execute('CREATE INDEX core_label_label ON core_label (kind, label)');
      await tx.execute(`CREATE TABLE core_flow (
        file TEXT PRIMARY KEY,
        version TEXT NOT NULL,
        folder BIGINT,
        number BIGINT,
        id TEXT,
        alias TEXT,
        name TEXT,
        source TEXT,
        updated TEXT,
        nodes BIGINT,
        connections BIGINT,
        problem TEXT
      )`);
      await tx.execute('CREATE INDEX core_flow_slot ON core_flow (folder, number)');
      await tx.execute(
        'CREATE TABLE core_flow_node (node TEXT, file TEXT, PRIMARY KEY (node, file))',
      );
      await tx.execute('CREATE INDEX core_flow_node_file ON core_flow_node (file)');
      await tx.execute('CREATE TABLE core_state (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
    },
  },
  {
    version: 2,
    name: 'how long nodes are',
    async up(tx) {
      await tx.execute('ALTER TABLE core_node ADD COLUMN tokens BIGINT');
      // Files that were read without it are read again.
      await tx.execute("UPDATE core_node SET version = ''");
    },
  },
  {
    version: 3,
    name: 'files in the order of their code points',
    async up(tx, dialect) {
      if (dialect === 'sqlite') return;
      for (const table of ['core_node', 'core_flow', 'core_flow_node']) {
        await tx.execute(`ALTER TABLE ${table} ALTER COLUMN file TYPE TEXT COLLATE "C"`);
      }
    },
  },
  {
    version: 4,
    name: 'who said what',
    async up(tx) {
      await tx.execute('ALTER TABLE core_node ADD COLUMN spoken TEXT');
      // Files that were read without it are read again.
      await tx.execute("UPDATE core_node SET version = ''");
    },
  },
  {
    version: 5,
    name: 'owners of flows, and who asks',
    async up(tx) {
      await tx.execute('ALTER TABLE core_flow ADD COLUMN owner TEXT');
      await tx.execute('ALTER TABLE core_flow ADD COLUMN meta TEXT');
      await tx.execute('ALTER TABLE core_flow ADD COLUMN time BIGINT');
      await tx.execute('CREATE INDEX core_flow_time ON core_flow (time)');
      await tx.execute('ALTER TABLE core_node ADD COLUMN askers TEXT');
      await tx.execute('ALTER TABLE core_node ADD COLUMN speaker TEXT');
      // Files that were read without these columns are read again.
      for (const table of ['core_flow', 'core_node']) {
        await tx.execute(`UPDATE ${table} SET version = ''`);
      }
    },
  },
  {
    version: 6,
    name: 'versions of files',
    async up(tx) {
      // Opening a project compares them all: without this, every page of the table would be in memory.
      await tx.execute('CREATE INDEX core_node_versions ON core_node (file, version)');
    },
  },
];

/** Numbered files in their order, then those with names of their own; on every database the same. */
export const FILE_ORDER = 'ORDER BY folder IS NULL, folder, number, file';
