import { Limiter } from '../agents/limiter.ts';
import { ModelChooser } from '../agents/model-chooser.ts';
import type { WorkflowEngineOptions } from '../options.ts';
import type { EngineServices } from '../run/services.ts';

/** What the steps of an engine may use, as its options say. */
export function engineServices(options: WorkflowEngineOptions): EngineServices {
  const { clock, middleware = [] } = options;
  return {
    models: new ModelChooser(options.models, options.defaultModel),
    limiter: new Limiter(options.concurrency),
    prices: options.prices ?? {},
    middleware: typeof middleware === 'function' ? middleware : () => middleware,
    functions: options.functions ?? {},
    tools: new Map(options.tools?.map((tool) => [tool.name, tool])),
    retrievers: options.retrievers ?? {},
    activities: new Map(options.activities?.map((activity) => [activity.name, activity])),
    now: clock ? () => clock().getTime() : () => Date.now(),
  };
}
