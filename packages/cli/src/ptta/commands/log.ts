import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import type { EventFacts, EventType, NewEventData } from '@vizprompt/memory';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { readJson, readWord } from '../../frame/read-input.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { sessionId } from '../current-session.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

export const logUserCommand: CommandModule<PttaMessages> = {
  examples: ['ptta log:user "認証機能を追加してください"', 'ptta log:user - < message.txt'],
  define(command, cli) {
    defineMessageCommand(command, cli, 'user_message');
  },
};

export const logAssistantCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta log:assistant "JWTトークンの検証ロジックを追加します。"',
    'ptta log:assistant - < answer.md',
  ],
  define(command, cli) {
    defineMessageCommand(command, cli, 'assistant_message');
  },
};

export const logThinkingCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta log:thinking "認証にはJWTを使用し、middlewareで検証する" --context authentication',
  ],
  define(command, cli) {
    command
      .argument('<content>', cli.text.message)
      .option('--context <context>', cli.text.context)
      .option('--session <id>', cli.text.session)
      .option('--parent <id>', cli.text.parent)
      .action(async (words, { context, ...options }) => {
        const content = await readWord(cli, words);
        const about = context === undefined ? {} : { context };
        await logEvent(cli, options, 'thinking', { content, ...about });
      });
  },
};

export const logIntentionCommand: CommandModule<PttaMessages> = {
  examples: ['ptta log:intention src/auth.ts --reason "JWT検証ミドルウェアを追加"'],
  define(command, cli) {
    const action = new Option('--action <action>', cli.text.intendedAction);
    command
      .argument('<file_path>', cli.text.file)
      .requiredOption('--reason <reason>', cli.text.reason)
      .addOption(action.choices(['create', 'edit', 'delete'] as const))
      .option('--session <id>', cli.text.session)
      .option('--parent <id>', cli.text.parent)
      .action(async (file, { reason, action: given, ...options }) => {
        const path = resolve(cli.cwd, file);
        const before = await textOfFile(path);
        await logEvent(cli, options, 'code_intention', {
          action: given ?? (existsSync(path) ? 'edit' : 'create'),
          file_path: path,
          reason,
          ...(before === undefined ? {} : { old_content: before }),
        });
      });
  },
};

export const logEditCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta log:edit src/auth.ts --action edit',
    'ptta log:edit src/auth.ts --action edit --error "disk full"',
  ],
  define(command, cli) {
    const actions = new Option('--action <action>', cli.text.action).makeOptionMandatory();
    command
      .argument('<file_path>', cli.text.file)
      .addOption(actions.choices(['create', 'edit', 'delete'] as const))
      .option('--error <message>', cli.text.editError)
      .option('--session <id>', cli.text.session)
      .option('--parent <id>', cli.text.parent)
      .action(async (file, { action, error, session, parent }) => {
        const path = resolve(cli.cwd, file);
        await using store = await openMemory(cli);
        const id = await sessionId(cli, store, session);
        // The edit carries out the last intention that is not done yet.
        const intended = await store.pendingIntentions({ session: id });
        const intention = intended.findLast(({ data }) => data.file_path === path);
        const before = intention?.data.old_content;
        const after = action === 'delete' ? undefined : await textOfFile(path);
        const cause = parent ?? intention?.id;
        const event = await store.log(
          id,
          'file_edit',
          {
            action,
            file_path: path,
            ...(before === undefined ? {} : { old_content: before }),
            ...(after === undefined ? {} : { new_content: after }),
            ...(intention === undefined ? {} : { intention_event_id: intention.id }),
            success: error === undefined,
            ...(error === undefined ? {} : { error_message: error }),
          },
          cause === undefined ? {} : { parent: cause },
        );
        await cli.print(event, () => cli.text.logged(event.sequence, event.type, event.id));
        // Most often the path is wrong, such as one of another folder, and the user would never notice.
        const isLost = action !== 'delete' && error === undefined && after === undefined;
        if (isLost && !cli.isJson)
          await cli.err.line(cli.err.style('dim', cli.text.withoutText(path)));
      });
  },
};

export const logToolCommand: CommandModule<PttaMessages> = {
  examples: [
    `ptta log:tool Bash --params '{"command":"npm test"}' --result '"12 passed"' --duration 4210`,
    `ptta log:tool Read --params - < parameters.json`,
  ],
  define(command, cli) {
    command
      .argument('<tool_name>', cli.text.tool)
      .requiredOption('--params <json>', cli.text.params)
      .option('--result <json>', cli.text.result)
      .option('--duration <ms>', cli.text.duration, wholeNumber(cli))
      .option('--failed', cli.text.toolFailed)
      .option('--session <id>', cli.text.session)
      .option('--parent <id>', cli.text.parent)
      .action(async (tool, { params, result, duration, failed, ...options }) => {
        const parameters = await readJson(cli, '--params', params);
        await logEvent(cli, options, 'tool_use', {
          tool,
          parameters,
          ...(result === undefined ? {} : { result: await readJson(cli, '--result', result) }),
          ...(duration === undefined ? {} : { duration_ms: duration }),
          ...(failed === undefined ? {} : { success: false }),
        });
      });
  },
};

/** The options that all commands take which log an event. */
interface LogOptions {
  readonly session?: string | undefined;
  readonly parent?: string | undefined;
}

/** Defines a command that logs a message. */
function defineMessageCommand(
  command: Command,
  cli: Cli<PttaMessages>,
  type: 'user_message' | 'assistant_message',
): void {
  command
    .argument('<message>', cli.text.message)
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (message, options) => {
      await logEvent(cli, options, type, { content: await readWord(cli, message) });
    });
}

/** Logs one event in the session that is meant, and prints it. */
async function logEvent<Type extends EventType>(
  cli: Cli<PttaMessages>,
  { session, parent }: LogOptions,
  type: Type,
  data: NewEventData<Type>,
): Promise<void> {
  const facts: EventFacts = parent === undefined ? {} : { parent };
  await using store = await openMemory(cli);
  const event = await store.log(await sessionId(cli, store, session), type, data, facts);
  await cli.print(event, () => cli.text.logged(event.sequence, event.type, event.id));
}

/** Larger files are recorded without their text. */
const MAX_BYTES = 32 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of a file; `undefined` if there is none, or if it is too large or no text to be recorded. */
async function textOfFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? undefined : decoder.decode(await readFile(path));
  } catch {
    return undefined;
  }
}
