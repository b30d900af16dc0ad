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
