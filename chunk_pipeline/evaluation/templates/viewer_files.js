// The list of files with its search, and the strategies chosen for a file.

const NONE = "";
const chosenNames = new Map(); // category → names, as the reader chose them
const filesNode = page("files"), searchNode = page("search");
const options = data.files.map((file, index) => drawOption(file, index));
const selects = Array.from({ length: COLUMNS }, (_, index) => drawSelect(index));

function drawOption(file, index) {
  const node = element("li"), name = element("span", "name"), cut = file.path.lastIndexOf("/") + 1;
  name.append(put(element("span", "folder"), file.path.slice(0, cut)), put(element("b"), file.path.slice(cut)));
  node.append(name, inOneLine([file.category, file.repository, ...file.oddities]));
  node.setAttribute("role", "option");
  node.tabIndex = -1;
  node.dataset.file = index;
  return node;
}

// Each isolated: a name that runs from right to left turns its own words alone.
function inOneLine(parts) {
  const node = element("small");
  for (const [place, part] of parts.entries()) node.append(place ? " · " : "", put(element("bdi"), part));
  return node;
}

function drawSelect(index) {
  const label = element("label", "", `Column ${index + 1} `), select = element("select");
  label.append(select);
  page("choices").append(label);
  select.addEventListener("change", () => {
    chosenNames.set(state.file.category, selects.map((each) => each.value));
    drawColumns(selects.map((each) => each.value));
  });
  return select;
}

function openFile(index) {
  const file = data.files[index];
  state.file = file;
  file.clipped = [...file.text].length < file.characters;
  for (const option of options) option.setAttribute("aria-selected", String(option.dataset.file === String(index)));
  rove();
  page("file").replaceChildren(put(element("span"), `${file.repository}/${file.path}`));
  const size = file.clipped ? `the first ${number(data.longest)} of ${count(file.characters, "character")}` : count(file.characters, "character");
  page("about").textContent = shown([...new Set([file.category, file.language, size, ...file.oddities])].join(" · "));
  page("refused").replaceChildren(...refusalsOf(file).map(([refusing, error]) => {
    const node = element("li", "", `Not cut by ${refusing.join(", ")}: `);
    node.append(put(element("bdi"), error));
    return node;
  }));
  chooseStrategies(file);
  drawColumns(selects.map((select) => select.value));
}

// Why strategies could not cut it, those with the same reason together.
function refusalsOf(file) {
  const names = new Map();
  for (const [strategy, error] of file.refused) {
    names.set(error, [...(names.get(error) ?? []), data.strategies[strategy].name]);
  }
  return [...names].map(([error, refusing]) => [refusing, file.strings[error]]);
}

function chooseStrategies(file) {
  const names = file.cuts.map((cut) => data.strategies[cut.strategy].name);
  const wanted = chosenNames.get(file.category) ?? file.first.map((strategy) => data.strategies[strategy].name);
  selects.forEach((select, index) => {
    select.replaceChildren(...[...names, NONE].map((name) => new Option(name || "(none)", name)));
    select.value = names.includes(wanted[index]) ? wanted[index] : NONE;
  });
}

// Files whose path, category, repository and format hold all the words.
function search() {
  const wanted = searchNode.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const option of options) {
    const file = data.files[option.dataset.file];
    const text = `${file.repository}/${file.path} ${file.category} ${file.language} ${file.oddities.join(" ")}`.toLowerCase();
    option.hidden = !wanted.every((word) => text.includes(word));
  }
  const found = listed().length;
  page("count").textContent = found === options.length ? count(found, "file") : `${found} of ${count(options.length, "file")}`;
  rove();
}

const listed = () => options.filter((option) => !option.hidden);

// One stop for Tab in the list: the open file, or the first where it is not listed.
function rove() {
  const shownOptions = listed(), open = shownOptions.find((option) => option.getAttribute("aria-selected") === "true");
  for (const option of options) option.tabIndex = -1;
  if (shownOptions.length) (open ?? shownOptions[0]).tabIndex = 0;
}

function openOption(option, focus) {
  openFile(Number(option.dataset.file));
  reveal(filesNode, option);
  if (focus) option.focus({ preventScroll: true });
}

// The file to begin with: the one that shows most, the first of equals.
function tellingFile() {
  const shows = data.files.map((file) => file.oddities.length * 100 + file.cuts.length);
  return shows.indexOf(Math.max(...shows));
}

// The next or previous file of the list; from a file that is not listed, the first or the last.
function stepFile(step, focusList) {
  const shownOptions = listed();
  if (!shownOptions.length) return;
  const at = shownOptions.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const next = at < 0 ? (step > 0 ? 0 : shownOptions.length - 1) : Math.min(Math.max(at + step, 0), shownOptions.length - 1);
  openOption(shownOptions[next], focusList);
}

filesNode.append(...options);
filesNode.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) openOption(option, true);
});
searchNode.addEventListener("input", search);
