import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, noise, round, type Figures } from '../figures.ts';
import { timed } from '../timed.ts';

const ROUNDS = 41;
const BIN = fileURLToPath(new URL('../../packages/cli/dist/bin/ptta.cjs', import.meta.url));

/** Calls of hooks: one that is left, one that ends a turn, and one that is answered. */
const CALLS = {
  hook: 'PostToolUse',
  hook_end: 'Stop',
  hook_start: 'SessionStart',
} as const;

/** Returns how long an agent waits for its hooks, each next to an empty process of Node. */
export async function benchHooks(log: (line: string) => void): Promise<Figures> {
  const home = await mkdtemp(join(tmpdir(), 'vizprompt-bench-hooks-'));
  const figures: Record<string, number> = {};
  try {
    const empty = join(home, 'empty.cjs');
    await writeFile(empty, '');
    for (const [name, event] of Object.entries(CALLS)) {
      const input = JSON.stringify({
        hook_event_name: event,
        session_id: 'bench',
        cwd: home,
        tool_name: 'Bash',
        tool_use_id: 'toolu_1',
        tool_input: { command: 'npm test' },
        tool_response: { stdout: 'ok\n'.repeat(200) },
        last_assistant_message: 'Done.',
      });
      const pairs: { readonly bare: number; readonly hook: number }[] = [];
      for (let at = -2; at < ROUNDS; at++) {
        if (at % 10 === 0) log(`${event} ${at + 1} of ${ROUNDS} ...`);
        const bare = await timed(home, [empty]);
        const hook = await timed(home, [BIN, 'hook'], input);
        // The first ones fill the caches of the system.
        if (at >= 0) pairs.push({ bare, hook });
        // What a hook has started in the background would be measured with the next.
        if (event === 'Stop') await timed(home, [BIN, 'hooks:ingest']);
      }
      figures[`${name}_ratio`] = round(median(pairs.map(({ bare, hook }) => hook / bare)));
      figures[`${name}_p50_ms`] = round(median(pairs.map(({ hook }) => hook)));
      if (name !== 'hook') continue;
      figures['hook_empty_node_p50_ms'] = round(median(pairs.map(({ bare }) => bare)));
      figures['hook_noise'] = round(noise(pairs.map(({ hook }) => hook)));
    }
    return figures;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
