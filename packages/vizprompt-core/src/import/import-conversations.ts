import type { JsonObject } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import type { Project } from '../project/project.ts';
import { readChatGpt } from './chatgpt.ts';
import { readClaude } from './claude.ts';
import { BrokenEntry, type ImportedConversation, type ImportFormat } from './conversation.ts';
import { readSource, type ImportSource, type SourceEntry } from './read-source.ts';
import {
  reportOf,
  type ImportReport,
  type SavedConversation,
  type SkippedEntry,
} from './report.ts';
import { saveConversation } from './save-conversation.ts';

/** Options of `importConversations`. */
export interface ImportOptions {
  /** Default: found out for each conversation. */
  readonly format?: ImportFormat;
  /** Stops between two conversations; what was imported stays. */
  readonly signal?: AbortSignal;
}

const READERS: Readonly<Record<ImportFormat, (entry: JsonObject) => ImportedConversation>> = {
  chatgpt: readChatGpt,
  claude: readClaude,
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
  if (format !== undefined && !(format in READERS)) {
    const known = Object.keys(READERS).join(', ');
    throw new VizPromptError('invalid-input', `'${format}' is no format: there are ${known}`);
  }
  const saved: SavedConversation[] = [];
  const skipped: SkippedEntry[] = [];
  const warnings: SkippedEntry[] = [];
  let nodes = 0;
  for await (const entry of readSource(source)) {
    signal?.throwIfAborted();
    try {
      const conversation = readEntry(entry, format);
      warnings.push(...conversation.warnings.map((reason) => ({ entry: entry.name, reason })));
      const result = await saveConversation(project, conversation);
      saved.push(result);
      nodes += result.flow.nodes;
    } catch (error) {
      if (!(error instanceof BrokenEntry)) throw error;
      const left = { entry: entry.name, reason: error.message };
      skipped.push(left);
      events.emit('import:skipped', left);
    }
    events.emit('import:progress', { done: saved.length + skipped.length, nodes });
  }
  if (saved.length === 0) {
    const [first] = skipped;
    const why = first ? ` (${first.entry}: ${first.reason})` : '';
    throw new VizPromptError('import-unreadable', `the source holds no conversation${why}`, {
      context: { skipped },
    });
  }
  return reportOf(saved, skipped, warnings);
}

function readEntry(
  { value, error }: SourceEntry,
  format: ImportFormat | undefined,
): ImportedConversation {
  if (error !== undefined) throw new BrokenEntry(error);
  if (!isJsonObject(value)) throw new BrokenEntry('it is no object');
  return READERS[format ?? detectFormat(value)](value);
}

/** @throws BrokenEntry if it looks like neither. */
function detectFormat(entry: JsonObject): ImportFormat {
  if ('mapping' in entry) return 'chatgpt';
  if ('chat_messages' in entry) return 'claude';
  const keys = Object.keys(entry).slice(0, 5).join(', ') || 'none';
  throw new BrokenEntry(`it is no conversation of ChatGPT or Claude (its keys: ${keys})`);
}
