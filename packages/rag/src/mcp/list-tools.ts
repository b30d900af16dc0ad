import type { McpServer } from '@modelcontextprotocol/server';
import { wireInput } from '@vizprompt/providers/config/internal';
import { type NovelFile, type NovelProject, PAGE } from '../project/novel-repository.ts';
import { pageOf } from '../project/list-cursor.ts';
import {
  CONTENTS,
  emptyPage,
  fitting,
  INSTRUCTIONS,
  nextOf,
  NO_FILES,
  runTool,
  SETTINGS,
  shortened,
  toolResult,
} from './tool-result.ts';
import {
  fileList,
  limit,
  NOVEL_ID,
  projectList,
  projectOf,
  READ_ONLY,
  type ToolHost,
} from './tool-input.ts';

/** The longest title, name or tag, in characters. */
const MAX_FACT = 200;
const MAX_TAGS = 50;

/** `list_novel_projects` and the lists of files. */
export function addListTools(server: McpServer, { service, logger }: ToolHost): void {
  server.registerTool(
    'list_novel_projects',
    {
      title: 'List novel projects',
      description:
        'Lists the novel projects. All other tools take an id of them (novelId) where there are several.',
      inputSchema: wireInput({ ...PAGE, limit: limit(50, 200) }),
      outputSchema: projectList,
      annotations: READ_ONLY,
    },
    (page) => {
      return runTool({ logger }, async () => {
        const { items, total } = pageOf(await service.listProjects(), page);
        const projects = fitting(items.map(entryOf), (entry) => JSON.stringify(entry).length);
        const rest = nextOf(page.offset ?? 0, projects.length, total);
        const lines = projects.map((project) => {
          const title = project.title === project.novelId ? '' : `: ${project.title}`;
          return `- ${project.novelId}${title}${project.problem ? ` (${project.problem})` : ''}`;
        });
        const none = 'There are no projects yet: a project is a folder in the project root.';
        const text =
          lines.length === 0 ? emptyPage(total, none) : [...lines, moreOf(rest)].join('\n');
        return toolResult(text.trim(), { projects, ...rest });
      });
    },
  );

  for (const { place, plural, about } of [SETTINGS, CONTENTS, INSTRUCTIONS]) {
    server.registerTool(
      `list_${plural}`,
      {
        title: `List ${plural.replaceAll('_', ' ')}`,
        description: `Lists the files of ${about}, each with its beginning. Read one with get_${plural}.`,
        inputSchema: wireInput({ novelId: NOVEL_ID, ...PAGE, limit: limit(50, 200) }),
        outputSchema: fileList,
        annotations: READ_ONLY,
      },
      ({ novelId, ...page }) => {
        return runTool({ place, logger }, async () => {
          const id = await projectOf(service, novelId);
          const { files, total } = await service.list(id, place, page);
          const all = files.map(({ path, ...file }) => ({ file: path, ...file }));
          const listed = fitting(
            all,
            (entry) => entry.file.length + beginningOf(entry).length + 50,
          );
          const rest = nextOf(page.offset ?? 0, listed.length, total);
          const lines = listed.map((entry) => {
            return `- ${entry.file} (${entry.bytes} bytes): ${beginningOf(entry)}`;
          });
          const text = lines.length === 0 ? emptyPage(total, NO_FILES) : lines.join('\n');
          return toolResult(`${text}${moreOf(rest)}`, { files: listed, ...rest });
        });
      },
    );
  }
}

/** Returns the text of a file's line. */
function beginningOf({ preview, problem }: Pick<NovelFile, 'preview' | 'problem'>): string {
  return problem === undefined ? preview : `(it cannot be read: ${problem})`;
}

/** Returns a project as lists show it: what its `novel.json` says may be of any length. */
function entryOf({ id, title, author, description, tags, problem }: NovelProject): {
  readonly novelId: string;
  readonly title: string;
  readonly author?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly problem?: string;
} {
  return {
    novelId: id,
    title: shortened(title, MAX_FACT),
    ...(author === undefined ? {} : { author: shortened(author, MAX_FACT) }),
    ...(description === undefined ? {} : { description: shortened(description, 10 * MAX_FACT) }),
    tags: tags.slice(0, MAX_TAGS).map((tag) => shortened(tag, MAX_FACT)),
    ...(problem === undefined ? {} : { problem: shortened(problem, 10 * MAX_FACT) }),
  };
}

function moreOf({
  total,
  nextOffset,
}: {
  readonly total: number;
  readonly nextOffset?: number;
}): string {
  return nextOffset === undefined ? '' : `\n(of ${total}; the next page has offset ${nextOffset})`;
}
