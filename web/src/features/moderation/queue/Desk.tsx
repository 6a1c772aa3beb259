import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { isBehindDialog, KeyHint, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import classes from './desk.module.css';

/** Whether the acts, and every form, fit next to the evidence. */
export const useIsWide = () =>
  useMediaQuery('(min-width: 68.75rem)', undefined, { getInitialValueInEffect: false }) === true;

/** Alt+E switches between an open form and the evidence next to it, and restores the previous focus on each side. */
function useWayToEvidence(isOn: boolean) {
  const evidence = useRef<HTMLDivElement>(null);
  const left = useRef<{ form: Element | null; evidence: Element | null }>({ form: null, evidence: null });
  useEffect(() => {
    if (!isOn) return;
    function press(event: KeyboardEvent) {
      // Compare the physical key, because some systems produce another character with Alt.
      if (event.code !== 'KeyE' || !event.altKey || event.ctrlKey || event.metaKey || isBehindDialog()) return;
      const form = document.querySelector('dialog[open][data-size="panel"]');
      if (form === null) return;
      event.preventDefault();
      const active = document.activeElement;
      const isInForm = form.contains(active);
      if (isInForm) left.current.form = active;
      else if (evidence.current?.contains(active)) left.current.evidence = active;
      const known = isInForm ? left.current.evidence : left.current.form;
      const usual = isInForm ? evidence.current : form.querySelector('[data-autofocus]');
      const target = known?.isConnected === true ? known : usual;
      if (target instanceof HTMLElement) target.focus({ preventScroll: target === evidence.current });
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
  return evidence;
}

export interface DeskProps {
  label?: string;
  /** What is judged. */
  children: ReactNode;
  /** The state of the item, such as the time left: above the acts where there is room, otherwise above the evidence. */
  facts?: ReactNode;
  /** What to do with what is shown; in reach while the page scrolls. */
  acts?: ReactNode;
  /** The result of the last act, or the reason why it failed, above the acts. */
  result?: ReactNode;
  /** Renders the open form: below the facts instead of the acts where there is room, otherwise as a dialog over the page. */
  form?: (isBeside: boolean) => ReactNode;
  /** Goes back a step on Esc; null where there is none. */
  onBack?: (() => void) | null;
}

/** One item of a queue: the evidence, and next to it, or at the bottom of small screens, what to do with it. */
export function Desk({ label, children, facts, acts, result, form, onBack = null }: DeskProps) {
  const isWide = useIsWide();
  const hasForms = isWide && form !== undefined;
  const evidence = useWayToEvidence(hasForms);
  const open = form?.(isWide);
  useSingleKeys({
    Escape: () => {
      onBack?.();
      return onBack !== null;
    },
  });
  return (
    <section aria-label={label} className={classes.desk}>
      <div
        ref={evidence}
        className={classes.evidence}
        {...(hasForms && { role: 'region', 'aria-label': t`Evidence`, 'aria-keyshortcuts': 'Alt+E', tabIndex: 0 })}
      >
        {!isWide && facts}
        {children}
      </div>
      {(acts || result || open || (isWide && facts)) && (
        <div className={classes.acts}>
          {isWide && facts && <div className={classes.facts}>{facts}</div>}
          {result && <div className={classes.result}>{result}</div>}
          {acts}
          {hasForms && open && (
            <Text c="dimmed" fz="small">
              {t`Form and evidence`}
              <KeyHint of="Alt E" />
            </Text>
          )}
          {open}
        </div>
      )}
    </section>
  );
}
