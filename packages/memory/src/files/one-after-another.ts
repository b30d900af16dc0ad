/** What was asked for last, by the name of what it is done to. */
const last = new Map<string, Promise<unknown>>();

/** Runs a task when all earlier ones of the same name have ended, however they ended, in this process. */
export async function oneAfterAnother<T>(name: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const turn = before.then(task);
  const end = turn.catch(() => undefined);
  last.set(name, end);
  try {
    return await turn;
  } finally {
    if (last.get(name) === end) last.delete(name);
  }
}
