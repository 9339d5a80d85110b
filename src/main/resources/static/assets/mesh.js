// Comforts that pages do without when scripts are off: keys, theme without a reload, copying, counting seconds.

const rows = () => [...document.querySelectorAll('[data-row]')].map(it => it.matches('tr') ? it.querySelector('a') : it);
const keys = document.getElementById('keys');
const typing = it => it.closest('input, textarea, select, [contenteditable]');

function move(step) {
  const all = rows();
  if (!all.length) return;
  const here = all.indexOf(document.activeElement);
  const next = here < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(here + step, 0), all.length - 1);
  all[next].focus({preventScroll: true});
  all[next].scrollIntoView({block: 'nearest'});
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys?.open) return;
  const focused = document.activeElement ?? document.body;
  if (typing(focused)) {
    if (event.key === 'Escape') focused.blur();
    return;
  }
  const inList = focused === document.body || focused.id === 'main' || rows().includes(focused);
  switch (event.key) {
    case 'j': move(1); break;
    case 'k': move(-1); break;
    case 'ArrowDown': if (!rows().includes(focused)) return; move(1); break;
    case 'ArrowUp': if (!rows().includes(focused)) return; move(-1); break;
    case '/': document.getElementById('q')?.focus(); break;
    case 'u': if (inList) document.querySelector('[data-up]')?.click(); break;
    case '?': keys?.showModal(); break;
    default: return;
  }
  event.preventDefault();
});

document.getElementById('start')?.addEventListener('toggle', event => {
  if (event.newState === 'open') event.target.querySelector('textarea')?.focus();
});

const help = document.querySelector('[data-keys]');
if (help) {
  help.hidden = false;
  help.addEventListener('click', () => keys.showModal());
}

document.addEventListener('click', event => {
  const copied = event.target.closest('[data-copy]');
  if (copied && navigator.clipboard) {
    navigator.clipboard.writeText(copied.dataset.copy).then(() => {
      const shown = copied.firstElementChild;
      const text = shown.textContent;
      shown.textContent = 'copied';
      setTimeout(() => { shown.textContent = text; }, 1200);
    }, () => {});
  }
  for (const open of document.querySelectorAll('details.ask[open]')) {
    if (!open.contains(event.target)) open.open = false;
  }
});

document.addEventListener('change', event => {
  const form = event.target.closest('[data-auto]');
  if (form) form.requestSubmit();
});

document.addEventListener('submit', event => {
  const form = event.target;
  if (form.matches('.theme') && event.submitter) {
    event.preventDefault();
    const theme = event.submitter.value;
    const safe = location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `mesh_theme=${theme}; path=/; max-age=31536000; samesite=lax${safe}`;
    document.documentElement.dataset.theme = theme;
    for (const button of form.querySelectorAll('[name=theme]')) button.setAttribute('aria-pressed', String(button.value === theme));
  }
  if (form.matches('[data-auto]')) {
    for (const field of form.elements) field.disabled = field.name && !field.value;
  }
});
// The answer comes when all is over, so say meanwhile that it goes on.
document.addEventListener('submit', event => {
  const form = event.target;
  if (!form.matches('[data-busy]')) return;
  const took = document.createElement('span');
  took.dataset.since = new Date().toISOString();
  form.querySelector('button').disabled = true;
  form.closest('section').querySelector('[role=status]').replaceChildren(form.dataset.busy, ' ', took);
});
addEventListener('pageshow', event => {
  if (event.persisted) for (const button of document.querySelectorAll('[data-busy] button')) button.disabled = false;
  for (const field of document.querySelectorAll('[data-auto] :disabled')) field.disabled = false;
});

// The same words as mesh.dashboard.view.Spoken.
function spoken(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  const pair = (big, unit, small, smallUnit) => `${big} ${unit}` + (small ? ` ${small} ${smallUnit}` : '');
  if (s < 60) return `${s} s`;
  if (s < 3600) return pair(Math.floor(s / 60), 'min', s % 60, 's');
  if (s < 86400) return pair(Math.floor(s / 3600), 'h', Math.floor(s / 60) % 60, 'min');
  return pair(Math.floor(s / 86400), 'd', Math.floor(s / 3600) % 24, 'h');
}
setInterval(() => {
  for (const it of document.querySelectorAll('[data-since]')) it.textContent = spoken(Date.now() - Date.parse(it.dataset.since));
}, 1000);

// The list renews itself only while somebody looks at it, and never under a hand that is choosing.
document.addEventListener('htmx:beforeRequest', event => {
  const chosen = document.activeElement;
  if (document.hidden || chosen?.closest('.filter') || String(getSelection())) event.preventDefault();
});
document.addEventListener('htmx:beforeSwap', event => {
  if (!event.detail.xhr.responseText.includes('id="fresh"')) {
    event.detail.shouldSwap = false;
    location.reload();
  }
});
