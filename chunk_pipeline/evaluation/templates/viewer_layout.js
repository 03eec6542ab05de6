// From offsets to what is drawn: the pieces of a column in the order of the document. Nothing here is drawn.

// Every span of every chunk, and what is between them, in the order of the document.
function layOut(text, cut) {
  const spans = spansOf(cut), rows = [];
  let at = 0;
  for (const span of spans) {
    if (span.start > at) rows.push(...between(text, at, span.start, cut.skips));
    rows.push(span);
    at = Math.max(at, span.end);
  }
  if (at < text.length) rows.push(...between(text, at, text.length, cut.skips));
  return rows;
}

// As in the data, in the order of the document.
function allSpansOf(cut) {
  const spans = cut.spans.flatMap((flat, chunk) => pairsOf(flat).map(([start, end]) => ({ kind: "chunk", start, end, chunk })));
  return spans.sort((a, b) => a.start - b.start || a.chunk - b.chunk || a.end - b.end);
}

// Whether a chunk has several spans: then columns run on, and do not stand in blocks.
const isScattered = (cut) => cut.spans.some((flat) => flat.length > 2);

// As drawn. Scattered chunks repeat the keys above their values: what is drawn already is not drawn again, but
// each chunk keeps one span of its own at least. Its first and its last are marked.
function spansOf(cut) {
  const spans = isScattered(cut) ? drawnOnce(allSpansOf(cut), cut) : allSpansOf(cut);
  const firsts = new Set(), lasts = new Set();
  for (const span of spans) {
    span.first = !firsts.has(span.chunk);
    firsts.add(span.chunk);
  }
  for (const span of [...spans].reverse()) {
    span.last = !lasts.has(span.chunk);
    lasts.add(span.chunk);
  }
  return spans;
}

function drawnOnce(spans, cut) {
  const left = cut.spans.map((flat) => flat.length / 2), own = cut.spans.map(() => 0);
  let end = 0;
  return spans.filter((span) => {
    left[span.chunk]--;
    if (span.end <= end && own[span.chunk] + left[span.chunk] > 0) return false;
    own[span.chunk]++;
    end = Math.max(end, span.end);
    return true;
  });
}

// A stretch in no chunk: skips with their reasons, white space, and the rest.
function* between(text, start, end, skips) {
  let at = start;
  for (const [skipStart, skipEnd, reason] of skips) {
    const from = Math.max(skipStart, at), to = Math.min(skipEnd, end);
    if (from >= to) continue;
    yield* gaps(text, at, from);
    yield { kind: "skip", start: from, end: to, reason };
    at = to;
  }
  yield* gaps(text, at, end);
}

function* gaps(text, start, end) {
  const gap = text.slice(start, end), from = start + gap.length - gap.trimStart().length;
  const to = from === end ? end : start + gap.trimEnd().length;
  if (start < from) yield { kind: "blank", start, end: from };
  if (from < to) yield { kind: "gap", start: from, end: to };
  if (to < end) yield { kind: "blank", start: to, end };
}

// Whether a line goes on with more than punctuation where a chunk ends.
function isTorn(text, end) {
  const line = text.slice(end, end + 1000).split("\n", 1)[0];
  return text[end - 1] !== "\n" && /[\p{L}\p{N}]/u.test(line);
}

// Stretches that two chunks or more hold, ascending and disjoint.
function sharedBy(cut) {
  const events = allSpansOf(cut).flatMap(({ start, end }) => (start < end ? [[start, 1], [end, -1]] : []));
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const shared = [];
  let held = 0;
  for (const [at, change] of events) {
    held += change;
    if (held === 2 && change === 1) shared.push([at, at]);
    if (held === 1 && change === -1) shared.at(-1)[1] = at;
  }
  return shared.filter(([start, end]) => start < end);
}

// Where any of the columns cuts: between two marks all of them agree on what a character is part of.
function marksOf(cuts) {
  const marks = new Set();
  for (const cut of cuts) {
    for (const span of allSpansOf(cut)) marks.add(span.start).add(span.end);
    for (const [start, end] of sharedBy(cut)) marks.add(start).add(end);
  }
  return [...marks].sort((a, b) => a - b);
}

// [start, end) in parts that no mark is inside of.
function partsOf(start, end, marks) {
  const parts = [];
  let at = start;
  for (let place = firstAbove(marks, start); place < marks.length && marks[place] < end; place++) {
    parts.push([at, marks[place]]);
    at = marks[place];
  }
  if (at < end) parts.push([at, end]);
  return parts;
}

function firstAbove(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

const within = (stretches, start, end) => stretches.some(([from, to]) => from <= start && end <= to);

function pairsOf(flat) {
  const pairs = [];
  for (let place = 0; place < flat.length; place += 2) pairs.push([flat[place], flat[place + 1]]);
  return pairs;
}
