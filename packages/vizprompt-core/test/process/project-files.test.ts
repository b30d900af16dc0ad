import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testProject } from '../support/open-project.ts';

const run = promisify(execFile);

it('of the files of a project, git sees nodes, flows, maps, metadata and a config, and no cache', async () => {
  const { vizprompt, folder } = await testProject();
  await vizprompt.createNode({ prompt: 'a', tags: ['タグ'] });
  await vizprompt.close();
  await run('git', ['init', '-q'], { cwd: folder });
  const { stdout } = await run('git', ['status', '--porcelain', '-uall'], { cwd: folder });
  expect(stdout.match(/\S+$/gm)).toEqual([
    'config.yaml',
    'flows/00/00.yaml',
    'metadata/flow_map.tsv',
    'metadata/index.yaml',
    'metadata/node_map.tsv',
    'metadata/tags.yaml',
    'nodes/00/00.xml',
  ]);
});
