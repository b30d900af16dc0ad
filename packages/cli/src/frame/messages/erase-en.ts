import { count } from './count.ts';
import type { EraseMessages } from './erase-messages.ts';

/** Messages of the commands that erase a person, in English. */
export const eraseEn: EraseMessages = {
  speaker: 'the name of the person or agent; case and width do not count',
  text: 'further words of theirs, replaced everywhere; may be repeated; - reads standard input',
  mentions: 'replace the name also where others mention it',
  dryRun: 'only report what would be erased',
  nothing: 'nothing to erase was found',
  place: (place: string, found: number): string => `  ${place}: ${found}`,
  done: 'erased:',
  planned: 'would be erased:',
  remains: 'not reached, please check yourself:',
  remainder: {
    git: () =>
      'the history of git, if the folder is in a repository: rewrite it (git filter-repo) and its clones',
    'database-log': () => 'the write-ahead log, replicas and backups of the PostgreSQL server',
    backups: () => 'backups, exports and snapshots of the file system that you made',
    mentions: (found: number): string =>
      `the name, mentioned by others in ${count(found, 'place')}: --mentions replaces it`,
    'damaged-rows': (found: number): string =>
      `${found} damaged row${found === 1 ? '' : 's'} could not be read: ptta check lists them`,
    'broken-files': (found: number): string =>
      `${count(found, 'file')} that cannot be understood and mention the name: repair or delete them`,
    config: () => 'files that you wrote, such as the config of a talk or a workflow',
    dbos: () => 'the tables of DBOS, if workers lead runs: remove the runs there',
    transcripts: () => 'transcripts that agents keep of their sessions, such as ~/.claude/projects',
    'vector-server': () => 'vectors on a server such as Qdrant, until it optimizes its segments',
  },
};
