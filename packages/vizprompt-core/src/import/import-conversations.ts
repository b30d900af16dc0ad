import { type JsonObject } from '@vizprompt/providers';
import { type Kinds, ANYTHING, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import { isJsonObject } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import type { Project } from '../project/project.ts';
import { readChatGpt } from './chatgpt.ts';
import { readClaudeCode } from './claude-code.ts';
import { readClaude } from './claude.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportFormat,
  type ReadyFlow,
} from './conversation.ts';
import { detectFormat, type SourceEntry } from './detect-format.ts';
import { listAt, textAt } from './fields.ts';
import { readLibreChat } from './librechat.ts';
import { readOpenWebUi } from './open-webui.ts';
import { readOpenAi } from './openai.ts';
import { readPi } from './pi.ts';
import { type ImportSource, readSource } from './read-source.ts';
import {
  type ImportReport,
  reportOf,
  type SavedConversation,
  type SkippedEntry,
} from './report.ts';
import { keepAttachments, saveConversation } from './save-conversation.ts';

/** Options of `importConversations`. */
export interface ImportOptions {
  /** Which program wrote it. Default: found out for each conversation. */
  readonly format?: ImportFormat | undefined;
  /** Stops between two conversations, and while a file is read; what was imported stays. */
  readonly signal?: AbortSignal | undefined;
}

export const IMPORT_OPTIONS: Kinds<ImportOptions> = {
  format: ANYTHING,
  signal: optional(SIGNAL),
};

type Imported = ImportedConversation | ReadyFlow;

const READERS: Readonly<Record<ImportFormat, (entry: JsonObject) => Imported | Promise<Imported>>> =
  {
    chatgpt: readChatGpt,
    claude: readClaude,
    'open-webui': readOpenWebUi,
    librechat: readLibreChat,
    openai: readOpenAi,
    pi: readPi,
    'claude-code': readClaudeCode,
    async vizprompt(entry) {
      const { readVizPrompt } = await import('./vizprompt.ts');
      return readVizPrompt(entry);
    },
  };

/**
 * Imports conversations, each as a flow, in the order of the source. Importing again adds nothing
 * but what is new.
 */
export async function importConversations(
  project: Project,
  source: ImportSource,
  { format, signal }: ImportOptions,
): Promise<ImportReport> {
  const { events } = project;
  if (format !== undefined && !Object.hasOwn(READERS, format)) {
    const known = Object.keys(READERS).join(', ');
    throw new VizPromptError('invalid-input', `'${format}' is no format: there are ${known}`);
  }
  const saved: SavedConversation[] = [];
  const skipped: SkippedEntry[] = [];
  const warnings: SkippedEntry[] = [];
  let nodes = 0;
  for await (const entry of readSource(source, { limits: project.limits, signal })) {
    signal?.throwIfAborted();
    try {
      const conversation = await readEntry(entry, format);
      const files =
        'flow' in conversation ? await keepAttachments(project, conversation, entry.open) : [];
      for (const reason of [...(entry.warnings ?? []), ...conversation.warnings, ...files]) {
        warnings.push({ entry: entry.name, reason });
      }
      // A large conversation takes its time until here.
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      const result = await saveConversation(project, conversation);
      saved.push(result);
      nodes += result.flow.nodes;
    } catch (error) {
      if (!(error instanceof BrokenEntry) && !isTooLarge(error)) throw error;
      const left = { entry: entry.name, reason: error.message };
      skipped.push(left);
      events.emit('import:skipped', left);
      const { skippedEntries: most } = project.limits;
      if (skipped.length > most) throw tooManySkipped(skipped, most);
    }
    events.emit('import:progress', { done: saved.length + skipped.length, nodes });
  }
  if (saved.length === 0) {
    throw new VizPromptError(
      'import-unreadable',
      `the source holds no conversation${firstOf(skipped)}`,
      { context: { skipped } },
    );
  }
  return reportOf(saved, skipped, warnings);
}

/** A conversation whose flow or one of whose nodes is beyond the limits of the project. */
function isTooLarge(error: unknown): error is VizPromptError {
  return VizPromptError.isInstance(error) && error.code === 'too-large';
}

function tooManySkipped(skipped: readonly SkippedEntry[], most: number): VizPromptError {
  const message =
    `more than ${most} entries cannot be read${firstOf(skipped)}; what was imported stays: ` +
    'mend the source, or raise limits.skippedEntries';
  return new VizPromptError('import-unreadable', message);
}

function firstOf([first]: readonly SkippedEntry[]): string {
  return first ? ` (${first.entry}: ${first.reason})` : '';
}

async function readEntry(
  { value, error }: SourceEntry,
  format: ImportFormat | undefined,
): Promise<Imported> {
  if (error !== undefined) throw new BrokenEntry(error);
  if (!isJsonObject(value)) throw new BrokenEntry('it is no object');
  return READERS[format ?? formatOf(value)](value);
}

/** @throws BrokenEntry if it looks like none that is known. */
function formatOf(entry: JsonObject): ImportFormat {
  const format = detectFormat(entry);
  if (format !== undefined) return format;
  if ('records' in entry) {
    const types = listAt(entry, 'records').map(
      (record) => isJsonObject(record) && textAt(record, 'type'),
    );
    const shown = [...new Set(types)].filter(Boolean).slice(0, 5).join(', ') || 'none';
    throw new BrokenEntry(`it is no session of a known format (the types of its lines: ${shown})`);
  }
  const keys = Object.keys(entry).slice(0, 5).join(', ') || 'none';
  throw new BrokenEntry(`it is no conversation of a known format (its keys: ${keys})`);
}
