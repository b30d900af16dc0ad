import { mark, type Scene, type Step } from './scene.ts';

/** Output of `seq 1 54000`. */
const COUNTED = Array.from({ length: 54_000 }, (_, at) => String(at + 1));

const WRITTEN = '最初の行\nsecond\tline\n三行目\n';

const edits: readonly Step[] = [
  {
    think: 'まずファイルを読むべきだ。',
    say: '読みます。',
    do: [{ kind: 'read', file: 'in.txt' }],
  },
  {
    say: '挨拶のファイルを作ります。',
    do: [{ kind: 'create', file: 'out.txt', text: WRITTEN }],
  },
  {
    say: '一行目を直します。',
    do: [{ kind: 'edit', file: 'out.txt', from: '最初の行', to: '最初の行（改）𠮷野家😀' }],
  },
  {
    say: '二行目も直します。',
    do: [{ kind: 'edit', file: 'out.txt', from: 'second\tline', to: '二行目\t$& $1' }],
  },
  {
    say: '元の挨拶も変えます。',
    do: [{ kind: 'edit', file: 'in.txt', from: 'hello', to: 'HELLO' }],
  },
  { say: '全部できました。' },
];

/** The scenes that every agent plays. */
export const SCENES: readonly Scene[] = [
  {
    name: 'talk',
    questions: [
      {
        start: 'new',
        prompt: '「灯台」の由来は？ 絵文字😀と𠮷も',
        steps: [{ think: '由来を思い出す。', say: '灯をともす台です。😀𠮷\n\n- タブ\tと$&' }],
      },
    ],
  },
  { name: 'edits', questions: [{ start: 'new', prompt: '挨拶ファイルを作って', steps: edits }] },
  {
    name: 'move',
    questions: [
      {
        start: 'new',
        prompt: '名前を変えて、要らないものは消して',
        steps: [
          {
            say: '作ります。',
            do: [{ kind: 'create', file: 'old.txt', text: '一\n二\n' }],
          },
          { say: '名前を変えます。', do: [{ kind: 'move', file: 'old.txt', to: 'new.txt' }] },
          { say: '中も直します。', do: [{ kind: 'edit', file: 'new.txt', from: '二', to: '三' }] },
          { say: '消します。', do: [{ kind: 'delete', file: 'in.txt' }] },
          { say: '済みました。' },
        ],
      },
    ],
  },
  {
    name: 'fail',
    questions: [
      {
        start: 'new',
        prompt: 'テストを走らせて',
        steps: [
          { do: [{ kind: 'run', command: 'echo 日本語の出力; exit 3', fails: true }] },
          { do: [{ kind: 'run', command: 'echo 二度目の出力' }] },
          { say: '一度失敗しました。' },
        ],
      },
    ],
    outputs: ['日本語の出力', '二度目の出力'],
  },
  {
    name: 'picture',
    questions: [
      {
        start: 'new',
        prompt: '絵を見て',
        steps: [{ do: [{ kind: 'look', file: 'pic.png' }] }, { say: '灰色の絵です。' }],
      },
    ],
  },
  {
    name: 'large',
    questions: [
      {
        start: 'new',
        prompt: '長い出力を出して',
        steps: [{ do: [{ kind: 'run', command: 'seq 1 54000' }] }, { say: '長かったです。' }],
      },
    ],
    outputs: COUNTED,
  },
  {
    name: 'delegate',
    questions: [
      {
        start: 'new',
        prompt: '子に調べさせて',
        steps: [
          {
            say: '子に頼みます。',
            do: [{ kind: 'delegate', task: `在庫を調べて ${mark('delegate', 'child')}` }],
          },
          { say: '子が調べました。' },
        ],
      },
    ],
    subagents: {
      child: [
        { say: '子が走ります。', do: [{ kind: 'run', command: 'echo 子の出力' }] },
        { say: '子が数えます。', do: [{ kind: 'run', command: 'seq 1 54000' }] },
        { say: '子が書きます。', do: [{ kind: 'create', file: 'child.txt', text: '子\n' }] },
        { say: '在庫は三つです。' },
      ],
    },
    outputs: ['子の出力', ...COUNTED],
  },
  {
    name: 'plan',
    questions: [
      {
        start: 'new',
        prompt: '計画を立てて',
        steps: [
          { say: '書き出します。', do: [{ kind: 'plan', items: ['灯台を測る', '灯台を塗る'] }] },
          { say: '計画ができました。' },
        ],
      },
    ],
  },
  {
    name: 'compact',
    questions: [
      { start: 'new', prompt: '縮める前の質問', steps: [{ say: '縮める前の答え' }] },
      {
        start: 'resume',
        prompt: '/compact',
        isCompaction: true,
        steps: [{ say: '縮めた話の要約' }],
      },
      { start: 'resume', prompt: '縮めた後の質問', steps: [{ say: '縮めた後の答え' }] },
    ],
  },
  {
    name: 'clear',
    questions: [
      { start: 'new', prompt: '消す前の質問', steps: [{ say: '消す前の答え' }] },
      { start: 'resume', prompt: '/clear', steps: [] },
      { start: 'resume', prompt: '消した後の質問', steps: [{ say: '消した後の答え' }] },
    ],
  },
  {
    name: 'resume',
    questions: [
      { start: 'new', prompt: '一つ目の質問', steps: [{ say: '一つ目の答え' }] },
      { start: 'resume', prompt: '二つ目の質問', steps: [{ say: '二つ目の答え' }] },
    ],
  },
  {
    name: 'recall',
    questions: [
      { start: 'new', prompt: '一度目の会話', steps: [{ say: '一度目の答え' }] },
      // Hooks give this one what was said before.
      { start: 'new', prompt: '二度目の会話', steps: [{ say: '二度目の答え' }] },
    ],
  },
  {
    name: 'continue',
    questions: [
      {
        start: 'new',
        prompt: '書いて',
        steps: [
          { say: '書きます。', do: [{ kind: 'create', file: 'note.txt', text: '一\n' }] },
          { say: '書きました。' },
        ],
      },
      {
        start: 'resume',
        prompt: '直して',
        steps: [
          { say: '読みます。', do: [{ kind: 'read', file: 'note.txt' }] },
          { say: '直します。', do: [{ kind: 'edit', file: 'note.txt', from: '一', to: '二' }] },
          { say: '直しました。' },
        ],
      },
    ],
  },
  {
    name: 'fork',
    questions: [
      { start: 'new', prompt: '分かれる前の質問', steps: [{ say: '分かれる前の答え' }] },
      { start: 'fork', prompt: '分かれた後の質問', steps: [{ say: '分かれた後の答え' }] },
      { start: 'resume', prompt: '元に戻った質問', steps: [{ say: '元に戻った答え' }] },
    ],
  },
  {
    name: 'subfolder',
    questions: [
      {
        start: 'new',
        folder: 'sub',
        prompt: '下のフォルダーから',
        steps: [
          { say: '直します。', do: [{ kind: 'edit', file: 'deep.txt', from: '深い', to: '浅い' }] },
          { say: '下で済みました。' },
        ],
      },
    ],
  },
  {
    name: 'worktree',
    questions: [
      {
        start: 'new',
        folder: '../worktree',
        prompt: '別の木から',
        steps: [
          { say: '作ります。', do: [{ kind: 'create', file: 'leaf.txt', text: '葉\n' }] },
          { say: '木で済みました。' },
        ],
      },
    ],
  },
  {
    name: 'kill',
    questions: [
      {
        start: 'new',
        prompt: '途中で切れる仕事',
        killAt: 1,
        steps: [
          { say: '始めます。', do: [{ kind: 'create', file: 'half.txt', text: '半分\n' }] },
          { say: '届かない。', delayMs: 60_000 },
        ],
      },
    ],
  },
  {
    name: 'both',
    atOnce: true,
    questions: [
      {
        start: 'new',
        prompt: '同時の一人目',
        steps: [{ do: [{ kind: 'create', file: 'a.txt', text: 'あ\n' }] }, { say: '一人目の答え' }],
      },
      {
        start: 'new',
        prompt: '同時の二人目',
        steps: [{ do: [{ kind: 'create', file: 'b.txt', text: 'い\n' }] }, { say: '二人目の答え' }],
      },
    ],
  },
];
