import type { ToolMessages } from '../../frame/tool.ts';

/** The texts of ptta. */
export interface PttaMessages extends ToolMessages {
  // Arguments and options.
  readonly session: string;
  readonly sessionId: string;
  readonly sessionToRead: string;
  readonly workspace: string;
  readonly currentWorkspace: string;
  readonly fileWorkspace: string;
  readonly importWorkspace: string;
  readonly webWorkspace: string;
  readonly branch: string;
  readonly message: string;
  readonly context: string;
  readonly parent: string;
  readonly file: string;
  readonly reason: string;
  readonly action: string;
  readonly intendedAction: string;
  readonly editError: string;
  readonly tool: string;
  readonly params: string;
  readonly result: string;
  readonly duration: string;
  readonly toolFailed: string;
  readonly lastEvents: string;
  readonly type: string;
  readonly query: string;
  readonly exportFormat: string;
  readonly output: string;
  readonly editor: string;
  readonly editCommand: string;
  readonly importPaths: string;
  readonly agent: string;
  readonly closed: string;
  readonly settingsFile: string;
  readonly projectSettings: string;
  readonly hookCommand: string;
  readonly removeHooks: string;
  readonly hookAgent: string;
  readonly ingestDryRun: string;
  readonly ingested: (stored: number, failed: number, waiting: number) => string;
  readonly setupAgent: string;
  readonly setupProject: string;
  readonly setupDryRun: string;
  readonly setupDry: string;
  readonly codexTrust: string;
  readonly unknownAgent: (name: string, known: string) => string;
  readonly joinFolders: string;
  readonly partFolder: string;
  readonly recallQuery: string;
  readonly recallFile: string;
  readonly budget: string;
  readonly backupFile: string;
  readonly checkFile: string;
  readonly forgetEvents: string;
  readonly forgetSession: string;
  readonly redactDryRun: string;
  readonly redacting: string;
  readonly redacted: (
    secrets: number,
    events: number,
    contents: number,
    sessions: number,
  ) => string;
  readonly wouldRedact: (
    secrets: number,
    events: number,
    contents: number,
    sessions: number,
  ) => string;
  readonly vacuum: string;
  // Printed texts.
  readonly sessionStarted: (id: string, workspace: string) => string;
  readonly sessionEnded: (id: string, events: number) => string;
  readonly logged: (sequence: number, type: string, id: string) => string;
  readonly withoutText: (path: string) => string;
  readonly eventCount: (count: number) => string;
  readonly running: string;
  readonly endedAt: (time: string) => string;
  readonly onlyIntended: string;
  readonly unchanged: string;
  readonly stats: StatsMessages;
  readonly exporting: string;
  readonly checking: string;
  readonly written: (path: string) => string;
  readonly notExported: (count: number, problem: string) => string;
  readonly importedExport: (path: string, added: number, known: number) => string;
  readonly importedTranscripts: (
    path: string,
    files: number,
    added: number,
    known: number,
  ) => string;
  readonly skippedFile: (file: string, reason: string) => string;
  readonly refusedEvent: (file: string, message: string) => string;
  readonly unreadableLines: (file: string, lines: number, first: number) => string;
  readonly tornLine: (file: string, line: number) => string;
  readonly hooksInstalled: (hooks: string, file: string) => string;
  readonly hooksRemoved: (hooks: string, file: string) => string;
  readonly checked: (sessions: number, events: number, contents: number) => string;
  readonly forgotten: (ids: string) => string;
  // Errors.
  readonly noMemory: (folder: string) => string;
  readonly ownMemory: (folder: string, own: string, why: string) => string;
  readonly memoryProblems: Readonly<
    Record<'link' | 'owner' | 'tracked', (folder: string) => string>
  >;
  readonly noCurrentSession: (workspace: string) => string;
  readonly noSession: (workspace: string) => string;
  readonly noTranscripts: string;
  readonly problems: (count: number) => string;
  readonly forgetOne: string;
}

/** The names of figures. */
interface StatsMessages {
  readonly sessions: string;
  readonly ofWhichRun: (sessions: number, running: number) => string;
  readonly events: string;
  readonly files: string;
  readonly redactions: string;
  readonly bytes: string;
  readonly first: string;
  readonly last: string;
}
