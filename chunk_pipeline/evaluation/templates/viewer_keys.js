// Everything by keyboard. Arrows act where the focus is; characters only if the reader leaves them switched on.

const viewerNode = document.getElementById("chunk-viewer"), keysNode = page("keys");

function showKeys() {
  keysNode.showModal();
}

function stepChunk(step) {
  const place = state.chosen;
  if (!place) return;
  const last = state.columns[place.column].heads.length - 1;
  look({ column: place.column, chunk: Math.min(Math.max(place.chunk + step, 0), last) }, true);
}

function stepColumn(step) {
  const place = state.chosen, target = place && state.columns[place.column + step];
  if (!target?.heads.length) return;
  const offset = state.columns[place.column].starts[place.chunk];
  look({ column: place.column + step, chunk: chunkAt(target, offset) }, true);
}

// Another file, and the focus in the same column if it was in one.
function stepFromColumns(step, target) {
  const column = target.closest?.("[data-column]")?.dataset.column;
  stepFile(step, filesNode.contains(target));
  const to = Math.min(Number(column), state.columns.length - 1);
  if (column !== undefined && state.columns[to]?.heads.length) look({ column: to, chunk: 0 }, true);
}

const IN_COLUMNS = {
  ArrowDown: () => stepChunk(1),
  ArrowUp: () => stepChunk(-1),
  ArrowRight: () => stepColumn(1),
  ArrowLeft: () => stepColumn(-1),
  Home: () => stepChunk(-Infinity),
  End: () => stepChunk(Infinity),
};
const IN_LIST = {
  ArrowDown: () => stepFile(1, true),
  ArrowUp: () => stepFile(-1, true),
  Home: () => stepFile(-Infinity, true),
  End: () => stepFile(Infinity, true),
  Enter: () => stepChunk(0),
};
const IN_SEARCH = {
  ArrowDown: () => listed()[0] && openOption(listed()[0], true),
  Enter: () => {
    if (!listed().length) return;
    openOption(listed()[0], false);
    stepChunk(0);
  },
};
const CHARACTERS = {
  j: () => stepChunk(1),
  k: () => stepChunk(-1),
  n: (target) => stepFromColumns(1, target),
  p: (target) => stepFromColumns(-1, target),
};
const ANYWHERE = {
  "/": () => {
    searchNode.focus();
    searchNode.select();
  },
  "?": showKeys,
};

// The characters are keys where the focus is in the viewer, or nowhere while the viewer is in sight.
function inSight(target) {
  if (viewerNode.contains(target)) return true;
  const { top, bottom } = viewerNode.getBoundingClientRect();
  return target === document.body && top < innerHeight && bottom > 0;
}

function actionOf(event) {
  const { target, key } = event;
  if (target === searchNode) return IN_SEARCH[key];
  if (target.matches?.("input, select, textarea, [contenteditable]")) return undefined;
  const placed = columnsNode.contains(target) ? IN_COLUMNS : filesNode.contains(target) ? IN_LIST : {};
  if (key in placed) return placed[key];
  if (!page("letters").checked) return undefined;
  return ANYWHERE[key] ?? (inSight(target) ? CHARACTERS[key] : undefined);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keysNode.open) return;
  const action = actionOf(event);
  if (!action) return;
  event.preventDefault();
  action(event.target);
});
page("help").addEventListener("click", showKeys);

search();
viewerNode.hidden = false;
openOption(options[tellingFile()], false);
