// Texts of the sources get into the page through these functions alone: as text nodes, never as markup, and
// with what acts or hides written out, by the rules of chunk_pipeline/warehouse/plain_text.py.

const ACTING = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Noncharacter_Code_Point}\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0\ufff0-\ufff8\u{e0000}-\u{e0fff}]/gu;
const INK = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const FLAGS = /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;
const JOINING = /^[\u0620-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1aad\u1b00-\u1c4f\ua840-\ua95f\ua980-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u{10a00}-\u{11fff}\u{1e900}-\u{1e95f}]$/u;
const IDEOGRAPH = /^[\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]$/u;
const PICTURE = /^(?![\0-\x7f])[\p{So}\p{Sm}\u2100-\u214f\u{1f000}-\u{1fbff}]$/u;

function escapeOf(character) {
  const code = character.codePointAt(0);
  if (character === "\r") return "\\r";
  const digits = code.toString(16);
  if (code < 0x100) return "\\x" + digits.padStart(2, "0");
  return code > 0xffff ? `\\u{${digits}}` : "\\u" + digits.padStart(4, "0");
}

const before = (text, at) => [...text.slice(Math.max(at - 2, 0), at)].at(-1) ?? "";
const after = (text, at) => [...text.slice(at, at + 2)][0] ?? "";

// Whether a joiner or selector is part of what its neighbours spell.
function belongs(character, text, at) {
  const left = before(text, at), right = after(text, at + character.length);
  if (!left) return false;
  if (character !== "\u200c" && character !== "\u200d") return takesSelector(character, left, right);
  if (JOINING.test(left) && JOINING.test(right)) return true;
  const styled = left === "\ufe0f" ? before(text, at - 1) : left;
  return character === "\u200d" && PICTURE.test(styled) && PICTURE.test(right);
}

function takesSelector(selector, left, right) {
  if (/[\u180b-\u180d\u180f]/u.test(selector)) return /[\u1810-\u18af]/u.test(left);
  if (/[\u{e0100}-\u{e01ef}]/u.test(selector)) return IDEOGRAPH.test(left);
  if (!/[\ufe00-\ufe0f]/u.test(selector)) return false;
  if (left <= "\x7f") return /[#*0-9]/.test(left) && /[\ufe0e\ufe0f]/u.test(selector) && right === "\u20e3";
  return PICTURE.test(left) || IDEOGRAPH.test(left) || /[\p{Po}\p{Pd}\u1000-\u109f]/u.test(left);
}

// [text, whether it is an escape] in order.
function* stretches(text) {
  const flags = [...text.matchAll(FLAGS)].map((flag) => [flag.index, flag.index + flag[0].length]);
  let at = 0;
  for (const found of text.matchAll(ACTING)) {
    const [character] = found, end = found.index + character.length;
    if (character === "\n" || character === "\t" || INK.test(character)) continue;
    if (flags.some(([from, to]) => from < found.index && found.index < to) || belongs(character, text, found.index)) continue;
    if (found.index > at) yield [text.slice(at, found.index), false];
    yield [escapeOf(character), true];
    at = end;
  }
  if (at < text.length) yield [text.slice(at), false];
}

const shown = (text) => [...stretches(text)].map(([part]) => part).join("");

function put(node, text) {
  for (const [part, escaped] of stretches(text)) node.append(escaped ? element("span", "escape", part) : part);
  return node;
}

function element(tag, classes = "", text = "") {
  const node = document.createElement(tag);
  if (classes) node.className = classes;
  if (text) node.textContent = text;
  return node;
}
