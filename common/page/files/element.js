/** A new element, with a text and the names of classes. */
export function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text ?? "";
  made.className = className ?? "";
  return made;
}
