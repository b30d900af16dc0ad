import { describe, expect, it } from 'vitest';
import { dialogoi } from '../../../src/dialogoi/tool.ts';
import { Cli } from '../../../src/frame/cli.ts';
import { noIo } from '../../support/no-io.ts';
import { buildProgram } from '../../../src/frame/build-program.ts';
import { frameEn } from '../../../src/frame/messages/en.ts';
import { frameJa } from '../../../src/frame/messages/ja.ts';
import type { Tool, ToolMessages } from '../../../src/frame/tool.ts';
import { ptta } from '../../../src/ptta/tool.ts';
import { talktable } from '../../../src/talktable/tool.ts';
import { vizprompt } from '../../../src/vizprompt/tool.ts';
import { commandNames } from '../../support/command-names.ts';

/** Returns the keys of a table of messages, those of tables in it too, with what kind of message each is. */
function keysOf(table: object, prefix = ''): readonly string[] {
  return Object.entries(table)
    .flatMap(([key, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) return keysOf(value, `${prefix}${key}.`);
      const kind = typeof value === 'function' ? `function of ${value.length}` : typeof value;
      return [`${prefix}${key}: ${kind}`];
    })
    .toSorted();
}

/** Returns the keys of messages that name values, each with the places of those that it names. */
function valuesOf(table: object, prefix = ''): readonly string[] {
  return Object.entries(table)
    .flatMap(([key, value]: [string, unknown]) => {
      const name = `${prefix}${key}`;
      if (typeof value === 'object' && value !== null) return valuesOf(value, `${name}.`);
      if (typeof value !== 'function') return [];
      const values = Array.from({ length: value.length }, (_, at) => `<${at}>`);
      // In a text, a list of one is as what it holds.
      const text = String(value(...values.map((each) => [each])));
      const named = values.filter((each) => text.includes(each));
      return [`${name}: ${named.join(' ')}`];
    })
    .toSorted();
}

describe('the messages of all tools', () => {
  it('are there in both languages', () => {
    expect(keysOf(frameJa)).toEqual(keysOf(frameEn));
    expect(valuesOf(frameJa)).toEqual(valuesOf(frameEn));
  });

  describe.each([
    ['dialogoi', dialogoi as Tool<ToolMessages>],
    ['ptta', ptta as unknown as Tool<ToolMessages>],
    ['talktable', talktable as Tool<ToolMessages>],
    ['vizprompt', vizprompt as Tool<ToolMessages>],
  ])('%s', (_, tool) => {
    it('is there in both languages, with a summary for each command and none besides', () => {
      const { en, ja } = tool.messages;
      expect(keysOf(ja)).toEqual(keysOf(en));
      const groups = tool.commands.filter((entry) => 'commands' in entry).map(({ name }) => name);
      const expected = [...groups, ...commandNames(tool)].toSorted();
      expect(Object.keys(en.summaries).toSorted()).toEqual(expected);
    });

    it('names the same values in both languages', () => {
      const { en, ja } = tool.messages;
      expect(valuesOf(ja)).toEqual(valuesOf(en));
    });

    it('has Japanese in Japanese, and none in English', () => {
      const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
      for (const text of Object.values(tool.messages.ja.summaries)) expect(text).toMatch(japanese);
      for (const text of Object.values(tool.messages.en.summaries)) {
        expect(text).not.toMatch(japanese);
      }
    });

    it('has examples and descriptions for every command', async () => {
      const cli = new Cli(tool.messages.en, {
        toolName: tool.name,
        language: 'en',
        frame: frameEn,
        io: noIo(),
      });
      const { root, complete } = buildProgram(tool, cli);
      await complete();
      for (const command of root.commands.flatMap((each) => [each, ...each.commands])) {
        const name = command.name();
        expect([name, command.description()]).not.toEqual([name, '']);
        const parts = [
          ...command.registeredArguments.map((each) => [name, each.name(), each.description]),
          ...command.options.map((each) => [name, each.flags, each.description]),
        ];
        expect(parts.filter(([, , description]) => !description)).toEqual([]);
      }
      for (const entry of tool.commands) {
        const commands = 'load' in entry ? [entry] : entry.commands;
        for (const { name, load } of commands) {
          const { examples } = await load();
          expect([name, examples.length]).not.toEqual([name, 0]);
          for (const example of examples) expect(example).toContain(name);
        }
      }
    });
  });
});
