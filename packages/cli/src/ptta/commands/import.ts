import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import type { ImportReport, MemoryStore, TranscriptReport } from '@vizprompt/memory';
import { jsonEncoding } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { standardInput } from '../../frame/read-input.ts';
import type { ToolIo } from '../../frame/tool-io.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';
import { showProgress } from '../show-progress.ts';

export const examples: readonly string[] = [
  'ptta import',
  'ptta import ~/.claude/projects --agent claude-code',
  'ptta export | ssh other ptta import -',
];

type Imported = { readonly path: string } & (ImportReport | TranscriptReport);

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const agents = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;
  command
    .argument('[paths...]', cli.text.importPaths)
    .addOption(new Option('--agent <agent>', cli.text.agent).choices(agents))
    .option('--workspace <path>', cli.text.importWorkspace, pathValue(cli))
    .option('--closed', cli.text.closed)
    .action(async (given, options) => {
      const paths = given.length > 0 ? given : transcriptFolders(cli);
      if (paths.length === 0) throw new CliError('not-found', cli.text.noTranscripts);
      await using store = await openMemory(cli, { make: true });
      const reports: Imported[] = [];
      for (const path of paths) {
        const isJson = path === '-' || (await isExport(resolve(cli.cwd, path)));
        const report = isJson
          ? await importExport(cli, store, path)
          : await importTranscripts(cli, store, path, options);
        reports.push({ path, ...report });
        if (!cli.isJson) await cli.out.line(reportText(cli, path, report));
      }
      if (cli.isJson) await cli.out.json(reports);
    });
}

async function importExport(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  path: string,
): Promise<ImportReport> {
  using _ = showProgress(cli, store, path);
  const stream = path === '-' ? standardInput(cli) : createReadStream(resolve(cli.cwd, path));
  return await store.importJson(stream, { signal: cli.signal });
}

async function importTranscripts(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  path: string,
  options: Parameters<MemoryStore['importTranscript']>[1],
): Promise<TranscriptReport> {
  using bar = new ProgressBar(cli.err, path);
  return await store.importTranscript(resolve(cli.cwd, path), {
    ...options,
    signal: cli.signal,
    onProgress: ({ bytes, totalBytes }) => bar.update(bytes, totalBytes),
  });
}

function reportText(
  { text }: Cli<PttaMessages>,
  path: string,
  report: ImportReport | TranscriptReport,
): string {
  if (!('added' in report)) return text.importedExport(path, report.events, report.known);
  const { added, skipped, files, skippedFiles, refused, broken, torn } = report;
  const unread = new Map<string, { readonly lines: number; readonly first: number }>();
  for (const { file, line } of broken) {
    const { lines = 0, first = line } = unread.get(file) ?? {};
    unread.set(file, { lines: lines + 1, first });
  }
  return [
    text.importedTranscripts(path, files, added, skipped),
    ...skippedFiles.map(({ file, reason }) => `  ${text.skippedFile(file, reason)}`),
    ...[...unread].map(
      ([file, { lines, first }]) => `  ${text.unreadableLines(file, lines, first)}`,
    ),
    ...torn.map(({ file, line }) => `  ${text.tornLine(file, line)}`),
    ...refused.map(({ file, message }) => `  ${text.refusedEvent(file, message)}`),
  ].join('\n');
}

/** Checks whether a file begins as an export of a memory does; a transcript of an agent does not. */
async function isExport(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
      const bytes = buffer.subarray(0, bytesRead);
      const head = new TextDecoder(jsonEncoding(bytes)).decode(bytes);
      return /^\s*\{\s*"format"\s*:\s*"vizprompt-memory"/.test(head);
    } finally {
      await file.close();
    }
  } catch {
    // A folder, or nothing at all, which the import reports better.
    return false;
  }
}

/** Returns where the coding agents that are installed store their transcripts: folders, and databases. */
function transcriptFolders({ env, home }: Pick<ToolIo, 'env' | 'home'>): readonly string[] {
  const data = join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'opencode');
  return [
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
    // Some versions of Claude Code 1.0 stored them here.
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'claude', 'projects'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
    join(env['CODEX_HOME'] ?? join(home, '.codex'), 'archived_sessions'),
    join(env['GEMINI_CLI_HOME'] ?? home, '.gemini', 'tmp'),
    join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'session-state'),
    join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'history-session-state'),
    ...databasesIn(data, env['OPENCODE_DB']),
  ].filter((path) => existsSync(path));
}

/** Returns the databases of opencode, one for each of its release channels, or the folders of older versions. */
function databasesIn(folder: string, named: string | undefined): readonly string[] {
  if (named !== undefined && named !== ':memory:') {
    return [...new Set([...databasesIn(folder, undefined), resolve(folder, named)])];
  }
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^opencode(?:-[\w.-]+)?\.db$/i.test(name));
  // Versions before 1.2 have files, which newer ones move into the database; before 0.7, in a folder for each project.
  if (names.length === 0) return [join(folder, 'storage', 'session'), join(folder, 'project')];
  return names.toSorted().map((name) => join(folder, name));
}
