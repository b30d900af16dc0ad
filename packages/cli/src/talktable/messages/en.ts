import { count } from '../../frame/messages/en.ts';

/** The texts of talktable in English. Those of another language have the same names. */
export const talktableEn = {
  about: 'Models that talk to each other under a moderator.',
  data: 'the folder of the talk (default: the nearest one upwards with logs/conversation.db)',
  summaries: {
    run: 'Start a talk; Ctrl+C pauses and asks, twice stops',
    resume: 'Continue a talk that was interrupted',
    say: 'Say something in a talk, in progress or not',
    list: 'List the talks',
    show: 'Print a talk',
    erase: 'Erase what a participant said in all talks',
    export: 'Print a talk as Markdown, JSON or an HTML page',
  },
  config: 'the YAML file of the talk; - for standard input',
  configOrId: 'the YAML file of the talk, - for standard input, or the id of a talk of the log',
  whichConfig: (id: string): string =>
    `the log does not say which file the talk ${id} was led from: talktable resume CONFIG ${id}`,
  called: (speaker: string, tool: string): string => `${speaker} calls ${tool}`,
  conversation: 'the id of a talk (default: the newest)',
  unfinished: 'the id of a talk (default: the newest that has not come to its end)',
  topic: 'instead of that of the config',
  language: 'of the talk, such as ja',
  order: 'who speaks next',
  rounds: 'rounds at most, instead of the limits of the config',
  maxTurns: 'turns of participants at most, instead of the limits of the config',
  intervalMs: 'a pause between turns, in milliseconds',
  retries: 'how often a call is repeated that failed for a passing reason',
  logPath: 'the SQLite file of the log (default: by --data, by the config, logs/conversation.db)',
  id: 'the id of the talk (default: a new one)',
  text: 'what to say; - reads it from standard input',
  speaker: 'in whose name; that of the person whose turn it is, to answer (default: the audience)',
  visibleTo: 'who hears it, besides the moderator (default: everyone)',
  limit: 'talks at most',
  status: 'only talks with this status',
  prompts: 'what each model was sent, too',
  analysis: 'turns, tokens, time and repetition of each speaker instead',
  format: 'markdown, json or html',
  output: 'write it to this file',
  noTalk: (log: string): string => `there is no talk in ${log}`,
  noUnfinishedTalk: (log: string): string => `no talk in ${log} can be continued`,
  retried: (speaker: string, why: string): string => `${speaker} is asked again: ${why}`,
  skipped: (speaker: string, why: string): string => `${speaker} is passed over: ${why}`,
  ended: (status: string, reason: string, turns: number, tokens: number): string =>
    `${status} (${reason}): ${count(turns, 'turn')}, ${count(tokens, 'token')}`,
  pausing: 'pausing after this turn; Ctrl+C again breaks it off',
  goOn: 'paused. Go on? [y/n] ',
  isYes: (answer: string): boolean => ['y', 'yes', ''].includes(answer),
  isNo: (answer: string): boolean => ['n', 'no'].includes(answer),
  goesOnWith: (command: string): string => `continue with: ${command}`,
  said: 'said',
  saved: (file: string): string => `wrote ${file}`,
};

/** The texts of talktable. */
export type TalktableMessages = typeof talktableEn;
