// The site: pages that site/stage.mjs wrote, in two languages, with a search that knows Japanese.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { slugOf } from '../../scripts/markdown.mjs';
import { japaneseBreaks } from '../japanese-breaks.mjs';
import { REPOSITORY } from '../pages.mjs';
import { termsOf } from '../terms.mjs';

const sidebar = JSON.parse(readFileSync(new URL('sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'VizPrompt SDK',
  description:
    'An SDK for apps that talk to language models and must not forget, lose or misquote what was said.',
  // The address of GitHub Pages ends with the name of the repository.
  base: process.env['SITE_BASE'] ?? '/vizprompt-sdk/',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  metaChunk: true,
  appearance: true,
  lastUpdated: false,
  markdown: {
    anchor: { slugify: slugOf },
    headers: { level: [2, 3] },
    config(md) {
      md.use(japaneseBreaks);
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, at, ...rest) =>
        tokens[at].info.trim() === 'mermaid'
          ? `<Mermaid code="${encodeURIComponent(tokens[at].content)}" />`
          : fence(tokens, at, ...rest);
      // Vue would take `{{ name }}` in code for a variable of the page.
      const inline = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (...args) =>
        inline(...args).replace(/^<code(?! v-pre)/, '<code v-pre');
    },
  },
  themeConfig: {
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    search: {
      provider: 'local',
      options: {
        // Of the reference the names alone, as its texts would make the index five times as large.
        _render: (text, env, md) =>
          md.render(
            env.relativePath.startsWith('reference/') ? text.replaceAll(/^(?!#).*$/gm, '') : text,
            env,
          ),
        miniSearch: {
          options: { tokenize: termsOf, processTerm: (term) => term },
          searchOptions: {
            combineWith: 'AND',
            // Terms of Japanese are whole; a Latin word may be half typed, or mistyped.
            prefix: (term) => /^[\w.-]{2,}$/.test(term),
            fuzzy: (term) => (/^[a-z]{5,}$/.test(term) ? 0.2 : false),
          },
        },
        locales: { ja: { translations: searchJa() } },
      },
    },
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        nav: [
          { text: 'Guides', link: '/guides/' },
          { text: 'Packages', link: '/which-package' },
          { text: 'Options', link: '/options/' },
          { text: 'Formats', link: '/formats/' },
          { text: 'Reference', link: '/reference/' },
          { text: 'Changelog', link: '/changelog/' },
        ],
        sidebar: sidebar.en,
      },
    },
    ja: {
      label: '日本語',
      lang: 'ja',
      description:
        '言語モデルと話すアプリのための SDK。話したことを忘れず、失わず、間違って引用しません。',
      themeConfig: {
        nav: [
          { text: 'ガイド', link: '/ja/guides/' },
          { text: 'パッケージ', link: '/ja/which-package' },
          { text: 'リファレンス（英語）', link: '/reference/' },
        ],
        sidebar: sidebar.ja,
        outline: { level: [2, 3], label: 'このページの内容' },
        docFooter: { prev: '前のページ', next: '次のページ' },
        darkModeSwitchLabel: '外観',
        lightModeSwitchTitle: '明るい表示にする',
        darkModeSwitchTitle: '暗い表示にする',
        sidebarMenuLabel: '目次',
        returnToTopLabel: '先頭へ',
        langMenuLabel: '言語',
      },
    },
  },
});

function searchJa() {
  return {
    button: { buttonText: '検索', buttonAriaLabel: '検索' },
    modal: {
      displayDetails: '本文を表示',
      resetButtonTitle: '消す',
      backButtonTitle: '閉じる',
      noResultsText: '見つかりません：',
      footer: {
        selectText: '開く',
        navigateText: '移動',
        closeText: '閉じる',
      },
    },
  };
}
