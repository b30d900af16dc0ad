import type { CommandGroup } from '../../frame/tool.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** `vizprompt workflow ...`. */
export const workflow: CommandGroup<VizpromptMessages> = {
  name: 'workflow',
  commands: [
    { name: 'run', load: () => import('./commands/run.ts') },
    { name: 'resume', load: () => import('./commands/resume.ts') },
    { name: 'answer', load: () => import('./commands/answer.ts') },
    { name: 'list', load: () => import('./commands/list.ts') },
    { name: 'show', load: () => import('./commands/show.ts') },
    { name: 'lint', load: () => import('./commands/lint.ts') },
    { name: 'dry-run', load: () => import('./commands/dry-run.ts') },
    { name: 'evaluate', load: () => import('./commands/evaluate.ts') },
    { name: 'draw', load: () => import('./commands/draw.ts') },
    { name: 'serve', load: () => import('./commands/serve.ts') },
    { name: 'worker', load: () => import('./commands/worker.ts') },
  ],
};
