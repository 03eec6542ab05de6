// Texts of the sources get into the page through these functions alone: as text nodes, never as markup, and
// with the characters that act on a reader (controls, directions, invisible ones) written out.

const ACTING = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
// A joiner inside an emoji is part of what is seen.
const JOINED = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const PICTURE = /^\p{Extended_Pictographic}/u;

function escapeOf(character) {
  const code = character.codePointAt(0);
  if (character === "\r") return "\\r";
  const digits = code.toString(16);
  if (code < 0x100) return "\\x" + digits.padStart(2, "0");
  return code > 0xffff ? `\\u{${digits}}` : "\\u" + digits.padStart(4, "0");
}

// [text, whether it is an escape] in order.
function* stretches(text) {
  let at = 0;
  for (const found of text.matchAll(ACTING)) {
    const [character] = found, end = found.index + character.length;
    if (character === "\n" || character === "\t") continue;
    const emoji = character === "\u200d" && JOINED.test(text.slice(0, found.index)) && PICTURE.test(text.slice(end, end + 2));
    if (emoji) continue;
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
