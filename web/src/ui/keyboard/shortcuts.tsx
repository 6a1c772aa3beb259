import { Kbd } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import { deviceStorage } from '../../browser-storage.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Settings that are stored on this device and are on unless they were turned off. */
type Flag = 'single-keys' | 'next-case' | 'veiled-evidence';

/** Whether a setting is on. */
export function useFlag(name: Flag): boolean {
  return useSyncExternalStore(subscribe, () => deviceStorage.read(name) !== 'off');
}

/** Turns a setting on or off for this device. */
export function setFlag(name: Flag, isOn: boolean): void {
  if (isOn) deviceStorage.remove(name);
  else deviceStorage.write(name, 'off');
  for (const listener of listeners) listener();
}

const typingPlaces = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';

/** The checkboxes of a list, which accept no typing: after a click on one, the keys of the list still work. */
const rowBoxes = '[data-row] [type="checkbox"]';

function isForSomethingElse(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping = target instanceof Element && target.closest(typingPlaces) !== null && !target.matches(rowBoxes);
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  return event.defaultPrevented || hasModifier || isTyping;
}

/**
 * Whether a dialog is open in front of this element; without an element, whether any dialog is open. Panels don't
 * count, because they are next to the page.
 */
export function isBehindDialog(place: Element | null = null): boolean {
  return [...document.querySelectorAll('dialog[open]:not([data-size="panel"])')].some(
    (dialog) => !dialog.contains(place),
  );
}

/** The function for each key. */
export type SingleKeys = Readonly<Record<string, (event: KeyboardEvent) => boolean | void>>;

/**
 * Handles single-key shortcuts anywhere on the page. Keys are ignored while someone is typing, while a dialog is open
 * (unless it contains `place`), together with Ctrl, Alt or Cmd, and, except for Escape, if shortcuts are turned off. If
 * a handler returns false, the browser handles the key. With `isFallback`, keys that the page handles itself are ignored.
 */
export function useSingleKeys(
  keys: SingleKeys,
  { place, isFallback = false }: { place?: RefObject<Element | null>; isFallback?: boolean } = {},
): void {
  const isOn = useFlag('single-keys');
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isOn && event.key !== 'Escape') return;
    if (isForSomethingElse(event) || isBehindDialog(place?.current ?? null)) return;
    // A user inside the menu doesn't mean the content below it.
    if (place && event.target instanceof Element && event.target.closest('header, footer')) return;
    const isDone = keys[event.key]?.(event) ?? event.key in keys;
    if (isDone) event.preventDefault();
  });
  // Runs before the first paint, so that no early key press is missed.
  useLayoutEffect(() => {
    const listen = (event: Event) => press(event as KeyboardEvent);
    // The window receives a key after all listeners of the document, whichever was added first.
    const heard: EventTarget = isFallback ? window : document;
    heard.addEventListener('keydown', listen);
    return () => heard.removeEventListener('keydown', listen);
  }, [isFallback]);
}

const withKeyboard = '(hover: hover) and (min-width: 40.01rem)';

/**
 * The keyboard shortcut of a button, shown next to its text. Nothing on phones or if single-key shortcuts are turned
 * off.
 */
export function KeyHint({ of }: { of: string }) {
  const hasKeyboard = useMediaQuery(withKeyboard, undefined, { getInitialValueInEffect: false });
  const isOn = useFlag('single-keys');
  return (
    hasKeyboard &&
    isOn && (
      <Kbd ms="0.45rem" px="0.35rem" py="0.05rem" fz="0.75rem" lh={1.3} aria-hidden="true">
        {of}
      </Kbd>
    )
  );
}

/** An action that is possible on the page now. */
export interface PageAction {
  /** Its single-key shortcut. */
  key?: string;
  /** The translated name of the action. */
  text: string;
  run: () => void;
}

const published = new Set<() => readonly PageAction[]>();

/** All actions that are possible on the page now, for the command palette. */
export function pageActions(): PageAction[] {
  return [...published].flatMap((list) => list());
}

/** Offers actions with their shortcuts and in the command palette while the component is rendered. */
export function usePageActions(actions: readonly PageAction[]): void {
  useSingleKeys(Object.fromEntries(actions.flatMap(({ key, run }) => (key === undefined ? [] : [[key, () => run()]]))));
  const read = useEffectEvent(() => actions);
  useLayoutEffect(() => {
    const list = () => read();
    published.add(list);
    return () => void published.delete(list);
  }, []);
}
