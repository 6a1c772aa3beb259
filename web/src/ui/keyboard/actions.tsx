import { Kbd } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffectEvent, useLayoutEffect } from 'react';
import { useFlag, useSingleKeys } from './single-keys.ts';

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
      <Kbd ms="0.45rem" px="0.35rem" py="0.05rem" fz="0.72rem" lh={1.3} aria-hidden="true">
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
