export default {
  forbidden: [
    {
      name: 'no-circular-files',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      from: {},
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
