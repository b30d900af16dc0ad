import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { described, NONEMPTY, wireInput } from '@vizprompt/providers/config/internal';
import type { SearchHit, SearchResults } from '../contract/search-backend.ts';
import {
  CONTENTS,
  emptyPage,
  fitting,
  linesText,
  nextOf,
  runTool,
  SETTINGS,
  shortened,
  toolResult,
  toolsOf,
} from './tool-result.ts';
import {
  limit,
  NOVEL_ID,
  projectOf,
  READ_ONLY,
  searchResults,
  type ToolHost,
} from './tool-input.ts';
import { NOVEL_SEARCH_OPTIONS } from '../project/search-project.ts';
import type { NovelService } from '../project/novel-service.ts';

const QUERY = described(NONEMPTY, {
  en: 'A question or words in natural language, in any language. Optional: "an exact phrase", +must, -not, /regular expression/',
});

/** The longest passage, in characters: longer ones are read by their lines. */
const MAX_PASSAGE = 20_000;
const MAX_HEADING = 500;
const INCOMPLETE =
  'The index could not be brought up to date with the files, so newer text may be missing: read the files for it.';
const DEGRADED = 'A part of the search was away, so there may be better passages: ask again later.';

/** How many hits the searches of a server give. */
export interface SearchLimits {
  readonly defaultK: number;
  readonly maxK: number;
}

/** `search_novel_settings` and `search_novel_content`. */
export function addSearchTools(
  server: McpServer,
  { service, logger }: ToolHost,
  { defaultK, maxK }: SearchLimits,
): void {
  for (const { place, plural, about } of [SETTINGS, CONTENTS]) {
    const input = wireInput({
      novelId: NOVEL_ID,
      query: QUERY,
      files: NOVEL_SEARCH_OPTIONS.files,
      offset: NOVEL_SEARCH_OPTIONS.offset,
      limit: limit(defaultK, maxK),
    });
    server.registerTool(
      `search_${plural}`,
      {
        title: `Search ${plural.replaceAll('_', ' ')}`,
        description: `Searches ${about}. Gives the passages that answer best, each with its file, lines and columns; get_${plural} reads around them.`,
        inputSchema: input,
        outputSchema: searchResults,
        annotations: READ_ONLY,
      },
      ({ novelId, query, ...options }, context) => {
        return runTool({ place, logger }, async () => {
          const id = await projectOf(service, novelId);
          const { signal } = context.mcpReq;
          const results = await withProgress(service, id, context, () => {
            return service.search(id, query, { ...options, area: place, signal });
          });
          const other = place === 'settings' ? CONTENTS : SETTINGS;
          return describe(
            results,
            options.offset ?? 0,
            `search_${other.plural}`,
            toolsOf(place).list,
          );
        });
      },
    );
  }
}

function describe(
  { hits: found, total, hint, degraded, incomplete }: SearchResults,
  passedOver: number,
  otherSearch: string,
  list: string,
): ReturnType<typeof toolResult> {
  const hits = fitting(found.map(shortenedHit), sizeOf);
  const rest = nextOf(passedOver, hits.length, total);
  const advice =
    total > 0
      ? undefined
      : [hint, `Try other words, ${otherSearch}, or ${list} to see what there is.`]
          .filter((part) => part !== undefined)
          .join(' ');
  const data = {
    hits: hits.map(hitOf),
    ...rest,
    ...(degraded === undefined ? {} : { degraded }),
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(advice === undefined ? {} : { hint: advice }),
  };
  const passages = hits.map(
    ({ payload: { file, start, end, startColumn, endColumn }, headingPath, content }) =>
      `## ${file}, ${linesText(start, end)}${columnsText(start === end, startColumn, endColumn)}${headingPath.length > 0 ? ` (${headingPath.join(' › ')})` : ''}\n\n${content}`,
  );
  const count = total === 1 ? '1 passage matches.' : `${total} passages match.`;
  const poorer = [
    ...(degraded === true ? [DEGRADED] : []),
    ...(incomplete === true ? [INCOMPLETE] : []),
  ];
  const isPast = total > 0 && hits.length === 0;
  const head = total === 0 ? `Nothing was found. ${advice}` : isPast ? emptyPage(total, '') : count;
  const { nextOffset } = rest;
  const more = nextOffset === undefined ? [] : [`(further passages have offset ${nextOffset})`];
  return toolResult([head, ...poorer, ...passages, ...more].join('\n\n'), data);
}

/** Within one line, which may be a whole file, the columns are the place. */
function columnsText(isLine: boolean, start: number | undefined, end: number | undefined): string {
  return isLine && start !== undefined && end !== undefined ? `, columns ${start}-${end}` : '';
}

/** One passage of settings with huge chunks must not fill the answer. */
function shortenedHit(hit: SearchHit): SearchHit {
  const headings = hit.headingPath.map((heading) => shortened(heading, MAX_HEADING));
  return {
    ...hit,
    headingPath: headings.slice(0, 6),
    content: shortened(hit.content, MAX_PASSAGE),
  };
}

/** With the words around it. */
function sizeOf({ payload: { file }, headingPath, content }: SearchHit): number {
  return file.length + headingPath.join(' › ').length + content.length + 100;
}

function hitOf({ payload, headingPath, score, snippet, content }: SearchHit): object {
  const { file, start: startLine, end: endLine, startColumn, endColumn } = payload;
  const columns = startColumn === undefined ? {} : { startColumn, endColumn };
  const place = { file, startLine, endLine, ...columns };
  return { ...place, headings: headingPath, score, snippet, text: content };
}

/** Between two notifications, in milliseconds. */
const PAUSE_MS = 100;

/** Reports the progress of a project's index to the client while a task runs, if it asked for that. */
async function withProgress<T>(
  service: NovelService,
  projectId: string,
  { mcpReq }: ServerContext,
  task: () => Promise<T>,
): Promise<T> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return task();
  const project = projectId.normalize('NFC');
  let [told, next] = [0, 0];
  const notify = async (progress: number, message: string, total?: number): Promise<void> => {
    told = progress;
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  await notify(0, `opening ${project}`);
  // The first search of a machine makes the dictionary, before it is known how many files there are: less than one.
  const stopDictionary = service.events.on('dictionary:progress', ({ done }) => {
    const share = done / 101;
    return share > told ? notify(share, `making the dictionary, once: ${done} %`) : undefined;
  });
  const stopFiles = service.events.on('project:progress', ({ done, total, novelId }) => {
    // It must grow with each notification, also where a second update follows the first.
    if (novelId !== project || done <= told) return undefined;
    if (performance.now() < next && done !== total) return undefined;
    next = performance.now() + PAUSE_MS;
    const of = total === undefined ? '' : ` of ${total}`;
    return notify(done, `indexing ${project}: ${done}${of} files`, total);
  });
  try {
    return await task();
  } finally {
    stopDictionary();
    stopFiles();
  }
}
