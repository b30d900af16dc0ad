import type { RemainingPlace } from '@vizprompt/providers/internal';

/** The texts of all tools. */
export interface FrameMessages {
  readonly options: Readonly<Record<'json' | 'lang' | 'help' | 'version' | 'trust', string>>;
  readonly completion: string;
  readonly completionShell: string;
  readonly examples: string;
  readonly moreHelp: (tool: string) => string;
  readonly seeHelp: (command: string) => string;
  readonly noCommand: (command: string) => string;
  readonly wholeNumber: (min: number, max: number) => string;
  readonly json: (problem: string) => string;
  readonly time: string;
  readonly cannotRead: (path: string, why: string) => string;
  readonly notUtf8: (path: string) => string;
  readonly standardInput: string;
  readonly inputTwice: string;
  readonly inputEmpty: string;
  readonly dataIsFile: (path: string) => string;
  readonly queryEmpty: string;
  readonly nothingFound: string;
  readonly giveOne: (names: string) => string;
  readonly notRun: (program: string, why: string) => string;
  readonly programFailed: (program: string, code: number | string) => string;
  readonly server: ServerMessages;
  readonly erase: EraseMessages;
  readonly onlyOne: (names: string) => string;
  readonly trust: TrustMessages;
}

/** Messages about consent. */
interface TrustMessages {
  readonly asks: (place: string) => string;
  readonly question: string;
  readonly asking: (address: string, source: string) => string;
}

/** Messages of commands that start a server. */
interface ServerMessages {
  readonly port: string;
  readonly host: string;
  readonly token: string;
  readonly allowHost: string;
  readonly allowOrigin: string;
  readonly listening: (url: string) => string;
  readonly useToken: (token: string) => string;
}

/** Messages of the commands that erase a person. */
export interface EraseMessages {
  readonly speaker: string;
  readonly text: string;
  readonly mentions: string;
  readonly dryRun: string;
  readonly nothing: string;
  readonly place: (place: string, count: number) => string;
  readonly done: string;
  readonly planned: string;
  readonly remains: string;
  readonly remainder: Readonly<Record<RemainingPlace, (count: number) => string>>;
}
