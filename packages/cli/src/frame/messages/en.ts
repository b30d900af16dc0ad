/** The texts of all tools, in English. Those of another language have the same names. */
export const frameEn = {
  options: {
    json: 'for programs: JSON on standard output, errors as JSON on standard error',
    lang: 'language of the messages (default: by the locale)',
    help: 'show this help',
    version: 'show the version',
    trust: 'consent for this command to what the folder asks for: addresses, keys, a memory',
  },
  completion: 'Print the completion for a shell',
  completionShell: 'bash, zsh or fish',
  examples: 'Examples:',
  moreHelp: (tool: string): string => `Help for one command: ${tool} COMMAND --help`,
  seeHelp: (command: string): string => `see: ${command} --help`,
  noCommand: (command: string): string => `${command} needs a command`,
  wholeNumber: (min: number, max: number): string =>
    max === Number.MAX_SAFE_INTEGER
      ? `It must be a whole number from ${min}.`
      : `It must be a whole number from ${min} to ${max}.`,
  json: (problem: string): string => `expected JSON, got something else: ${problem}`,
  time: 'It must be a time such as 2026-01-31 or 2026-01-31T12:00:00+09:00.',
  cannotRead: (path: string, why: string): string => `cannot read ${path}: ${why}`,
  notUtf8: (path: string): string => `${path} is not UTF-8`,
  standardInput: 'standard input',
  inputEmpty: 'standard input is empty',
  dataIsFile: (path: string): string => `--data: expected a folder, got the file ${path}`,
  queryEmpty: 'the query: expected words, got nothing',
  nothingFound: 'nothing was found',
  inputTwice: 'standard input can be read only once: give - once',
  notRun: (program: string, why: string): string => `${program} cannot be run: ${why}`,
  programFailed: (program: string, code: number | string): string =>
    `${program} ended with ${code}`,
  erase: {
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
      git: (): string =>
        'the history of git, if the folder is in a repository: rewrite it (git filter-repo) and its clones',
      'database-log': (): string =>
        'the write-ahead log, replicas and backups of the PostgreSQL server',
      backups: (): string => 'backups, exports and snapshots of the file system that you made',
      mentions: (found: number): string =>
        `the name, mentioned by others in ${count(found, 'place')}: --mentions replaces it`,
      'damaged-rows': (found: number): string =>
        `${found} damaged row${found === 1 ? '' : 's'} could not be read: ptta check lists them`,
      'set-aside': (found: number): string =>
        `${count(found, 'file')} in .vizprompt/set-aside, which you may not have written: apply (repair --batch) or delete them`,
      'broken-files': (found: number): string =>
        `${count(found, 'file')} that cannot be understood, and mention the name or a file that has copies: repair or delete them`,
      config: (): string => 'files that you wrote, such as the config of a talk or a workflow',
      dbos: (): string => 'the tables of DBOS, if workers lead runs: remove the runs there',
      transcripts: (): string =>
        'transcripts that agents keep of their sessions, such as ~/.claude/projects',
      'vector-server': (): string =>
        'vectors on a server such as Qdrant, until it optimizes its segments',
    },
  },
  server: {
    port: 'the port; 0 for any that is free',
    host: 'where to listen; others than this machine must bring a token',
    token: 'what clients must send as Authorization: Bearer TOKEN, at least 16 characters',
    allowHost: 'a further name of this server, as clients call it; may be repeated',
    allowOrigin: 'an origin of web pages that may ask; may be repeated',
    listening: (url: string): string => `listening on ${url}`,
    useToken: (token: string): string => `token: ${token}`,
  },
  giveOne: (names: string): string => `give one of ${names}`,
  onlyOne: (names: string): string => `give only one of ${names}`,
  trust: {
    asks: (place: string): string => `${place} asks for your consent:`,
    question: 'Trust its author with that, from now on? [y/N]',
    asking: (address: string, source: string): string =>
      `asking ${address}, as ${source} says; that is not the address of its provider`,
  },
};

/** The texts of all tools. */
export type FrameMessages = typeof frameEn;

/**
 * Returns an amount of things, in English: `1 file`, `2 files`.
 *
 * @param amount - A number, or a text such as `2-7`.
 */
export function count(amount: number | string, noun: string): string {
  return String(amount) === '1' ? `1 ${noun}` : `${amount} ${noun}s`;
}
