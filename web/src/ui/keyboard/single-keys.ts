import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';

const storageKey = 'single-keys';
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

const areOn = () => localStorage.getItem(storageKey) !== 'off';

/** Whether single-key shortcuts are on, on this device; they are unless switched off. */
export function useSingleKeysOn(): boolean {
  return useSyncExternalStore(subscribe, areOn);
}

/** Switches the single-key shortcuts on or off for this device. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
  announce();
}

const typingPlaces = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';

function isForSomethingElse(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping = target instanceof Element && target.closest(typingPlaces) !== null;
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  return event.defaultPrevented || event.isComposing || hasModifier || isTyping;
}

/** Whether a dialog is open in front of this element; without one, any open dialog counts. */
function isBehindDialog(place: Element | null): boolean {
  return [...document.querySelectorAll('dialog[open]')].some((dialog) => !dialog.contains(place));
}

type SingleKeys = Readonly<Record<string, (event: KeyboardEvent) => boolean | void>>;

/**
 * Handles single-key shortcuts anywhere on the page. Keys are ignored while someone is typing, while a dialog is open (other
 * than the one that `place` is in), together with Ctrl, Alt or Cmd, and when shortcuts are switched off. A handler that
 * returns false leaves the key to the browser.
 */
export function useSingleKeys(keys: SingleKeys, place?: RefObject<Element | null>): void {
  const isOn = useSingleKeysOn();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isForSomethingElse(event) || isBehindDialog(place?.current ?? null)) return;
    const isDone = keys[event.key]?.(event) ?? event.key in keys;
    if (isDone) event.preventDefault();
  });
  // Before the first paint, so that no early key press is lost.
  useLayoutEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}
