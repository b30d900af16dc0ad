const works: (() => Promise<void>)[] = [];

/** Runs `work` when all tests of this file are over; unlike `afterAll` it can be called within a test. */
export function afterFile(work: () => Promise<void>): void {
  works.push(work);
}

/** Runs what was registered, for the file that sets up each file. */
export async function finishFile(): Promise<void> {
  for (const work of works.splice(0)) await work();
}
