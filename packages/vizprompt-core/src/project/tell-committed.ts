import type { Committed } from './commit.ts';
import type { Project } from './project.ts';

/** Emits what was written, now that it is durable. */
export function tellCommitted({ events }: Project, committed: Committed): void {
  for (const node of committed.newNodes) events.emit('node:created', { node });
  for (const node of committed.changedNodes) events.emit('node:updated', { node });
  for (const flow of committed.newFlows) events.emit('flow:created', { flow });
  for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
}
