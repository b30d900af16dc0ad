import type { Command } from '@commander-js/extra-typings';
import type { MemoryStats } from '@vizprompt/memory';
import { STATS_FILTER } from '@vizprompt/memory/internal';
import type { Cli } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { localTime } from '../event-text.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = ['ptta stats', 'ptta stats --workspace . --json'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  withInput(command, cli, STATS_FILTER).action(async (filter) => {
    await using store = await openMemory(cli);
    const stats = await store.stats(filter);
    await cli.print(stats, () => statsText(cli, stats));
  });
}

function statsText({ text }: Cli<PttaMessages>, stats: MemoryStats): string {
  const { first_event_at: first, last_event_at: last } = stats;
  const rows: readonly (readonly [string, string | number])[] = [
    [text.stats.sessions, text.stats.ofWhichRun(stats.sessions, stats.active_sessions)],
    [text.stats.events, stats.events],
    ...Object.entries(stats.events_by_type).map(([type, count]) => [`  ${type}`, count] as const),
    [text.stats.files, stats.files],
    [text.stats.redactions, stats.redactions],
    [text.stats.bytes, stats.event_bytes],
    [text.stats.first, first === null ? '-' : localTime(first)],
    [text.stats.last, last === null ? '-' : localTime(last)],
    ...stats.workspaces.map(
      ({ workspace_path, events }) => [workspace_path, text.eventCount(events)] as const,
    ),
  ];
  return rows.map(([name, value]) => `${name}: ${value}`).join('\n');
}
