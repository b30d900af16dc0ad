import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type ChatModel,
  type FileStore,
  type Storage,
  type StoredFile,
  StorageError,
  TypedEvents,
} from '@vizprompt/providers';
import { omitUndefined as defined, type Listener, isError } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { checkListener, type VizPromptEvents } from '../events.ts';
import { isProjectPlace } from '../format/layout.ts';
import { openProjectIndex, type ProjectIndex } from '../index/project-index.ts';
import { refresh, type RefreshReport } from '../index/refresh.ts';
import { DEFAULT_LIMITS, type ProjectLimits } from '../limits.ts';
import {
  CONFIG_FILE,
  defaultConfigText,
  type ProjectConfig,
  readDefaultConfig,
} from '../project/config.ts';
import { configuredModel } from '../project/configured-model.ts';
import type { OpenOptions } from '../project/options.ts';
import { guardedStorage, readOnlyStorage } from '../project/project-storage.ts';
import { type LockMode, openProjectLock, Project } from '../project/project.ts';
import { SetAside } from '../project/set-aside.ts';
import {
  areMapsKnown,
  writeMaps,
  adoptKeywords,
  loadKeywords,
  METADATA_LAGS,
  unseenMetadata,
  writeMetadata,
} from './metadata-files.ts';

const LOCK_MODES: readonly LockMode[] = ['write', 'exclusive', 'read-only'];

/** The default number of edits that can be undone. */
const UNDO_STEPS = 100;

/** @throws VizPromptError with the code `project-not-found` if the folder holds no project. */
async function assertProjectAt(folder: string, mode?: LockMode): Promise<void> {
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

/** A project that was opened, with its model and what ends with it. */
export interface OpenedProject {
  readonly project: Project;
  /** Returns the model of the project, if it has one. */
  readonly model: () => ChatModel | undefined;
  /** The folder of the project and the storage that was opened for it; absent on a storage of the caller. */
  readonly own?: { readonly folder: string; readonly storage: Storage };
}

/** Opens a project on a storage of the caller, with its model. */
export async function openOnStorage(options: OpenOptions): Promise<OpenedProject> {
  const project = await openProject(options);
  try {
    return { project, model: await configuredModel(project.config, options) };
  } catch (error) {
    await project.close();
    throw error;
  }
}

/**
 * Opens the project of a folder, with its model. One that cannot be written is opened to be read: nothing need be
 * written for that, so a full disk takes no more than the writing away.
 */
export async function openFolder(
  folder: string,
  options: Omit<OpenOptions, 'storage'>,
): Promise<OpenedProject> {
  const { lock, logger } = options;
  if (options.create === false || lock === 'read-only') await assertProjectAt(folder, lock);
  try {
    return await openOwnStorage(folder, options);
  } catch (error) {
    if (lock === 'read-only' || lock === 'exclusive' || !isUnwritable(error)) throw error;
    const opened = await openOwnStorage(folder, { ...options, lock: 'read-only' }).catch(() => {});
    if (!opened) throw error;
    logger?.warn('a project that cannot be written is opened for reading', { error });
    return opened;
  }
}

async function openOwnStorage(
  where: string,
  options: Omit<OpenOptions, 'storage'>,
): Promise<OpenedProject> {
  const { openStorage } = await import('@vizprompt/providers/node');
  const aside = new SetAside();
  const storage = await openStorage(where, {
    readOnly: options.lock === 'read-only',
    isWritable: isProjectPlace,
    onSetAside: (batch) => aside.add(batch),
  });
  try {
    const project = await openProject({ ...options, storage });
    aside.report(project);
    const folder = resolve(where);
    const model = await configuredModel(project.config, { ...options, place: folder });
    return { project, model, own: { folder, storage } };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Ends what is pending, writes the metadata files if they lag behind, and closes what was opened. */
export async function closeProject({ project, own }: OpenedProject): Promise<void> {
  const { index, isReadOnly, pendingOperations } = project;
  try {
    await Promise.all(Array.from(pendingOperations, (end) => end()));
    if (!isReadOnly && (await index.state.get(METADATA_LAGS))) await writeMetadata(project);
  } finally {
    try {
      await project.close();
    } finally {
      await own?.storage.close();
    }
  }
}

/** Opens a project: settings, index, and a refresh that repairs what a crash or a manual edit left. */
async function openProject(options: OpenOptions): Promise<Project> {
  const { clock = () => new Date(), lock: mode = 'write', lockTimeoutMs = 10_000 } = options;
  if (!LOCK_MODES.includes(mode)) {
    const known = LOCK_MODES.join("', '");
    throw new VizPromptError('invalid-input', `lock: '${mode}' is none of '${known}'`);
  }
  const isReadOnly = mode === 'read-only';
  const limits: ProjectLimits = { ...DEFAULT_LIMITS, ...defined(options.limits ?? {}) };
  const given = isReadOnly ? await readOnlyStorage(options.storage.files) : options.storage;
  const storage = guardedStorage(given, limits);
  const { files } = storage;
  const { logger } = options;
  const events = new TypedEvents<VizPromptEvents>({ logger, check: checkListener });
  listen(events, options.on ?? {});
  const index = await openProjectIndex(storage);
  const held = await openProjectLock({ files, index, mode, timeoutMs: lockTimeoutMs, clock });
  // An index that was opened here in memory ends with the lock.
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
      createId: options.createId,
    };
    const project = new Project(parts);
    await refreshProject(project);
    return project;
  } catch (error) {
    await lock.close();
    throw error;
  }
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

/** Returns the settings, which are checked only when their file has changed. */
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
  if (!stored) throw noProject(CONFIG_FILE);
  const config =
    readDefaultConfig(Buffer.from(stored.data).toString()) ?? (await readConfig(stored));
  const value = JSON.stringify({ version: stored.version, config });
  await database.batch([state.set(CONFIG_FILE, value)]);
  return config;
}

async function readConfig(stored: StoredFile): Promise<ProjectConfig> {
  const { readSettledConfig } = await import('../project/read-config.ts');
  return readSettledConfig(stored);
}

/** Writes the settings of a new project, unless another process just did. */
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

/** Codes of the system for files that cannot be written and may be readable. */
const SYSTEM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

/** Checks whether opening failed because nothing can be written there. */
function isUnwritable(error: unknown): boolean {
  if (!StorageError.isInstance(error) || error.code !== 'io') return false;
  const sqlite = String(error.context['sqlite']);
  if (/^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|PERM)/.test(sqlite)) return true;
  return isError(error.cause) && 'code' in error.cause && SYSTEM.has(error.cause.code);
}

/** Brings the index up to date with the files, and the maps with the index. */
export async function refreshProject(project: Project): Promise<RefreshReport> {
  const isNew = (await project.index.files.nodes.lastSlot()) === undefined;
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
