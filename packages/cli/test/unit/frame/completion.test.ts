import { describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';

describe('the completions of all shells', () => {
  it.each(['vizprompt', 'dialogoi', 'ptta', 'talktable'] as const)(
    'know every command of %s',
    async (tool) => {
      await using place = await Place.make();
      const { stdout: help } = await place.run(tool, ['--help']);
      const commands = [...help.matchAll(/^ {2}([a-z][\w:-]*)/gm)].map(([, name]) => name ?? '');
      for (const shell of ['bash', 'zsh', 'fish']) {
        const { code, stdout } = await place.run(tool, ['completion', shell]);
        expect(code).toBe(0);
        const missing = commands.filter(
          (name) => !stdout.includes(name) && !stdout.includes(name.replace(':', '\\:')),
        );
        expect([shell, missing]).toEqual([shell, []]);
      }
    },
  );
});
