import type { SessionInfo } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import { localTime } from './local-time.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** Returns a session on one line. */
export function sessionLine(cli: Cli<PttaMessages>, session: SessionInfo): string {
  const { id, workspace_path: workspace, started_at, ended_at, event_count } = session;
  const state = ended_at === null ? cli.out.style('green', '●') : '○';
  const count = cli.text.eventCount(event_count);
  const mark = session.damaged === undefined ? '' : `  ${cli.out.style('red', session.damaged)}`;
  return `${state} ${cli.out.style('yellow', id)}  ${localTime(started_at)}  ${count}  ${workspace}${mark}`;
}

/** All that is known of a session. */
export function sessionText(cli: Cli<PttaMessages>, session: SessionInfo): string {
  const { ended_at, metadata } = session;
  const facts = [
    sessionLine(cli, session),
    `  ${ended_at === null ? cli.text.running : cli.text.endedAt(localTime(ended_at))}`,
    ...Object.entries(metadata).map(([key, value]) => {
      return `  ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    }),
  ];
  return facts.join('\n');
}
