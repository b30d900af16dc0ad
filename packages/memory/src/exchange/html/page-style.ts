import { VISIBLE_HTML_STYLE } from '@vizprompt/providers/internal';

/** The looks of the page; light or dark as the reader's system is. */
export const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--user:#2f6fd033;--assistant:#15803d33;--added:#15803d33;--removed:#be123c33}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;font:15px/1.6 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif}
body>header{position:sticky;top:0;z-index:1;background:Canvas;padding:.5rem 1rem;border-bottom:1px solid var(--line);display:flex;gap:.3rem 1rem;align-items:center;flex-wrap:wrap}
h1{font-size:1.1rem;margin:0;overflow-wrap:anywhere}h2{font-size:1rem;margin:2rem 0 0;overflow-wrap:anywhere}h3{font-size:.85rem;margin:.5rem 0 0}
body>header p{margin:0;opacity:.75;font-size:.85rem}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:0 .8rem;font-size:.85rem}legend{position:absolute;clip-path:inset(50%)}
input,button{font:inherit}input[type=search]{flex:1 1 10rem;max-width:22rem;padding:.1rem .5rem}
main{max-width:78rem;margin:0 auto;padding:0 1rem 4rem}
article{margin:.6rem 0;padding:.4rem .8rem;border-radius:.7rem;background:var(--soft);content-visibility:auto;contain-intrinsic-size:auto 4rem;scroll-margin-top:6rem;min-width:0}
article:target{outline:2px solid Highlight}
article>header{font-size:.8rem;opacity:.75}article>header a{color:inherit}
.user_message{margin-right:18%;background:var(--user)}
.assistant_message{margin-left:18%;background:var(--assistant)}
.thinking,.tool_use,.forgotten{background:none;border:1px solid var(--line);padding:.2rem .8rem}
.change{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,5fr);gap:0 1rem}
.change>:only-child,.change>[hidden]+*{grid-column:1/-1}
.failed{outline:1px solid #be123c}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.2rem 0}
pre.code,pre.diff{font:13px/1.45 ui-monospace,"SF Mono",Consolas,"Noto Sans Mono CJK JP",monospace;tab-size:4;max-height:40rem;overflow:auto}
.diff span{display:block}.diff .add{background:var(--added)}.diff .remove{background:var(--removed)}.diff .hunk{opacity:.6}
summary{cursor:pointer;overflow-wrap:anywhere}
.facts{opacity:.75;font-size:.85rem;margin:0}.tag{background:var(--soft);border-radius:.6rem;padding:0 .5rem;margin-right:.3rem}
${VISIBLE_HTML_STYLE}
:focus-visible{outline:2px solid Highlight}
@media(max-width:45rem){.change{grid-template-columns:minmax(0,1fr)}.user_message{margin-right:5%}.assistant_message{margin-left:5%}main{padding:0 .6rem 3rem}article{scroll-margin-top:12rem}}
@media print{body>header{position:static}pre.code,pre.diff{max-height:none}article{content-visibility:visible}}
`;
