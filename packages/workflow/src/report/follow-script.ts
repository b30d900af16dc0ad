/**
 * Script of a page that follows its run: it reads the events next to the page, shows what agents say as it comes, fetches
 * the page again when a step ends, and sends answers.
 */
export const FOLLOW_SCRIPT: string = `
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
