// A run's page while the run goes on: puts what the server rendered in place of what is there.
const root = document.querySelector('[data-live]');
const steps = document.getElementById('steps');
const policy = globalThis.trustedTypes?.createPolicy('mesh', {createHTML: html => html}) ?? {createHTML: html => html};

function element(html) {
  const template = document.createElement('template');
  template.innerHTML = policy.createHTML(html);
  return template.content.firstElementChild;
}

/** Folds stay as the reader left them, and so does the focus. */
function replace(old, next) {
  const before = old.querySelectorAll('details');
  next.querySelectorAll('details').forEach((it, i) => { if (before[i]) it.open = before[i].open; });
  const stops = 'summary, a, button';
  const focused = [...old.querySelectorAll(stops)].indexOf(document.activeElement);
  old.replaceWith(next);
  next.querySelectorAll(stops)[focused]?.focus({preventScroll: true});
}

function put(next) {
  const old = document.getElementById(next.id);
  if (old?.dataset.version === next.dataset.version) return;
  if (old) replace(old, next);
  else steps.append(next);
}

const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - 80;

if (root?.dataset.live) {
  const source = new EventSource(root.dataset.live);
  const waiting = root.querySelector('.says');
  const usual = waiting?.textContent;
  source.addEventListener('step', event => {
    const follow = atEnd() && scrollY > 0;
    put(element(event.data));
    if (follow) scrollTo(0, document.documentElement.scrollHeight);
  });
  source.addEventListener('head', event => {
    const head = element(event.data);
    const word = head.querySelector('.badge').textContent.trim();
    const before = document.querySelector('#head .badge').textContent.trim();
    put(head);
    if (word !== before) document.getElementById('announce').textContent = `The run is now: ${word}`;
  });
  source.addEventListener('close', () => source.close());
  source.addEventListener('end', () => {
    for (const it of document.querySelectorAll('[data-while-live]')) it.remove();
  });
  const reload = root.querySelector('.reload');
  source.addEventListener('open', () => { if (reload) reload.hidden = true; if (waiting) { waiting.textContent = usual; waiting.classList.remove('lost'); } });
  source.addEventListener('error', () => {
    if (!waiting?.isConnected) return;
    waiting.classList.add('lost');
    waiting.textContent = source.readyState === EventSource.CLOSED
      ? 'The connection was refused: reload the page.' : 'The connection was lost. Trying again …';
  });
}
