import { VISIBLE_HTML_STYLE } from '@vizprompt/providers';

/** The looks of the page; light or dark as the reader's system is. */
export const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:0 1rem 3rem;font:16px/1.7 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif}
header{border-bottom:1px solid var(--line);padding:1rem 0}
h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}
header ul{list-style:none;margin:.6rem 0;padding:0;font-size:.9rem}
header li{border-left:.4rem solid var(--speaker);padding-left:.6rem;margin:.2rem 0}
header p,small{opacity:.7;font-size:.8rem;font-weight:400;margin:0}
article{margin:1.2rem 0;padding:.2rem 0 .2rem .9rem;border-left:.25rem solid var(--speaker)}
article.moderator{background:var(--soft)}
article.said{border-left-style:dotted}
h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
h2 bdi{border-bottom:.12rem solid var(--speaker)}
h2 a{color:inherit;opacity:.6;text-decoration:none}
div{white-space:pre-wrap;overflow-wrap:anywhere}
.note{font-size:.85rem;font-style:italic;opacity:.8;margin:0}
article:target{outline:2px solid Highlight;outline-offset:.2rem}
${VISIBLE_HTML_STYLE}
@media print{article{break-inside:avoid}}
`;
