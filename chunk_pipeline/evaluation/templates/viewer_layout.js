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

function spansOf(cut) {
  const spans = [];
  cut.spans.forEach((flat, chunk) => {
    for (let place = 0; place < flat.length; place += 2) {
      const first = place === 0, last = place + 2 === flat.length;
      spans.push({ kind: "chunk", start: flat[place], end: flat[place + 1], chunk, first, last });
    }
  });
  return spans.sort((a, b) => a.start - b.start || a.chunk - b.chunk || a.end - b.end);
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
  const events = spansOf(cut).flatMap(({ start, end }) => (start < end ? [[start, 1], [end, -1]] : []));
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
    for (const span of spansOf(cut)) marks.add(span.start).add(span.end);
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
