import { join } from 'node:path';
import type { Agent } from './programs/agent.ts';
import { FILES, mark, type Action, type Scene, type Step } from './scene.ts';

/** Something that the memory must hold, once. */
export type Fact =
  | { readonly kind: 'assistant' | 'thinking' | 'user'; readonly text: string }
  | {
      readonly kind: 'edit';
      readonly action: 'create' | 'delete' | 'edit';
      readonly path: string;
      readonly before: string | undefined;
      readonly after: string | undefined;
    }
  /** A call whose parameters have some text. */
  | { readonly kind: 'call'; readonly has: string; readonly succeeds: boolean }
  /** A summary of the conversation that has some text. */
  | { readonly kind: 'summary'; readonly has: string };

/** Returns what was said and done in a scene. */
export function expectedFacts(agent: Agent, scene: Scene, workspace: string): readonly Fact[] {
  const files = new Map(Object.entries(FILES).map(([name, text]) => [join(workspace, name), text]));
  const facts: Fact[] = [];
  for (const [at, question] of scene.questions.entries()) {
    const { prompt, steps, folder = '.', killAt, isCompaction = false } = question;
    const cwd = join(workspace, folder);
    const asked = markedPrompt(scene, at, prompt);
    facts.push({ kind: 'user', text: agent.hears?.(asked) ?? asked });
    if (isCompaction) {
      facts.push(...steps.map(({ say = '' }) => ({ kind: 'summary', has: say }) as const));
      continue;
    }
    facts.push(...said(agent, { scene, cwd, files }, steps.slice(0, killAt)));
  }
  return facts;
}

/** Returns a prompt with its mark. */
export function markedPrompt(scene: Scene, question: number, prompt: string): string {
  return `${prompt} ${mark(scene.name, question)}`;
}

interface Doing {
  readonly scene: Scene;
  readonly cwd: string;
  readonly files: Map<string, string>;
}

function said(agent: Agent, doing: Doing, steps: readonly Step[]): readonly Fact[] {
  return steps.flatMap(({ think, say, do: actions = [] }): readonly Fact[] => [
    ...(think === undefined || !agent.thinks ? [] : [{ kind: 'thinking', text: think } as const]),
    ...(say === undefined ? [] : [{ kind: 'assistant', text: say } as const]),
    ...actions.flatMap((action) => done(agent, doing, action)),
  ]);
}

function done(agent: Agent, doing: Doing, action: Action): readonly Fact[] {
  const { scene, cwd, files } = doing;
  const path = 'file' in action ? join(cwd, action.file) : '';
  const before = files.get(path);
  const call = (has: string, succeeds = true): Fact => ({ kind: 'call', has, succeeds });
  const isOwn = agent.fileActions.has(action.kind);
  switch (action.kind) {
    case 'read':
    case 'look':
      return [call(action.file)];
    case 'run':
      return [call(action.command, action.fails !== true)];
    case 'plan':
      return [call(action.items[0] ?? '')];
    case 'delegate': {
      const [name] = Object.keys(scene.subagents ?? {});
      const steps = name === undefined ? [] : (scene.subagents?.[name] ?? []);
      // Tasks are given by an agent: its user has not said them.
      const task = { kind: 'assistant', text: action.task } as const;
      return [call(action.task), ...(agent.tellsTask ? [task] : []), ...said(agent, doing, steps)];
    }
    case 'create':
      files.set(path, action.text);
      return [{ kind: 'edit', action: 'create', path, before: undefined, after: action.text }];
    case 'edit': {
      const after = before?.replace(action.from, () => action.to);
      if (after !== undefined) files.set(path, after);
      return [{ kind: 'edit', action: 'edit', path, before, after }];
    }
    case 'move':
      files.delete(path);
      if (before !== undefined) files.set(join(cwd, action.to), before);
      if (!isOwn) return [call(`mv ${action.file} ${action.to}`)];
      return [
        { kind: 'edit', action: 'delete', path, before, after: undefined },
        {
          kind: 'edit',
          action: 'create',
          path: join(cwd, action.to),
          before: undefined,
          after: before,
        },
      ];
    default:
      files.delete(path);
      if (!isOwn) return [call(`rm ${action.file}`)];
      return [{ kind: 'edit', action: 'delete', path, before, after: undefined }];
  }
}
