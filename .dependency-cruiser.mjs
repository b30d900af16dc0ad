/**
 * The packages whose files and folders form layers: no circle of files and none of folders, types included.
 * A package that gets there is added here, and to the override of `import/no-cycle` in .oxlintrc.json.
 */
export const LAYERED = ['cli', 'talktable', 'rag', 'workflow', 'memory', 'vizprompt-core', 'providers'];

const inLayered = { path: `^packages/(?:${LAYERED.join('|')})/src/` };

export default {
  forbidden: [
    {
      name: 'no-circular-files',
      comment:
        'Files import each other in a circle, types included: move what both need to its owner.',
      severity: 'error',
      from: inLayered,
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment:
        'Folders are layers: what the lower one needs of the upper one belongs into the lower one.',
      severity: 'error',
      scope: 'folder',
      from: inLayered,
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    includeOnly: '^packages/[^/]+/src',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['vizprompt-source', 'import', 'node', 'types'],
    },
  },
};
