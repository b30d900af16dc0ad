import type { PttaMessages } from './ptta-messages.ts';

/** What ptta says, in English. */
export const pttaEn: PttaMessages = {
  about: 'The external memory of AI agents.',
  data: 'the folder of the memory (default: the nearest .ptta upwards, and ~/.ptta at last)',
  summaries: {
    'session:start': 'Start a session',
    'log:user': 'Record a message of the user',
  },
  session: 'the id of a session (default: the running one of this folder, or of one above it)',
  workspace: 'a folder (default: the git repository, or else the current folder)',
  branch: 'the git branch, noted with the session',
  message: 'the text; - reads it from standard input',
  sessionStarted: (id: string, workspace: string): string => `started ${id} in ${workspace}`,
  logged: (sequence: number, type: string, id: string): string => `${sequence} ${type} ${id}`,
  noMemory: (folder: string): string => `there is no memory in ${folder}: no ptta.db`,
  noCurrentSession: (workspace: string): string =>
    `no session is running in ${workspace} or above: ptta session:start`,
};
