import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue, Usage } from '@vizprompt/providers';
import {
  escapeHtml,
  VISIBLE_HTML_STYLE,
  visibleHtml,
  visibleText,
} from '@vizprompt/providers/internal';

/** A piece of work on the timeline. */
export interface PageStep {
  readonly path: string;
  /** Such as `agent_interaction`, or the tool that an agent called. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The prompt or the named inputs; absent where it is not known. */
  readonly input?: string;
  readonly output: JsonValue;
  readonly error?: string;
  readonly model?: string;
  readonly usage: Usage;
  readonly costUsd?: number;
}

/** A question that is open. */
interface PageQuestion {
  readonly path: string;
  readonly question: string;
  readonly schema?: JsonObject;
}

/** All that a page shows of a run. */
export interface RunPage {
  readonly id: string;
  readonly workflow: string;
  readonly status: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly input: JsonValue;
  readonly output?: JsonValue;
  readonly error?: string;
  readonly variables: JsonObject;
  readonly steps: readonly PageStep[];
  readonly waiting: readonly PageQuestion[];
  readonly usage: Usage;
  readonly costUsd?: number;
  /** The address of its events, relative to the page: the page follows the run, and answers its questions. */
  readonly follow?: string;
}

/**
 * Returns a run as one HTML file: its timeline, with what each step was given, what it gave and what it cost. The file
 * loads nothing and works from `file://`; one that follows its run reads the events next to it.
 */
