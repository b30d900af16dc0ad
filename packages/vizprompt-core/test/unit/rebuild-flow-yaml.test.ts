import { expect, it } from 'vitest';
import { rebuildFlowYaml } from '../../src/doctor/rebuild-flow-yaml.ts';

it('a source is an end of a connection within the connections alone', () => {
  const text =
    'id: a\nsource: 12\nconnections:\n  - source: 1\n    target: 2\nnodes:\n  source: 5\n';
  const rebuilt = rebuildFlowYaml(text);
  expect(rebuilt).toContain('source: 12\n');
  expect(rebuilt).toContain('  - from: 1\n    to: 2\n');
  expect(rebuilt).not.toContain('from: 5');
});

it.each([
  ['', 'source: 12'],
  ['', 'head: x\nsource: 12'],
  ['  ', 'source: 12'],
])('a source without indent after the connections is that of the flow: %j %j', (pad, after) => {
  const text = `id: a\nconnections:\n${pad}- source: 1\n${pad}  target: 2\n${after}\n`;
  const rebuilt = rebuildFlowYaml(text);
  expect(rebuilt).toContain('  - from: 1\n    to: 2\n');
  expect(rebuilt).not.toContain('from: 12');
});

it.each([
  'source: 1\ntarget: 2\nsource: 2\ntarget: 3',
  'source: 1\n  target: 2\nsource: 2\n  target: 3',
  '  source: 1\n  target: 2\nsource: 2\ntarget: 3',
])('a source without indent is an end where a target is after it: %j', (entries) => {
  const rebuilt = rebuildFlowYaml(`id: a\nconnections:\n${entries}\n`);
  expect(rebuilt).toContain('  - from: 1\n    to: 2\n  - from: 2\n    to: 3\n');
});

it('a source of the flow after a list without connections is none', () => {
  const rebuilt = rebuildFlowYaml('id: a\nconnections:\nsource: 12\nname: n\n');
  expect(rebuilt).not.toContain('from:');
});
