import { describe, expect, it } from 'vitest';
import { defineWorkflow, lint } from '../../src/index.ts';
import { loadDefinitions } from '../../src/load/load-definitions.ts';
import { fileSchema } from '../../src/schema/file-schema.ts';

describe('a workflow in TypeScript', () => {
  it('is the same data as a file, with a name next to it', async () => {
    const definition = { steps: [{ id: 'a', type: 'sleep' as const, duration: 1 }] };
    const prompts = { draft: 'x' };
    const defined = defineWorkflow({ name: '猫', prompts, ...definition });
    expect(defined.name).toBe('猫');
    const file = { prompts, workflows: { 猫: definition } };
    expect(JSON.parse(JSON.stringify(defined))).toEqual(file);
    expect(fileSchema.safeParse(defined).success).toBe(true);
    expect(await loadDefinitions({ files: defined })).toEqual(
      await loadDefinitions({ files: file }),
    );
    expect(await lint(defined)).toEqual([]);
  });
});
