import { access } from 'node:fs/promises';
import { join } from 'node:path';
import {
  StorageError,
  TypedEvents,
  type FileStore,
  type Listener,
  createId,
  defined,
} from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { VizPromptEvents } from '../events.ts';
import { openProjectIndex, type ProjectIndex } from '../index/project-index.ts';
import { refresh, type RefreshReport } from '../index/refresh.ts';
import { DEFAULT_LIMITS, type ProjectLimits } from '../limits.ts';
import type { OpenOptions } from '../options.ts';
import { CONFIG_FILE, defaultConfigText, parseConfig, type ProjectConfig } from './config.ts';
import { areMapsKnown, writeMaps } from './keep-maps.ts';
import { adoptKeywords, loadKeywords, unseenMetadata, writeMetadata } from './keep-metadata.ts';
import { openProjectLock, type LockMode } from './project-lock.ts';
import { limitedStorage } from './limited-storage.ts';
import { projectFiles } from './places.ts';
import { Project } from './project.ts';
import { readOnlyStorage } from './read-only-storage.ts';

const LOCK_MODES: readonly LockMode[] = ['write', 'exclusive', 'read-only'];

/** How many edits can be undone, unless told otherwise. */
const UNDO_STEPS = 100;

/** @throws VizPromptError with the code `project-not-found` if the folder holds no project. */
export async function assertProjectAt(folder: string, mode?: LockMode): Promise<void> {
  const config = join(folder, CONFIG_FILE);
  const isThere = await access(config).then(
    () => true,
    () => false,
  );
  if (!isThere) throw noProject(config, mode);
}

function noProject(config: string, mode?: LockMode): VizPromptError {
  const option = mode === 'read-only' ? "lock: 'read-only'" : "'create: false'";
  const way = `open it without ${option} to make one`;
  return new VizPromptError('project-not-found', `there is no project: no ${config}; ${way}`);
}

/** Opens a project: settings, index, and what a crash or somebody's hand left to be repaired. */
export async function openProject(options: OpenOptions): Promise<Project> {
  const { clock = () => new Date(), lock: mode = 'write', lockTimeoutMs = 10_000 } = options;
  if (!LOCK_MODES.includes(mode)) {
    const known = LOCK_MODES.join("', '");
    throw new VizPromptError('invalid-input', `lock: '${mode}' is none of '${known}'`);
  }
  const isReadOnly = mode === 'read-only';
  const limits: ProjectLimits = { ...DEFAULT_LIMITS, ...defined(options.limits ?? {}) };
  const given = isReadOnly ? await readOnlyStorage(options.storage.files) : options.storage;
  const storage = limitedStorage(given, projectFiles(given.files), limits);
  const { files } = storage;
  const newId = options.createId ?? (() => createId(clock().getTime()));
  const events = new TypedEvents<VizPromptEvents>(options.logger ? { logger: options.logger } : {});
  listen(events, options.on ?? {});
  const index = await openProjectIndex(storage);
  const held = await openProjectLock({ files, index, mode, timeoutMs: lockTimeoutMs, clock });
  // What was opened here in memory ends with the lock.
  const lock = isReadOnly ? { take: held.take, close: () => storage.close() } : held;
  try {
    const isMade = !isReadOnly && (options.create ?? true);
    const config = await loadConfig(files, index, clock, isMade ? 'make' : mode);
    const undoSteps = Math.max(0, Math.floor(options.undoSteps ?? UNDO_STEPS));
    const parts = {
      storage,
      index,
      config,
      events,
      clock,
      lock,
      isReadOnly,
      undoSteps,
      limits,
      createId: newId,
    };
    const project = new Project(parts);
    await refreshProject(project);
    return project;
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/** Brings the index up to date with the files, and the maps with the index. */
export async function refreshProject(project: Project): Promise<RefreshReport> {
  const isNew = (await project.index.nodes.lastSlot()) === undefined;
  const keywords = isNew ? await loadKeywords(project) : undefined;
  const report = await refresh(project, (id) => keywords?.get(id));
  const changed = report.read + report.removed;
  if (project.isReadOnly) return report;
  if (changed > 0 || !(await areMapsKnown(project))) {
    const repaired = await project.write(() => writeMaps(project));
    const isEmpty = isNew && changed === 0;
    for (const file of isEmpty ? [] : repaired) project.events.emit('map:repaired', { file });
  }
  await refreshMetadata(project, { isNew, hasChanged: changed > 0 });
  return report;
}

/** Takes over what git brought into the metadata files and, where it is shared, derives them again. */
async function refreshMetadata(
  project: Project,
  { isNew, hasChanged }: { readonly isNew: boolean; readonly hasChanged: boolean },
): Promise<void> {
  const unseen = await unseenMetadata(project);
  if (unseen.length > 0 && !isNew) await adoptKeywords(project);
  const isShared = project.config.settings.sharing === 'git';
  if (isShared && (hasChanged || unseen.length > 0)) await writeMetadata(project);
  else if (unseen.length > 0) await project.index.database.batch(unseen);
}

function listen(
  events: TypedEvents<VizPromptEvents>,
  listeners: NonNullable<OpenOptions['on']>,
): void {
  for (const [name, listener] of Object.entries(listeners)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the type above
    if (listener) events.on(name as keyof VizPromptEvents, listener as Listener<unknown>);
  }
}

/** The settings, which are checked only when their file has changed. */
async function loadConfig(
  files: FileStore,
  { database, state }: ProjectIndex,
  clock: () => Date,
  missing: 'make' | LockMode,
): Promise<ProjectConfig> {
  let version: string | undefined;
  for await (const entry of files.list(CONFIG_FILE)) {
    if (entry.key === CONFIG_FILE) ({ version } = entry);
  }
  const known = await state.get(CONFIG_FILE);
  const cached = known === undefined ? undefined : parseCached(known);
  if (version !== undefined && cached?.version === version) return cached.config;

  if (version === undefined && missing !== 'make') throw noProject(CONFIG_FILE, missing);
  if (version === undefined) await createConfig(files, clock);
  const stored = await files.read(CONFIG_FILE);
  const config = await parseConfig(stored?.text ?? '');
  const value = JSON.stringify({ version: stored?.version, config });
  await database.batch([state.set(CONFIG_FILE, value)]);
  return config;
}

/** Writes the settings of a new project, unless somebody else just did. */
async function createConfig(files: FileStore, clock: () => Date): Promise<void> {
  try {
    await files.write(CONFIG_FILE, defaultConfigText(clock()), { ifVersion: null });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'conflict') throw error;
  }
}

interface CachedConfig {
  readonly version: string;
  readonly config: ProjectConfig;
}

function parseCached(json: string): CachedConfig {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by loadConfig()
  return JSON.parse(json) as CachedConfig;
}
