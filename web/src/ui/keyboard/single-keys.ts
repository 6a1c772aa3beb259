import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Choices between on and off that are kept on this device: on, unless switched off. */
type Flag = 'single-keys' | 'next-case' | 'veiled-evidence';

/** Whether a choice is on, on this device. */
export function useFlag(name: Flag): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(name) !== 'off');
}

/** Switches a choice on or off for this device. */
export function setFlag(name: Flag, isOn: boolean): void {
  if (isOn) localStorage.removeItem(name);
  else localStorage.setItem(name, 'off');
  for (const listener of listeners) listener();
}

const typingPlaces = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';

function isForSomethingElse(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping = target instanceof Element && target.closest(typingPlaces) !== null;
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  return event.defaultPrevented || event.isComposing || hasModifier || isTyping;
}

/** Whether a dialog is open in front of this element; without one, any open dialog counts. A panel is next to the page, not in front. */
export function isBehindDialog(place: Element | null = null): boolean {
  return [...document.querySelectorAll('dialog[open]:not([data-size="panel"])')].some(
    (dialog) => !dialog.contains(place),
  );
}

/** What each key does. */
export type SingleKeys = Readonly<Record<string, (event: KeyboardEvent) => boolean | void>>;

/**
 * Handles single-key shortcuts anywhere on the page. Keys are ignored while someone is typing, while a dialog is open (other
 * than the one that `place` is in), together with Ctrl, Alt or Cmd, and when shortcuts are switched off. A handler that
 * returns false leaves the key to the browser. `isFallback`: keys that the page itself handles are left to it.
 */
export function useSingleKeys(
  keys: SingleKeys,
  { place, isFallback = false }: { place?: RefObject<Element | null>; isFallback?: boolean } = {},
): void {
  const isOn = useFlag('single-keys');
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isForSomethingElse(event) || isBehindDialog(place?.current ?? null)) return;
    const isDone = keys[event.key]?.(event) ?? event.key in keys;
    if (isDone) event.preventDefault();
  });
  // Before the first paint, so that no early key press is lost.
  useLayoutEffect(() => {
    if (!isOn) return;
    const listen = (event: Event) => press(event as KeyboardEvent);
    // The window hears of a key after every listener of the document, whichever was added first.
    const heard: EventTarget = isFallback ? window : document;
    heard.addEventListener('keydown', listen);
    return () => heard.removeEventListener('keydown', listen);
  }, [isOn, isFallback]);
}
