// The columns: one strategy's cut of the file in each, and the chunk looked at, marked in all of them.

const COLUMNS = 3, COLOURS = 6;
const page = (id) => document.getElementById("viewer-" + id);
const data = JSON.parse(page("data").textContent);
// `chosen` is where the keys are, `marked` what is looked at: {column, chunk} or null, columns as shown.
const state = { file: null, columns: [], chosen: null, marked: null };

function drawColumns(names) {
  const cuts = names.map((name) => state.file.cuts.find((cut) => data.strategies[cut.strategy].name === name)).filter(Boolean);
  const marks = marksOf(cuts);
  state.columns = cuts.map((cut, column) => drawColumn(cut, marks, column));
  page("columns").replaceChildren(...state.columns.map((column) => column.node));
  state.chosen = null;
  const first = state.columns.findIndex((column) => column.heads.length);
  if (first >= 0) look({ column: first, chunk: 0 });
  else describe(null);
}

function drawColumn(cut, marks, index) {
  const { name, summary, limit } = data.strategies[cut.strategy];
  const node = element("section", "column"), box = element("div", "text");
  const column = { node, box, cut, limit, heads: [], starts: [], pieces: [], atoms: [] };
  const title = element("h4", "", name);
  node.setAttribute("aria-label", name);
  title.title = summary;
  node.append(title, element("p", "sum", summaryOf(cut, limit)), box);
  box.classList.toggle("inline", isScattered(cut));
  const shared = sharedBy(cut);
  for (const row of layOut(state.file.text, cut)) box.append(row.kind === "chunk" ? drawPiece(column, row, marks, shared) : drawGap(column, row, marks));
  if (state.file.clipped) box.append(element("p", "cut-off", "The rest of the file is not in this page."));
  box.dataset.column = index;
  return column;
}

function drawPiece(column, span, marks, shared) {
  const { file } = state, { cut } = column, { chunk } = span;
  const inline = column.box.classList.contains("inline"), node = element(inline ? "span" : "div", `piece k${chunk % COLOURS}`);
  node.dataset.chunk = chunk;
  if (span.first) (inline ? column.box : node).append(drawLabel(file, cut, chunk));
  const opening = span.first && words(file, cut, "opening", chunk), closing = span.last && words(file, cut, "closing", chunk);
  if (opening) node.append(put(element("span", "wrap"), opening));
  drawAtoms(column, node, span, marks, shared);
  if (closing) node.append(put(element("span", "wrap"), closing));
  if (span.last && isTorn(file.text, span.end)) node.classList.add("torn");
  (column.pieces[chunk] ??= []).push(node);
  if (span.first) {
    node.tabIndex = -1;
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", shown(factsOf(file, cut, column.limit, chunk).map(([fact]) => fact).join(", ")));
    column.heads[chunk] = node;
    column.starts[chunk] = span.start;
  }
  return node;
}

function drawLabel(file, cut, chunk) {
  const label = element("span", `label k${chunk % COLOURS}`), header = words(file, cut, "header", chunk);
  label.dataset.chunk = chunk;
  label.append(element("b", "", String(chunk + 1)));
  if (header) label.append(" ", put(element("span", "header"), header));
  return label;
}

function drawGap(column, row, marks) {
  const node = element(column.box.classList.contains("inline") ? "span" : "div", row.kind);
  const reason = row.kind === "skip" ? `skipped: ${shown(state.file.strings[row.reason])}` : row.kind === "blank" ? "white space in no chunk" : "in no chunk";
  node.title = reason;
  if (row.kind === "skip") node.append(element("span", "reason", reason));
  drawAtoms(column, node, row, marks, []);
  return node;
}

function drawAtoms(column, node, { start, end }, marks, shared) {
  for (const [from, to] of partsOf(start, end, marks)) {
    const atom = put(element("span", within(shared, from, to) ? "atom shared" : "atom"), state.file.text.slice(from, to));
    column.atoms.push({ start: from, end: to, node: atom });
    node.append(atom);
  }
}

