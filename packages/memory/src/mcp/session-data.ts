import type { SessionInfo } from '../model/session.ts';

/** A session as tools give it. */
export function sessionData(session: SessionInfo): Readonly<Record<string, unknown>> {
  return {
    session_id: session.id,
    workspace: session.workspace_path,
    started_at: session.started_at,
    ended_at: session.ended_at,
    event_count: session.event_count,
    metadata: session.metadata,
    ...(session.damaged === undefined ? {} : { damaged: session.damaged }),
  };
}

/** A session in a line. */
export function sessionLine({
  id,
  workspace_path: workspace,
  started_at: started,
  ended_at: ended,
  event_count: count,
  metadata: { branch, tags },
}: SessionInfo): string {
  const facts = [
    `${count} events`,
    ended === null ? 'running' : `ended ${ended}`,
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(tags === undefined || tags.length === 0 ? [] : [tags.join(', ')]),
  ];
  return `Session ${id} in ${workspace}, started ${started} (${facts.join('; ')})`;
}
