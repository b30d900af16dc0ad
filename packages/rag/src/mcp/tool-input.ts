import type { Logger } from '@vizprompt/providers';
import { nearestName } from '@vizprompt/providers/config';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { NovelService } from '../project/novel-service.ts';

/** What tools work with. */
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

/** Tools that write files, and replace them if they are told to. */
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** The arguments of a tool, by their names. */
type Shape = Readonly<Record<string, z.ZodType>>;
type Arguments<Given extends Shape> = z.ZodObject<Given, z.core.$strict>;

/**
 * The schema of a tool's arguments; it takes no others. What is wrong with them is told so that a model
 * can do better on its own: which one, what it is for, which ones there are.
 */
export function toolInput<const Given extends Shape>(
  shape: Given,
): StandardSchemaWithJSON<z.input<Arguments<Given>>, z.output<Arguments<Given>>> {
  const schema: Arguments<Given> = z.strictObject(shape);
  return {
    '~standard': {
      ...schema['~standard'],
      validate(value) {
        const result = schema.safeParse(value);
        if (result.success) return { value: result.data };
        const issues = result.error.issues.flatMap((issue) => adviceFor(issue, value, shape));
        const known = Object.keys(shape).join(', ');
        return { issues: [...issues, { message: `the arguments of this tool are ${known}` }] };
      },
    },
  };
}

function adviceFor(
  issue: z.core.$ZodIssue,
  value: unknown,
  shape: Shape,
): readonly { readonly message: string; readonly path?: PropertyKey[] }[] {
  const { path, message } = issue;
  const [first] = path;
  if (first === undefined && issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const nearest = nearestName(key, Object.keys(shape));
      const way = nearest === undefined ? 'leave it out' : `is '${nearest}' meant?`;
      return { message: `there is no argument '${key}': ${way}` };
    });
  }
  const name = String(first ?? '');
  const isMissing = first !== undefined && !(Object(value) === value && name in Object(value));
  const wrong = isMissing ? 'it is missing' : message.replace('Invalid input: ', '');
  const about = shape[name]?.description;
  return [{ path, message: about === undefined ? wrong : `${wrong} (${about})` }];
}

export const novelId: z.ZodString = z
  .string()
  .min(1)
  .describe('The id of the project, as list_novel_projects gives it');

export const offset: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(0)
  .default(0)
  .describe('How many entries to pass over: the nextOffset of the page before');

/** How many entries a page has. */
export function limit(preset: number, most: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(preset).describe('How many entries at most');
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
      problem: z.string().optional().describe('What is wrong in its novel.json'),
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
      text: z.string(),
      nextLine: z.int().optional().describe('The first line that was left out for length'),
      nextColumn: z
        .int()
        .optional()
        .describe('Where nextLine goes on, if it was cut: the startColumn of the next call'),
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
      endLine: z.int(),
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
    .describe('Whether a part of the search was away, so that there may be better passages'),
  hint: z.string().optional().describe('What to try if nothing was found'),
});

export const writtenFile: z.ZodObject = z.object({
  file: z.string(),
  bytes: z.int(),
  created: z.boolean().describe('Whether there was no such file before'),
});
