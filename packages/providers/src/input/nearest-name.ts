/** Names that libraries give to the same option. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['limit', 'k', 'topk', 'top', 'max', 'maxresults', 'numresults', 'count', 'n', 'size', 'take'],
  [
    'budgettokens',
    'budget',
    'maxtokens',
    'tokenbudget',
    'tokenlimit',
    'tokens',
    'maxcontexttokens',
  ],
  ['maxoutputtokens', 'maxtokens', 'maxcompletiontokens', 'maxnewtokens', 'numpredict'],
  ['query', 'q', 'question', 'text', 'prompt', 'input', 'message', 'search', 'content'],
  ['path', 'file', 'filename', 'filepath', 'dbpath', 'databasepath'],
  ['folder', 'dir', 'directory', 'root', 'rootdir', 'basepath', 'projectroot'],
  [
    'session',
    'sessionid',
    'conversation',
    'conversationid',
    'thread',
    'threadid',
    'chatid',
    'flow',
  ],
  ['signal', 'abortsignal', 'abort', 'abortcontroller'],
  ['instructions', 'system', 'systemprompt', 'systemmessage'],
  ['after', 'since', 'from', 'start', 'startdate', 'starttime'],
  ['before', 'until', 'to', 'end', 'enddate', 'endtime'],
  ['speaker', 'user', 'userid', 'author', 'owner'],
  ['embeddings', 'embedding', 'embedder', 'embeddingmodel'],
  ['timeoutms', 'timeout', 'maxwait', 'deadline'],
  ['concurrency', 'maxconcurrency', 'maxconcurrent', 'parallel', 'parallelism'],
];

/** A longer one is no slip, and may be as long as a request. */
const MAX_NAME_LENGTH = 200;

/**
 * Returns the known name that was probably meant, or `undefined` if none is near: one that differs only
 * in case, `-` and `_`, or by a few characters, or one that other libraries use for the same.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const plain = plainly(name);
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(plain, plainly(candidate)) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const limit = Math.max(1, Math.floor(Array.from(plain).length / 3));
  if (best && best.distance <= limit) return best.candidate;
  const groups = SYNONYMS.filter((names) => names.includes(plain));
  return known.find((candidate) => groups.some((names) => names.includes(plainly(candidate))));
}

function plainly(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
}

/** Levenshtein's distance, in characters. */
function editDistance(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  let row = b.map((_, index) => index + 1);
  for (const [i, character] of a.entries()) {
    let diagonal = i;
    let before = i + 1;
    row = row.map((above, j) => {
      before = Math.min(above + 1, before + 1, diagonal + (character === b[j] ? 0 : 1));
      diagonal = above;
      return before;
    });
  }
  return row.at(-1) ?? a.length;
}
