import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The commits are those of the program: they need no name of its user, and no key to sign with. */
const SETTINGS = ['user.name=branching-chat', 'user.email=chat@localhost', 'commit.gpgsign=false'];

/**
 * Shows what a chat has changed in the files of its project, as git sees it, and commits it: the next chat then shows
 * its own changes.
 */
export async function showChanges(folder: string): Promise<void> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
    const { stdout } = await execute('git', [...settings, ...args], { cwd: folder });
    return stdout;
  };
  await git('init', '--quiet');
  await git('add', '--all');
  const changes = await git('diff', '--cached', '--stat');
  if (changes === '') return console.log('Nothing was said that git would have to know.');
  console.log(`Changes that git sees in ${folder}:\n${changes}`);
  console.log(await git('diff', '--cached', '--unified=0', '--', 'flows'));
  await git('commit', '--quiet', '--no-verify', '--message', 'Save the conversation');
}
