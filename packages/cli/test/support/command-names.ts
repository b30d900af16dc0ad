import type { Tool, ToolMessages } from '../../src/frame/tool.ts';

/** Returns the names of all commands of a tool; those of groups with both words. */
export function commandNames<Messages extends ToolMessages>(
  tool: Tool<Messages>,
): readonly string[] {
  return tool.commands.flatMap((entry) =>
    'load' in entry ? [entry.name] : entry.commands.map(({ name }) => `${entry.name} ${name}`),
  );
}
