import { resolve } from 'node:path';
import { type TrustUse } from '@vizprompt/providers/trust';
import {
  isLoopbackAddress,
  packageUses,
  pathUses,
  remoteModelUses,
} from '@vizprompt/providers/trust/internal';
import type { RagConfig } from './rag-config.ts';

/** The default port of Qdrant. */
const QDRANT_PORT = '6333';

/** Settings, and who says what of them. */
export interface SettingsToTrust {
  readonly config: RagConfig;
  /** The base of relative paths. */
  readonly cwd: string;
  /** The origins of keys that are not from the file, by their paths: `vector.qdrant.url`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Keys of providers that a file of the project brings. */
  readonly keys?: ReadonlyMap<string, { readonly file: string }> | undefined;
}

/**
 * Returns what a settings file asks its user to consent to: a database, a server of vectors or a model that is
 * not on this machine, the key of the environment for it, a key of its own, a package of the model, and texts or a log
 * outside of its folder.
 */
export function settingsUses({ config, cwd, origins, keys }: SettingsToTrust): TrustUse[] {
  const { vector, projectRoot, thesaurus } = config;
  const uses: TrustUse[] = [];
  if (!origins.has('projectRoot')) {
    const path = resolve(cwd, projectRoot);
    const what = 'texts are read from and written to';
    uses.push(...pathUses({ path, folders: [cwd], what, source: 'projectRoot' }));
  }
  if (thesaurus !== undefined && !origins.has('thesaurus')) {
    const path = resolve(cwd, thesaurus);
    uses.push(
      ...pathUses({ path, folders: [cwd], what: 'a thesaurus is read', source: 'thesaurus' }),
    );
  }
  if (vector !== 'none' && !origins.has('vector.embedding.model')) {
    const named = { model: vector.embedding.model, source: 'vector.embedding.model' };
    uses.push(...packageUses(named), ...remoteModelUses(named));
  }
  if (config.log && !origins.has('log.file')) {
    const path = resolve(cwd, config.log.file);
    const what = 'the log is written to';
    uses.push(...pathUses({ path, folders: [cwd], what, source: 'log.file' }));
  }
  // The owner of a key may see what is sent with it.
  for (const [name, { file }] of vector === 'none' ? [] : (keys ?? [])) {
    uses.push({
      kind: 'key',
      text: `texts are sent with the key ${name} of ${file}`,
      source: file,
    });
  }
  uses.push(...databaseUses(config, origins));
  const url = vector === 'none' ? undefined : vector.qdrant?.url;
  if (url === undefined || origins.has('vector.qdrant.url')) return uses;
  const { origin, port } = new URL(url);
  const source = 'vector.qdrant';
  const isLocal = isLoopbackAddress(url);
  if (!isLocal) {
    uses.push({ kind: 'address', text: `passages of your texts go to ${origin}`, source });
  }
  const keyFrom = origins.get('vector.qdrant.apiKey');
  // Another port of this machine may be that of any program.
  if (keyFrom !== undefined && !(isLocal && port === QDRANT_PORT)) {
    uses.push({ kind: 'key', text: `the value of ${keyFrom} goes to ${origin}`, source });
  }
  return uses;
}

function databaseUses(
  { backend, database }: RagConfig,
  origins: ReadonlyMap<string, string>,
): TrustUse[] {
  if (backend !== 'postgres' || database === undefined || origins.has('database')) return [];
  const { host, hostname } = new URL(database);
  if (isLoopbackAddress(`http://${hostname}`)) return [];
  return [{ kind: 'address', text: `your texts go to ${host}`, source: 'database' }];
}
