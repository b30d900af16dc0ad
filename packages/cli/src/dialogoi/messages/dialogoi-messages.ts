import type { ToolMessages } from '../../frame/tool.ts';
import type { SettingName } from '../settings.ts';

/** The texts of dialogoi. */
export interface DialogoiMessages extends ToolMessages {
  /** The descriptions of the settings. */
  readonly settings: Readonly<Record<SettingName, string>>;
  readonly project: string;
  readonly projects: string;
  readonly place: string;
  readonly path: string;
  readonly offset: string;
  readonly limit: string;
  readonly severalProjects: (ids: readonly string[]) => string;
  readonly noProjects: (root: string) => string;
  readonly notAPlace: (path: string) => string;
  readonly more: (nextOffset: number) => string;
  readonly degraded: (why: string) => string;
  readonly weak: (agreed: number, questions: number) => string;
  readonly queued: (chunks: number, why: string) => string;
  readonly index: {
    readonly watch: string;
    readonly polling: string;
    readonly done: (project: string, report: Readonly<Record<IndexCount, number>>) => string;
    readonly failed: (files: number) => string;
    readonly watching: string;
    readonly indexed: (file: string) => string;
    readonly removed: (file: string) => string;
  };
  readonly search: {
    readonly query: string;
    readonly area: string;
    readonly files: string;
    readonly tags: string;
    readonly limit: string;
    readonly before: string;
    readonly after: string;
    readonly explain: string;
    readonly all: string;
    readonly incomplete: string;
    readonly found: (shown: number, total: number) => string;
  };
  readonly get: {
    readonly startLine: string;
    readonly endLine: string;
    readonly startColumn: string;
    readonly endColumn: string;
    readonly maxCharacters: string;
    readonly goesOn: (path: string, line: number, column: number | undefined) => string;
  };
  readonly add: {
    readonly file: string;
    readonly content: string;
    readonly contentFile: string;
    readonly overwrite: string;
    readonly written: (path: string, isNew: boolean) => string;
  };
  readonly dictionary: {
    readonly out: string;
    readonly written: (file: string) => string;
    readonly compiling: string;
  };
  readonly thesaurus: {
    readonly source: string;
    readonly out: string;
    readonly notice: string;
    readonly noNotice: string;
    readonly cannotLoad: (address: string, why: string) => string;
    readonly written: (
      file: string,
      facts: { readonly groups: number; readonly words: number },
    ) => string;
  };
  readonly eval: {
    readonly questions: string;
    readonly k: string;
    readonly notQuestions: (place: string, why: string) => string;
    readonly notOne: string;
    readonly noQuestions: string;
  };
  readonly mcp: {
    readonly http: string;
    readonly path: string;
  };
}

/** The figures of an indexing. */
type IndexCount = 'indexed' | 'removed' | 'unchanged' | 'failed';
