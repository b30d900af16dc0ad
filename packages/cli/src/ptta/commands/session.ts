import { SESSION_FILTER } from '@vizprompt/memory/internal';
import { withInput } from '../../frame/input-options.ts';
import { pathValue } from '../../frame/option-values.ts';
import { remark } from '../../frame/cli.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { currentSession, sessionId, workspaceHere } from '../current-session.ts';
import { eventLine, sessionLine, sessionText } from '../event-text.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

export const sessionStartCommand: CommandModule<PttaMessages> = {
  examples: ['ptta session:start', 'ptta session:start --workspace ~/app --branch main'],
  define(command, cli) {
    command
      .option('--workspace <path>', cli.text.workspace, pathValue(cli))
      .option('--branch <branch>', cli.text.branch)
      .action(async ({ workspace, branch }) => {
        await using store = await openMemory(cli, { make: true });
        const session = await store.startSession({
          workspace: workspaceHere(cli, workspace),
          ...(branch === undefined ? {} : { metadata: { branch } }),
        });
        await cli.print(session, () => cli.text.sessionStarted(session.id, session.workspace_path));
      });
  },
};

export const sessionEndCommand: CommandModule<PttaMessages> = {
  examples: ['ptta session:end', 'ptta session:end --session 01a2016e-283e-7000-8314-1d4ce0ed7030'],
  define(command, cli) {
    command.option('--session <id>', cli.text.session).action(async ({ session: given }) => {
      await using store = await openMemory(cli);
      const session = await store.endSession(await sessionId(cli, store, given));
      await cli.print(session, () => cli.text.sessionEnded(session.id, session.event_count));
    });
  },
};

export const sessionListCommand: CommandModule<PttaMessages> = {
  examples: ['ptta session:list --workspace .', "ptta session:list --json | jq -r '.[0].id'"],
  define(command, cli) {
    withInput(command, cli, SESSION_FILTER).action(async (filter) => {
      await using store = await openMemory(cli);
      const sessions = await store.listSessions(filter);
      if (cli.isJson) return await cli.out.jsonArray(sessions);
      if (sessions.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const session of sessions) await cli.out.line(sessionLine(cli, session));
    });
  },
};

export const sessionShowCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta session:show 01a2016e-283e-7000-8314-1d4ce0ed7030',
    "ptta session:show $(ptta session:list --json | jq -r '.[0].id')",
  ],
  define(command, cli) {
    command.argument('<id>', cli.text.sessionId).action(async (id) => {
      await using store = await openMemory(cli);
      const session = await store.getSession(id);
      const events = store.events(id, { contents: 'omit', signal: cli.signal });
      if (cli.isJson) {
        const all: unknown[] = [];
        for await (const event of events) all.push(event);
        return await cli.out.json({ ...session, events: all });
      }
      await cli.out.line(sessionText(cli, session));
      for await (const event of events) await cli.out.line(eventLine(cli, event));
    });
  },
};

export const sessionCurrentCommand: CommandModule<PttaMessages> = {
  examples: ['ptta session:current', 'ptta session:current --workspace ~/app --json'],
  define(command, cli) {
    command
      .option('--workspace <path>', cli.text.currentWorkspace, pathValue(cli))
      .action(async ({ workspace }) => {
        await using store = await openMemory(cli);
        const session = await currentSession(cli, store, workspace);
        await cli.print(session, () => sessionText(cli, session));
      });
  },
};