export function runHtml(page: RunPage): string {
  const { id, workflow, status, startedAt, endedAt, follow } = page;
  const isFollowing = follow !== undefined && endedAt === undefined;
  const script = isFollowing ? `<script>${FOLLOW_SCRIPT}</script>` : '';
  const hash = createHash('sha256').update(FOLLOW_SCRIPT).digest('base64');
  const more = isFollowing ? `; script-src 'sha256-${hash}'; connect-src 'self'` : '';
  const facts = [status, spanText(startedAt, endedAt), costText(page)].filter(Boolean);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${more}">
<title>${escapeHtml(visibleText(`${workflow} · ${status}`))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body data-follow="${escapeHtml(follow ?? '')}">
<main>
<header class="${escapeHtml(status)}"><h1 dir="auto">${visibleHtml(workflow)}</h1>
<p>${visibleHtml(facts.join(' · '))}</p><p><code>${visibleHtml(id)}</code> · ${escapeHtml(startedAt)}</p></header>
${page.error === undefined ? '' : `<p class="error" dir="auto">${visibleHtml(page.error)}</p>`}
${page.waiting.map((one) => questionHtml(one, isFollowing)).join('\n')}
${block('Input', page.input)}
${page.output === undefined ? '' : block('Output', page.output)}
<h2>Timeline</h2>
<ol>
${timeline(page)}
</ol>
${block('Variables', page.variables, true)}
</main>
<pre id="live" dir="auto" aria-live="polite"></pre>
${script}
</body>
</html>
`;
}

function timeline({ steps, startedAt, endedAt }: RunPage): string {
  const from = Date.parse(startedAt);
  const to = Math.max(...steps.map((step) => step.endedAt), endedAt ? Date.parse(endedAt) : from);
  const whole = Math.max(1, to - from);
  return steps
    .toSorted((a, b) => a.startedAt - b.startedAt || a.endedAt - b.endedAt)
    .map((step) => stepHtml(step, from, whole))
    .join('\n');
}

function stepHtml(step: PageStep, from: number, whole: number): string {
  const { path, type, model, error, input, output } = step;
  const left = percent((step.startedAt - from) / whole);
  const width = percent((step.endedAt - step.startedAt) / whole);
  const took = `${((step.endedAt - step.startedAt) / 1000).toFixed(2)} s`;
  const facts = [type, model, took, costText(step)].filter(Boolean).join(' · ');
  const bar = `<span class="bar"><i style="margin-left:${left}%;width:${width}%"></i></span>`;
  return `<li class="${error === undefined ? 'done' : 'failed'}"><details><summary><b dir="auto">${visibleHtml(path)}</b> <small>${visibleHtml(facts)}</small>${bar}</summary>
${input === undefined ? '' : textBlock('Input', input)}${error === undefined ? block('Output', output) : textBlock('Error', error)}</details></li>`;
}

function percent(part: number): string {
  return (Math.min(1, Math.max(0, part)) * 100).toFixed(2);
}

function questionHtml({ path, question, schema }: PageQuestion, canAnswer: boolean): string {
  const form = canAnswer ? answerForm(path, schema) : '';
  return `<section class="question"><p dir="auto">${visibleHtml(question)}</p><p><code>${visibleHtml(path)}</code></p>${form}</section>`;
}

/** Buttons for what is approved or not, and a field for every other answer. */
function answerForm(path: string, schema: JsonObject | undefined): string {
  const place = escapeHtml(path);
  const isApproval = JSON.stringify(schema ?? {}).includes('"approve"');
  const fields =
    isApproval || schema?.['type'] === 'boolean'
      ? '<button value="true">Yes</button> <button value="false">No</button>'
      : '<textarea rows="3" aria-label="answer"></textarea> <button>Send</button>';
  return `<form data-path="${place}">${fields}<output></output></form>`;
}

function block(title: string, value: JsonValue, isFolded = false): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (!isFolded) return textBlock(title, text);
  return `<details><summary>${title}</summary><pre dir="auto">${visibleHtml(text)}</pre></details>`;
}

function textBlock(title: string, text: string): string {
  return `<h3>${title}</h3><pre dir="auto">${visibleHtml(text)}</pre>`;
}

function spanText(startedAt: string, endedAt: string | undefined): string {
  if (endedAt === undefined) return '';
  return `${((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
}

function costText({ usage, costUsd }: Pick<RunPage, 'usage' | 'costUsd'>): string {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const tokens = inputTokens + outputTokens;
  const counts = tokens === 0 ? [] : [`${tokens.toLocaleString('en-US')} tokens`];
  const dollars = costUsd === undefined ? [] : [`$${costUsd.toPrecision(3)}`];
  return [...counts, ...dollars].join(' · ');
}

/** The looks of the page; light or dark as the reader's system is. */
const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--done:#15803d;--failed:#be123c;--running:#2f6fd0}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:0 1rem 3rem;font:16px/1.6 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif}
header{border-left:.4rem solid var(--running);padding:.2rem 1rem;margin:1rem 0}
header.done{border-color:var(--done)}header.failed,header.cancelled{border-color:var(--failed)}
h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.1rem}h3{font-size:.85rem;margin:.6rem 0 .2rem;opacity:.7}
header p{margin:0;font-size:.9rem;opacity:.8;overflow-wrap:anywhere}
ol{list-style:none;margin:0;padding:0}li{border-top:1px solid var(--line);padding:.3rem 0}
summary{cursor:pointer;overflow-wrap:anywhere}small{opacity:.7}
.bar{display:block;height:.4rem;background:var(--soft);margin:.2rem 0}
.bar i{display:block;height:100%;min-width:2px;background:var(--done)}.failed .bar i{background:var(--failed)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:.6rem;margin:0;max-height:30rem;overflow:auto}
#live:empty{display:none}
.error{color:var(--failed)}.question{border:2px solid var(--running);padding:.2rem 1rem;margin:1rem 0}
textarea{width:100%;font:inherit}
${VISIBLE_HTML_STYLE}
@media print{li{break-inside:avoid}}
`;

/**
 * Script of a page that follows its run: it reads the events next to the page, shows what agents say as it comes, fetches
 * the page again when a step ends, and sends answers.
 */
const FOLLOW_SCRIPT: string = `
const live=document.getElementById('live');
let timer;
const load=()=>{clearTimeout(timer);timer=setTimeout(async()=>{
  const text=await (await fetch(location.href)).text();
  const next=new DOMParser().parseFromString(text,'text/html').querySelector('main');
  const open=new Set([...document.querySelectorAll('li details[open] b')].map(b=>b.textContent));
  for(const b of next.querySelectorAll('li b'))if(open.has(b.textContent))b.closest('details').open=true;
  if(!document.activeElement?.closest('form'))document.querySelector('main').replaceWith(next);
},150)};
const events=new EventSource(document.body.dataset.follow);
events.addEventListener('step:delta',e=>{const d=JSON.parse(e.data);
  if(live.dataset.path!==d.path){live.dataset.path=d.path;live.textContent=d.path+'\\n'}
  live.textContent+=d.text});
for(const name of ['step:started','step:ended','step:failed','step:waiting','step:answered','tool:ended'])
  events.addEventListener(name,()=>{live.textContent='';load()});
events.addEventListener('run:ended',()=>{events.close();live.textContent='';document.activeElement?.blur();load()});
document.addEventListener('submit',async e=>{
  const form=e.target;e.preventDefault();
  const field=form.querySelector('textarea');
  let value=field?field.value:e.submitter.value==='true';
  if(field){try{value=JSON.parse(value)}catch{}}
  const answer=await fetch('answer',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({path:form.dataset.path,value})});
  form.querySelector('output').textContent=answer.ok?'':(await answer.json()).detail;
  document.activeElement?.blur();load();
});
`;
