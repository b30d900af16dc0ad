import { VISIBLE_HTML_STYLE } from '@vizprompt/providers';

/** The looks of the page; light or dark as the reader's system is. */
export const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--row:36px}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;font:15px/1.6 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif;height:100vh;height:100dvh;display:flex;flex-direction:column}
header{padding:.5rem 1rem;border-bottom:1px solid var(--line);display:flex;gap:.3rem 1rem;align-items:center;flex-wrap:wrap}
h1{font-size:1.1rem;margin:0;overflow-wrap:anywhere}header p{margin:0;opacity:.75;font-size:.85rem}
input{font:inherit;flex:1 1 12rem;max-width:24rem;padding:.2rem .5rem}
button{font:inherit}
main{flex:1;display:flex;min-height:0}
nav{flex:1 1 40%;overflow:auto;border-right:1px solid var(--line);position:relative}
article{flex:1 1 60%;overflow:auto;padding:0 1.2rem 2rem}
svg{position:absolute;top:0;left:0;pointer-events:none}
path{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}path.way{stroke:CanvasText;stroke-width:3}path.dot{stroke-width:12;stroke-linecap:round}
path.ring{stroke:CanvasText;stroke-width:17;stroke-linecap:round}
ol{list-style:none;margin:0;padding:0}
li{display:flex;height:var(--row);padding-left:var(--text,0);content-visibility:auto;contain-intrinsic-height:var(--row)}
li a{flex:1;min-width:0;line-height:var(--row);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;color:inherit;text-decoration:none;font-size:.9rem;padding:0 .4rem}
li.way a{font-weight:600}li a[aria-current]{background:var(--line)}li a:hover{background:var(--soft)}
li button{border:0;background:none;color:inherit;min-width:2.4rem;padding:0 .3rem;font-size:.8rem;cursor:pointer}
article h2{font-size:1.15rem;overflow-wrap:anywhere}article h3{font-size:.9rem;margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}
section{margin:1rem 0;padding:.6rem .9rem;border-left:3px solid var(--line)}
section.prompt{background:var(--soft)}
.facts{opacity:.75;font-size:.85rem}.tag{background:var(--soft);border-radius:.6rem;padding:0 .5rem;margin-right:.3rem}
${VISIBLE_HTML_STYLE}
:focus-visible{outline:2px solid Highlight;outline-offset:-2px}
@media(max-width:45rem){main{flex-direction:column}nav{flex:0 0 42%;border-right:0;border-bottom:1px solid var(--line)}article{flex:1 1 0;padding:0 .9rem 2rem}header{padding:.4rem .9rem}li{padding-left:calc(.55*var(--text))}}
`;
