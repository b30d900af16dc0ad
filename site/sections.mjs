// The sections of the site in each language, and its home pages.

const PACKAGES = ['core', 'providers', 'rag', 'memory', 'workflow', 'talktable', 'cli'];

/** A section has the pages of a folder, in the order of its index page, or those that are named. */
export const SECTIONS = {
  en: [
    {
      text: 'Start',
      pages: ['which-package', 'whats-new', 'comparison', 'faq', 'documentation'],
      collapsed: false,
    },
    { text: 'Guides', folder: 'guides', collapsed: false },
    { text: 'Coming from', folder: 'coming-from', collapsed: false },
    { text: 'Packages', pages: PACKAGES.map((name) => `packages/${name}`), collapsed: false },
    { text: 'Options', folder: 'options' },
    { text: 'Formats and protocols', folder: 'formats' },
    { text: 'Examples', folder: 'examples' },
    { text: 'Extending', folder: 'extending' },
    {
      text: 'Promises',
      pages: [
        'durability',
        'security',
        'deleting',
        'backup',
        'redaction',
        'limits',
        'performance',
        'sharing',
        'versioning',
        'server-forms',
        'agents-tested',
      ],
    },
    { text: 'Decisions', folder: 'decisions' },
    {
      text: 'Project',
      pages: ['architecture', 'roadmap', 'support', 'project/contributing', 'project/security'],
    },
    { text: 'Changelog', folder: 'changelog' },
    { text: 'Reference', folder: 'reference' },
  ],
  ja: [
    {
      text: 'はじめに',
      pages: ['ja/which-package', 'ja/whats-new', 'ja/comparison', 'ja/faq'],
      collapsed: false,
    },
    { text: 'ガイド', folder: 'ja/guides', collapsed: false },
    { text: '乗り換え', folder: 'ja/coming-from', collapsed: false },
    { text: 'パッケージ', pages: PACKAGES.map((name) => `ja/packages/${name}`), collapsed: false },
    { text: 'オプション', folder: 'ja/options' },
    { text: '形式', folder: 'ja/formats' },
    { text: '運用', pages: ['ja/backup', 'ja/deleting'] },
    { text: 'プロジェクト', pages: ['ja/roadmap', 'ja/support'] },
  ],
};

const HOMES = {
  index: {
    tagline:
      'An SDK for apps that talk to language models and must not forget, lose or misquote what was said.',
    actions: [
      ['Guides', '/guides/'],
      ['Which package do I need?', '/which-package'],
    ],
  },
  'ja/index': {
    tagline:
      '言語モデルと話すアプリのための SDK。話したことを忘れず、失わず、間違って引用しません。',
    actions: [
      ['ガイド', '/ja/guides/'],
      ['どのパッケージが要るか', '/ja/which-package'],
    ],
  },
};

/** Returns the front matter of a home page. */
export function homeOf(route) {
  const { tagline, actions } = HOMES[route];
  const hero = {
    name: 'VizPrompt SDK',
    tagline,
    actions: actions.map(([text, link], at) => ({ theme: at === 0 ? 'brand' : 'alt', text, link })),
  };
  return `---\nlayout: home\nhero: ${JSON.stringify(hero)}\n---\n\n`;
}