// Mark a chunk, and what it holds in the chunks beside it and in the other columns; describe it.
function mark(place) {
  state.marked = place;
  for (const node of page("columns").querySelectorAll(".on, .same")) node.classList.remove("on", "same");
  if (place) {
    const own = state.columns[place.column], held = pairsOf(own.cut.spans[place.chunk]);
    for (const piece of own.pieces[place.chunk]) piece.classList.add("on");
    for (const column of state.columns) {
      const kind = column === own ? "on" : "same";
      for (const atom of column.atoms) if (within(held, atom.start, atom.end)) atom.node.classList.add(kind);
    }
  }
  describe(place);
}

function describe(place) {
  const [facts, details] = page("facts").children, column = place && state.columns[place.column];
  facts.replaceChildren();
  details.hidden = !place;
  if (!place) return;
  facts.append(element("span", "strategy", data.strategies[column.cut.strategy].name));
  for (const [fact, kind] of factsOf(state.file, column.cut, column.limit, place.chunk)) facts.append(put(element("span", kind), fact));
  const embedded = embeddedOf(state.file, column.cut, place.chunk).filter(([text]) => text);
  const parts = embedded.map(([text, kind]) => put(element("span", kind), text));
  details.lastElementChild.replaceChildren(...parts);
}

// Choose a chunk: the other columns go to what it holds.
function look(place, focus = false) {
  state.chosen = place;
  for (const [index, column] of state.columns.entries()) {
    const chunk = index === place.column ? place.chunk : Math.max(0, column.heads.findIndex((head) => head.tabIndex === 0));
    for (const head of column.heads) head.tabIndex = -1;
    if (column.heads.length) column.heads[chunk].tabIndex = 0;
  }
  mark(place);
  const own = state.columns[place.column], head = own.heads[place.chunk];
  reveal(own.box, head);
  for (const column of state.columns) {
    const same = column === own ? [] : column.atoms.filter((atom) => atom.node.classList.contains("same"));
    const first = same.find((atom) => atom.start >= own.starts[place.chunk]) ?? same[0];
    if (first) reveal(column.box, first.node);
  }
  if (!focus) return;
  head.focus({ preventScroll: true });
  own.node.scrollIntoView({ block: "nearest" });
}

// Scrolls the box alone, and only if the node's beginning is not well inside.
function reveal(box, node) {
  const frame = box.getBoundingClientRect(), place = node.getBoundingClientRect();
  const inside = place.top >= frame.top && Math.min(place.bottom, place.top + frame.height / 2) <= frame.bottom;
  if (!inside) box.scrollTop += place.top - frame.top - 24;
}

// The chunk of a column that holds a place, or the next one behind it.
function chunkAt(column, offset) {
  const found = column.cut.spans.findIndex((flat) => pairsOf(flat).some(([start, end]) => start <= offset && offset < end));
  if (found >= 0) return found;
  const next = column.cut.spans.findIndex((flat) => flat[0] >= offset);
  return next >= 0 ? next : column.heads.length - 1;
}

function placeOf(node) {
  const piece = node instanceof Element && node.closest("[data-chunk]");
  return piece ? { column: Number(piece.closest("[data-column]").dataset.column), chunk: Number(piece.dataset.chunk) } : null;
}

const samePlace = (one, other) => one?.column === other?.column && one?.chunk === other?.chunk;

const columnsNode = page("columns");
columnsNode.addEventListener("pointerover", (event) => {
  const place = placeOf(event.target) ?? state.chosen;
  if (!samePlace(place, state.marked)) mark(place);
});
columnsNode.addEventListener("pointerleave", () => mark(state.chosen));
columnsNode.addEventListener("click", (event) => {
  const place = placeOf(event.target);
  if (place && getSelection().isCollapsed) look(place, true);
});
columnsNode.addEventListener("focusin", (event) => {
  const place = placeOf(event.target);
  if (place && !samePlace(place, state.chosen)) look(place);
});
