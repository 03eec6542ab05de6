// What is known of a chunk, in words.

const number = (value) => value.toLocaleString("en");
const count = (value, what) => `${number(value)} ${what}${value === 1 ? "" : "s"}`;
// Columns that are 0 throughout are left out of the data.
const value = (cut, name, chunk) => cut[name]?.[chunk] ?? 0;
const words = (file, cut, name, chunk) => file.strings[value(cut, name, chunk)];

function lineOf(text, offset) {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

// [words, class] of each fact, the most telling first.
function factsOf(file, cut, limit, chunk) {
  const spans = cut.spans[chunk], chars = value(cut, "chars", chunk), over = limit && chars > limit;
  const first = lineOf(file.text, spans[0]), last = lineOf(file.text, Math.max(spans[0], spans.at(-1) - 1));
  const unit = words(file, cut, "unit", chunk), fallback = words(file, cut, "fallback", chunk);
  const overlap = value(cut, "overlap", chunk), facts = [[`Chunk ${chunk + 1} of ${cut.total}`, "lead"]];
  if (unit) facts.push([`unit ${unit}`, "unit"]);
  facts.push([first === last ? `line ${first}` : `lines ${first}–${last}`, ""]);
  if (spans.length > 2) facts.push([`${spans.length / 2} stretches`, ""]);
  facts.push([count(chars, "character") + (over ? `, over the limit of ${number(limit)}` : ""), over ? "bad" : ""]);
  facts.push([count(value(cut, "tokens", chunk), "token"), ""]);
  facts.push(value(cut, "broken", chunk) ? ["does not parse on its own", "bad"] : ["parses on its own", "good"]);
  if (value(cut, "indivisible", chunk)) facts.push(["nothing in it can be cut", ""]);
  if (overlap) facts.push([`begins with ${count(overlap, "character")} of the chunk before`, ""]);
  if (fallback) facts.push([`cut another way: ${fallback}`, "bad"]);
  return facts;
}

// What is embedded: header, opening, body, closing, each with its class.
function embeddedOf(file, cut, chunk) {
  const [start, end] = [cut.spans[chunk][0], cut.spans[chunk].at(-1)];
  const header = words(file, cut, "header", chunk);
  return [
    [header ? header + "\n" : "", "header"],
    [words(file, cut, "opening", chunk), "wrap"],
    [words(file, cut, "body", chunk) || file.text.slice(start, end), ""],
    [words(file, cut, "closing", chunk), "wrap"],
  ];
}

// A strategy's whole cut in a line.
function summaryOf(cut, limit) {
  const many = (name) => (cut[name] ?? []).filter(Boolean).length;
  const over = limit ? (cut.chars ?? []).filter((chars) => chars > limit).length : 0;
  const parts = [count(cut.total, "chunk")];
  if (limit) parts.push(over ? `${over} over ${number(limit)}` : `none over ${number(limit)}`);
  parts.push(many("broken") ? `${many("broken")} not parsing` : "all parse");
  if (many("overlap")) parts.push(`${many("overlap")} overlap`);
  if (many("fallback")) parts.push(`${many("fallback")} cut another way`);
  if (cut.skips.length) parts.push(count(cut.skips.length, "skip"));
  return parts.join(" · ");
}
