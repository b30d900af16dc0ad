import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { databaseOf } from './open-project.ts';

/** Starts a program that edits a project, for some rounds or without end. */
export function startEditor(folder: string, rounds: string = 'Infinity'): ChildProcess {
  const path = fileURLToPath(new URL('../children/edit-structure.mjs', import.meta.url));
  const database = databaseOf(folder);
  const args = [folder, rounds, ...(database ? [JSON.stringify(database)] : [])];
  return fork(path, args, { execArgv: [] });
}
