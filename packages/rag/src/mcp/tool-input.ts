import type { Logger } from '@vizprompt/providers';
import { z } from 'zod';
import {
  NONEMPTY,
  optional,
  type OptionalKind,
  wholeFrom,
} from '@vizprompt/providers/config/internal';
import { RagError } from '../errors.ts';
import type { NovelService } from '../project/novel-service.ts';

/** The services that tools work with. */
export interface ToolHost {
  readonly service: NovelService;
  readonly logger: Logger;
}

/** Tools that change nothing, in a world that is known. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Tools that write files, and replace them on request. */
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const;

export const NOVEL_ID: OptionalKind<string> = optional(NONEMPTY, {
  en: 'The id of the project, as list_novel_projects gives it. Default: the only project',
});

/** Ids that an error names, at most. */
const MAX_IDS = 20;

/**
 * Returns the project that a call means: the one that it names, or the only one.
 *
 * @throws RagError `project-not-found` if there is none, `invalid-input` if there are several.
 */
export async function projectOf(service: NovelService, id: string | undefined): Promise<string> {
  if (id !== undefined) return id;
  const [first, ...others] = (await service.listProjects()).map((project) => project.id);
  if (first === undefined) {
    throw new RagError('project-not-found', 'there are no projects yet: create a folder for one');
  }
  if (others.length === 0) return first;
  const names = [first, ...others.slice(0, MAX_IDS - 1)].join(', ');
  throw new RagError(
    'invalid-input',
    `novelId: expected one, as there are ${others.length + 1} projects: ${names}`,
  );
}

/** How many entries a page has. */
export function limit(preset: number, most: number): OptionalKind<number> {
  return optional(wholeFrom(1, most), { en: 'How many entries at most', default: preset });
}

const paging = {
  total: z.int().describe('How many there are in all'),
  nextOffset: z.int().optional().describe('The offset of the next page; absent on the last one'),
};

export const projectList: z.ZodObject = z.object({
  projects: z.array(
    z.object({
      novelId: z.string(),
      title: z.string(),
      author: z.string().optional(),
      description: z.string().optional(),
      tags: z.array(z.string()),
      problem: z.string().optional().describe('The problem in its novel.json'),
    }),
  ),
  ...paging,
});

export const fileList: z.ZodObject = z.object({
  files: z.array(
    z.object({
      file: z.string().describe('The path in the project'),
      bytes: z.int(),
      modified: z.string(),
      preview: z.string(),
      problem: z.string().optional().describe('Why it cannot be read'),
    }),
  ),
  ...paging,
});

export const texts: z.ZodObject = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      startLine: z.int(),
      endLine: z.int(),
      totalLines: z.int(),
      startColumn: z.int().optional().describe('Where the text begins in its first line'),
      endColumn: z
        .int()
        .optional()
        .describe('Where the text ends in its last line, if before its end'),
      text: z.string(),
      nextLine: z.int().optional().describe('The first line that was left out for length'),
      nextColumn: z
        .int()
        .optional()
        .describe('Where nextLine continues, if it was cut: the startColumn of the next call'),
      problem: z.string().optional().describe('Why there is no text: the file cannot be read'),
    }),
  ),
  ...paging,
});

export const searchResults: z.ZodObject = z.object({
  hits: z.array(
    z.object({
      file: z.string(),
      startLine: z.int(),
      startColumn: z.int().optional().describe('Where the passage begins in startLine, from 1'),
      endLine: z.int(),
      endColumn: z.int().optional().describe('Where the passage ends in endLine'),
      headings: z.array(z.string()),
      score: z.number().describe('From 0 to 1, comparable within one search'),
      snippet: z.string(),
      text: z.string().describe('The whole passage; it ends in … if it was cut for length'),
    }),
  ),
  ...paging,
  degraded: z
    .boolean()
    .optional()
    .describe('True if a part of the search was away, so that there may be better passages'),
  incomplete: z
    .boolean()
    .optional()
    .describe('True if the index may be older than the files, as on a full or read-only disk'),
  hint: z.string().optional().describe('A thing to try if nothing was found'),
});

export const writtenFile: z.ZodObject = z.object({
  file: z.string(),
  bytes: z.int(),
  created: z.boolean().describe('True if there was no such file before'),
});
