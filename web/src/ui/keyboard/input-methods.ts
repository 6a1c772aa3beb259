/**
 * Whether a key belongs to an input method, such as the Enter that confirms a Japanese conversion. Safari ends the composition before that
 * key, which then only has the code that stands for all keys of input methods.
 */
function isTyping(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

const stop = (event: KeyboardEvent) => {
  if (isTyping(event)) event.stopPropagation();
};

/** Keeps the keys of input methods from all handlers of the app. Returns a function that stops it. */
export function keepKeysOfInputMethods(): () => void {
  // In the capture phase, the window receives a key before everything else.
  window.addEventListener('keydown', stop, true);
  return () => window.removeEventListener('keydown', stop, true);
}
