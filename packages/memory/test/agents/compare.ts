import type { MemoryEvent, MemoryStore } from '@vizprompt/memory';
import type { Fact } from './expected.ts';
import { linesOf } from './server/said-results.ts';

/**
 * Returns the problems of a memory, one a line; none if it is right.
 *
 * @param options.outputs - Lines of outputs that it must have.
 */
export async function problemsOf(
  store: MemoryStore,
  expected: readonly Fact[],
  {
    workspace,
    outputs = [],
  }: { readonly workspace: string; readonly outputs?: readonly string[] | undefined },
): Promise<readonly string[]> {
  const sessions = await store.listSessions({ limit: 1000 });
  const here = await store.listSessions({ workspace, limit: 1000 });
  const events: MemoryEvent[] = [];
  for (const { id } of sessions) for await (const event of store.events(id)) events.push(event);
  const left = new Set(events);
  const missing = expected.filter((fact) => {
    const told = [...left].filter((event) => isTold(event, fact));
    // Code that calls a tool has the words of the call, too.
    const found = told.find((event) => !isAllowed(event)) ?? told[0];
    if (found) left.delete(found);
    return found === undefined;
  });
  const extra = [...left].filter((event) => !isAllowed(event));
  const all = JSON.stringify(events.map(({ data }) => data));
  const lines = new Set(linesOf(all));
  const lost = outputs.filter((line) => !lines.has(line));
  const elsewhere = sessions.filter(({ id }) => !here.some((one) => one.id === id));
  return [
    ...missing.map((fact) => `missing: ${shown(fact)}`),
    ...extra.map((event) => `extra: ${event.type} ${JSON.stringify(event.data).slice(0, 160)}`),
    ...(lost.length > 0
      ? [`${lost.length} lines of outputs, from '${lost[0]}' to '${lost.at(-1)}'`]
      : []),
    ...elsewhere.map((session) => `in another workspace: ${session.workspace_path}`),
    ...(/[A-Za-z0-9+/]{2000}/.test(all) ? ['bytes of a picture'] : []),
  ];
}

/** Checks whether an event matches a fact. */
function isTold({ type, data, meta }: MemoryEvent, fact: Fact): boolean {
  if (fact.kind === 'summary') {
    const isSummary = meta?.['is_compact_summary'] === true;
    return isSummary && 'content' in data && data.content.includes(fact.has);
  }
  if (fact.kind === 'call') {
    if (type !== 'tool_use' || !('parameters' in data)) return false;
    if ((data.success !== false) !== fact.succeeds) return false;
    const text = JSON.stringify(data.parameters);
    return text.includes(JSON.stringify(fact.has).slice(1, -1));
  }
  if (fact.kind === 'edit') {
    return (
      type === 'file_edit' &&
      'success' in data &&
      data.success &&
      data.action === fact.action &&
      data.file_path === fact.path &&
      data.old_content === fact.before &&
      data.new_content === fact.after
    );
  }
  const types = { user: 'user_message', assistant: 'assistant_message', thinking: 'thinking' };
  return type === types[fact.kind] && 'content' in data && data.content.trim() === fact.text;
}

/** Checks whether an event may be extra: intentions belong to their edits, and code calls other tools. */
function isAllowed({ type, data }: MemoryEvent): boolean {
  if (type === 'code_intention') return true;
  // These tools belong to the agent itself, and some repeat the answer of a subagent.
  const own = new Set(['exec', 'complete_task', 'wait_agent', 'wait', 'report_intent']);
  return type === 'tool_use' && 'tool' in data && own.has(data.tool);
}

function shown(fact: Fact): string {
  return JSON.stringify(fact).slice(0, 200);
}
